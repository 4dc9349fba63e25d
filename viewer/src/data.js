// The run inside the page, read in the order in which src/page/page_frames.c packs it.

class Reader {
    constructor(bytes) {
        this.bytes = bytes;
        this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        this.at = 0;
    }

    take(length) {
        const from = this.at;
        this.at += length;
        if (this.at > this.bytes.length) throw new Error('the data end too early');
        return from;
    }

    u32() { return this.view.getUint32(this.take(4), true); }
    f64() { return this.view.getFloat64(this.take(8), true); }

    f32s(count) {
        const from = this.take(4 * count), out = new Float32Array(count);
        for (let i = 0; i < count; i++) out[i] = this.view.getFloat32(from + 4 * i, true);
        return out;
    }

    f64s(count) {
        const from = this.take(8 * count), out = new Float64Array(count);
        for (let i = 0; i < count; i++) out[i] = this.view.getFloat64(from + 8 * i, true);
        return out;
    }

    // Planes: all lowest bytes first.
    u16s(count) {
        const low = this.take(2 * count), high = low + count, out = new Uint16Array(count);
        for (let i = 0; i < count; i++) out[i] = this.bytes[low + i] | this.bytes[high + i] << 8;
        return out;
    }

    u32s(count) {
        const from = this.take(4 * count), out = new Uint32Array(count);
        for (let i = 0; i < count; i++)
            for (let k = 0; k < 4; k++) out[i] |= this.bytes[from + k * count + i] << 8 * k;
        return out;
    }

    // Floats without the lower half of their bits.
    halves(count) {
        const bits = Uint32Array.from(this.u16s(count), (x) => x << 16);
        return new Float32Array(bits.buffer);
    }
}

const unzigzag = (x) => x >>> 1 ^ -(x & 1);

const signed = (x) => x << 16 >> 16;

// Where the mean of two velocities takes positions, in steps of rounding, as in page_frames.c.
function factorOf({ low, high, speed }, k, time) {
    const moved = speed / 32767 / 2 * time, factor = moved / (high[k] - low[k]) * 65535;
    return Math.abs(factor) < 1000 ? factor : 0;
}

// Positions, then velocities, by component. Velocities are stored as changes since the frame before,
// positions as distances from where they would have been taken.
function readMotion(reader, count, dim, head, before, t) {
    const values = [], none = new Uint16Array(count);
    for (let k = 0; k < dim; k++) {
        const speed = reader.u16s(count), position = reader.u16s(count);
        const old = before ? before.motion[k] : none, oldSpeed = before ? before.motion[dim + k] : none;
        const factor = factorOf(head.frames, k, t - (before ? before.t : 0));
        for (let i = 0; i < count; i++) {
            speed[i] = unzigzag(speed[i]) + oldSpeed[i];
            const moved = Math.floor(factor * (signed(oldSpeed[i]) + signed(speed[i])) + 0.5);
            position[i] = unzigzag(position[i]) + old[i] + moved;
        }
        values[k] = position;
        values[dim + k] = speed;
    }
    return values;
}

function readContacts(reader, count) {
    const a = new Int32Array(count), b = new Int32Array(count);
    const da = reader.u32s(count), db = reader.u32s(count);
    for (let i = 0, last = 0; i < count; i++) {
        last = a[i] = last + unzigzag(da[i]);
        b[i] = unzigzag(db[i]);
    }
    return { count, a, b, force: reader.halves(count) };
}

// Neighbours are stored as differences, which are positive: the ids of a pair are in order.
function finishContacts(contacts) {
    for (let i = 0; i < contacts.count; i++)
        if (contacts.b[i] >= 0) contacts.b[i] += contacts.a[i];
    return contacts;
}

// Where contacts with obstacles are, by contact.
function readFeet(reader, { count, b }, walls) {
    const feet = new Map();
    for (let i = 0; i < count; i++)
        if (-1 - b[i] >= walls) feet.set(i, reader.f32s(3));
    return feet;
}

function readSpheres(reader, head, before) {
    const { scene } = head, frame = { t: reader.f64() };
    const contacts = reader.u32();
    frame.fullForce = reader.f32s(1)[0];
    frame.growth = reader.f32s(scene.materials.length + scene.laws);
    frame.walls = reader.f32s(4 * scene.walls.length);
    frame.poses = reader.f32s(12 * scene.obstacles.length);
    frame.shear = scene.cell ? reader.f64() : 0;
    frame.motion = readMotion(reader, scene.bodies, scene.dim, head, before, frame.t);
    frame.gap = reader.halves(scene.bodies);
    frame.contacts = finishContacts(readContacts(reader, contacts));
    frame.contacts.feet = readFeet(reader, frame.contacts, scene.walls.length);
    return frame;
}

