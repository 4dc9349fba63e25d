// What the view shows at first: the place where the run begins.
//
// It holds the bodies of the start, walls and solids that are not far from where bodies go, and the
// periodic cell. Where solids surround these bodies, the solids are the place: bodies that leave it
// may leave the view. Elsewhere the view follows the bodies, except 2 in 100 on each side.

const axes = [0, 1, 2];

class Box {
    constructor() {
        this.low = [Infinity, Infinity, Infinity];
        this.high = [-Infinity, -Infinity, -Infinity];
    }

    get isEmpty() { return !(this.low[0] <= this.high[0]); }
    get extent() { return this.low.map((x, k) => this.high[k] - x); }

    add(k, low, high = low) {
        this.low[k] = Math.min(this.low[k], low);
        this.high[k] = Math.max(this.high[k], high);
    }

    addPoint(p, dim) { for (let k = 0; k < dim; k++) this.add(k, p[k]); }

    join(other, dim) {
        if (!other.isEmpty) for (let k = 0; k < dim; k++) this.add(k, other.low[k], other.high[k]);
    }

    close(dim) {
        for (let k = dim; k < 3; k++) this.low[k] = this.high[k] = 0;
        if (this.isEmpty) this.low = this.high = [0, 0, 0];
        return { low: this.low, extent: this.extent };
    }
}

// Where the bodies of a frame are, without the outermost `part` on each side.
function bodiesBox(run, frames, index, part) {
    const { bodies, dim } = run.scene, box = new Box(), left = Math.floor(part * bodies);
    for (let k = 0; k < dim && bodies > 0; k++) {
        const low = new Float64Array(bodies), high = new Float64Array(bodies);
        for (let i = 0; i < bodies; i++) {
            const x = frames.position(index, i)[k], r = frames.radius(index, i);
            low[i] = x - r;
            high[i] = x + r;
        }
        box.add(k, low.sort()[left], high.sort()[bodies - 1 - left]);
    }
    return box;
}

// A solid as it is in a frame: the corners of its box.
function corners({ least, most }, pose) {
    const ends = [least, most];
    return [...Array(8).keys()].map((c) => axes.map((k) => pose[k] +
        axes.reduce((sum, j) => sum + pose[3 + 3 * k + j] * ends[c >> j & 1][j], 0)));
}

// Solids are shown whole unless they go far beyond the bodies.
function solidsBox(run, frames, index) {
    const { obstacles, dim } = run.scene, { poses } = run.frames[index], box = new Box();
    const far = 2 * Math.hypot(...frames.extent);
    const isFar = (p) => p.some((x, k) => x < frames.low[k] - far || x > frames.low[k] + frames.extent[k] + far);
    obstacles.forEach((obstacle, i) => {
        const points = corners(obstacle, poses.subarray(12 * i, 12 * i + 12));
        if (!points.some(isFar)) points.forEach((p) => box.addPoint(p, dim));
    });
    return box;
}

// The feet of the middle on planes that are not far, unless another plane hides them.
function planesBox(run, frames, index) {
    const { walls } = run.frames[index], { dim } = run.scene, box = new Box(), far = Math.max(...frames.extent);
    const middle = frames.low.map((x, k) => x + frames.extent[k] / 2);
    const height = (i, p) => walls[i] * p[0] + walls[i + 1] * p[1] + walls[i + 2] * p[2] - walls[i + 3];
    const isFar = (p) => p.some((x, k) => x < frames.low[k] - far || x > frames.low[k] + frames.extent[k] + far);
    for (let i = 0; i < walls.length; i += 4) {
        const above = height(i, middle), foot = middle.map((x, k) => x - above * walls[i + k]);
        let isHidden = false;
        for (let k = 0; k < walls.length; k += 4) isHidden ||= height(k, foot) < -1e-3 * far;
        if (!isFar(foot) && !isHidden) box.addPoint(foot, dim);
    }
    return box;
}

function cellBox({ cell, dim }) {
    const box = new Box();
    for (let k = 0; cell && k < dim; k++)
        if (cell.period[k] > 0) box.add(k, cell.low[k], cell.low[k] + cell.period[k]);
    return box;
}

// Within rounding: bodies that rest on a solid are inside it.
function isInside(inner, outer, dim) {
    const room = outer.extent.map((x) => 0.01 * x);
    return !outer.isEmpty && axes.every((k) => k >= dim ||
        (inner.low[k] >= outer.low[k] - room[k] && inner.high[k] <= outer.high[k] + room[k]));
}

function samples(run) {
    const last = run.frames.length - 1, count = Math.min(last, 40);
    return count > 0 ? Array.from({ length: count + 1 }, (_, i) => Math.round(i * last / count)) : [0];
}

// Walls, solids and the cell, at the first and the last frame.
function fixedBox(run, frames) {
    const { dim } = run.scene, box = cellBox(run.scene);
    for (const index of [0, run.frames.length - 1]) {
        box.join(solidsBox(run, frames, index), dim);
        box.join(planesBox(run, frames, index), dim);
    }
    return box;
}

export function startSpace(run, frames) {
    const { dim } = run.scene, start = bodiesBox(run, frames, 0, 0), box = fixedBox(run, frames);
    const isSurrounded = isInside(bodiesBox(run, frames, 0, 0.02), solidsBox(run, frames, 0), dim);
    box.join(start, dim);
    if (!isSurrounded)
        for (const index of samples(run)) box.join(bodiesBox(run, frames, index, 0.02), dim);
    return box.close(dim);
}

// The same with every body of every frame.
export function wholeSpace(run, frames) {
    const { dim } = run.scene, box = fixedBox(run, frames);
    for (let k = 0; k < dim; k++) box.add(k, frames.low[k], frames.low[k] + frames.extent[k]);
    return box.close(dim);
}