function readInclusion(reader, head, before) {
    const { scene } = head, frame = { t: reader.f64() };
    const points = scene.dim > 1 ? scene.grid * scene.grid : scene.grid;
    reader.u32();
    frame.q = reader.f64s(scene.dim);
    frame.u = reader.f64s(scene.dim);
    frame.multipliers = reader.f64s(scene.constraints.length);
    frame.grids = scene.grid === 0 ? null : scene.constraints.map((constraint, i) =>
        (!before || constraint.moves ? reader.halves(points) : before.grids[i]));
    return frame;
}

function readSeries(reader, head) {
    const { rows, columns } = head.series, series = new Map();
    series.set('time', reader.f64s(rows));
    for (const name of columns) series.set(name, reader.f32s(rows));
    return series;
}

export function parse(head, bytes) {
    const reader = new Reader(bytes), { scene } = head, run = { head, scene, frames: [] };
    run.isSpheres = scene.kind === 'spheres';
    run.radius = reader.f32s(scene.bodies);
    run.mass = reader.f32s(scene.bodies);
    run.material = Int32Array.from(reader.u16s(scene.bodies), (x) => x - 1);
    run.law = scene.laws > 0 ? Int32Array.from(reader.u16s(scene.bodies), (x) => x - 1) : run.material;
    run.surfaces = (scene.obstacles ?? []).map(({ triangles, lines }) =>
        ({ triangles: reader.f32s(9 * triangles), lines: reader.f32s(6 * lines) }));
    const read = run.isSpheres ? readSpheres : readInclusion;
    for (let i = 0; i < head.frames.count; i++)
        run.frames.push(read(reader, head, run.frames[i - 1]));
    run.series = readSeries(reader, head);
    if (reader.at !== bytes.length) throw new Error('the data do not end where they should');
    run.names = new Map(scene.names ?? []);
    run.times = Float64Array.from(run.frames, (frame) => frame.t);
    return run;
}

async function inflate(text) {
    const letters = atob(text), packed = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i++) packed[i] = letters.charCodeAt(i);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

// What there is to say before the arrays are unpacked.
export function readHead() {
    try {
        return JSON.parse(document.getElementById('thud-head').textContent);
    } catch (cause) {
        throw new Error('its data are damaged', { cause });
    }
}

export async function load(head) {
    const element = document.getElementById('thud-data');
    let run;
    try {
        run = parse(head, await inflate(element.textContent));
    } catch (cause) {
        throw new Error('its data are damaged', { cause });
    }
    element.remove(); // the text is not needed any more
    return run;
}

// What a frame says of bodies, in the units of the scene.
export class Frames {
    constructor(run) {
        this.run = run;
        const { low, high, speed } = run.head.frames;
        this.low = low;
        this.extent = low.map((x, k) => high[k] - x);
        this.speed = speed ?? 0;
    }

    position(frame, i) {
        const { motion } = this.run.frames[frame], { dim } = this.run.scene, at = [0, 0, 0];
        for (let k = 0; k < dim; k++) at[k] = this.low[k] + this.extent[k] * motion[k][i] / 65535;
        return at;
    }

    // The image of body b, in a periodic cell, that is nearest to the point p.
    image(frame, b, p) {
        const at = this.position(frame, b), { cell } = this.run.scene;
        if (!cell) return at;
        const away = (k) => (cell.period[k] > 0 ? Math.round((at[k] - p[k]) / cell.period[k]) : 0);
        const up = away(1);
        at[1] -= up * cell.period[1];
        at[0] -= up * this.run.frames[frame].shear;
        at[0] -= away(0) * cell.period[0];
        at[2] -= away(2) * cell.period[2];
        return at;
    }

    velocity(frame, i) {
        const { motion } = this.run.frames[frame], { dim } = this.run.scene, v = [0, 0, 0];
        for (let k = 0; k < dim; k++) v[k] = this.speed * (motion[dim + k][i] << 16 >> 16) / 32767;
        return v;
    }

    radius(frame, i) {
        const law = this.run.law[i];
        const growth = law < 0 ? 1 : this.run.frames[frame].growth[law];
        return this.run.radius[i] * growth;
    }
}
