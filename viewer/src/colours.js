// What bodies are coloured by. Colours, ranges and ticks come from the head of the page: thud render
// has the same.
import { rgb, short, units } from './dom.js';

const wrong = '#e5192d';
const bytes = (text) => rgb(text).map((x) => Math.round(255 * x));
const title = (name) => name[0].toUpperCase() + name.slice(1);

function speeds(run, frames, index) {
    const { motion } = run.frames[index], { dim, bodies } = run.scene, out = new Float32Array(bodies);
    const scale = frames.speed / 32767;
    for (let i = 0; i < bodies; i++) {
        let square = 0;
        for (let k = 0; k < dim; k++) square += (motion[dim + k][i] << 16 >> 16) ** 2;
        out[i] = scale * Math.sqrt(square);
    }
    return out;
}

// The contact forces on a body, divided by its surface.
function pressures(run, frames, index) {
    const { contacts } = run.frames[index], out = new Float32Array(run.scene.bodies);
    for (let i = 0; i < contacts.count; i++) {
        out[contacts.a[i]] += contacts.force[i];
        if (contacts.b[i] >= 0) out[contacts.b[i]] += contacts.force[i];
    }
    for (let i = 0; i < out.length; i++) {
        const r = frames.radius(index, i);
        out[i] /= run.scene.dim === 3 ? 4 * Math.PI * r * r : 2 * Math.PI * r;
    }
    return out;
}

function contactCounts(run, frames, index) {
    const { contacts } = run.frames[index], out = new Float32Array(run.scene.bodies);
    for (let i = 0; i < contacts.count; i++) {
        out[contacts.a[i]]++;
        if (contacts.b[i] >= 0) out[contacts.b[i]]++;
    }
    return out;
}

function radii(run, frames, index) {
    const out = new Float32Array(run.scene.bodies);
    for (let i = 0; i < out.length; i++) out[i] = frames.radius(index, i);
    return out;
}

const values = { speed: speeds, pressure: pressures, contacts: contactCounts, radius: radii };

// The gap that 98 in 100 of the loaded contacts' do not exceed.
function gapRange(run) {
    const sample = [], frames = Math.max(1, Math.floor(run.frames.length / 40));
    for (let f = 0; f < run.frames.length; f += frames) {
        const { gap } = run.frames[f], stride = Math.max(1, Math.floor(gap.length / 2000));
        for (let i = 0; i < gap.length; i += stride) if (gap[i] > 0) sample.push(gap[i]);
    }
    sample.sort((a, b) => a - b);
    const high = sample[Math.floor(0.98 * (sample.length - 1))] ?? 0;
    return high > 0 ? high : 1;
}

function gapMode(run) {
    const high = gapRange(run);
    return {
        name: 'gap', label: 'Smallest gap', about: 'smallest gap of a loaded contact; red: below 0, an overlap; grey: no load',
        unit: units(run.scene).length, low: 0, high, is_cut: true, values: (f) => run.frames[f].gap, isGap: true,
        ticks: [0, high / 2, high].map((at) => ({ at, label: short(at, 2) })),
    };
}

export class Colours {
    constructor(run, frames) {
        const { palette, colors } = run.head;
        this.run = run;
        this.palette = palette;
        this.map = Uint8Array.from(palette.map.flatMap(bytes));
        this.modes = colors.map((color) => ({
            ...color, label: title(color.name), values: (f) => values[color.name](run, frames, f),
        }));
        this.modes.push({ name: 'material', label: 'Material', isFamily: true, values: () => run.material }, gapMode(run));
        // what does not move is told apart by what it is
        this.choose(frames.speed > 0 ? 'speed' : new Set(run.material).size > 1 ? 'material' : 'radius');
        this.theme('light');
    }

    choose(name) { this.mode = this.modes.find((mode) => mode.name === name) ?? this.mode; }

    theme(name) { ({ plain: this.plain, chain: this.chain } = this.palette[name]); }

    // Write RGBA for every body.
    paint(index, out) {
        const { mode, map } = this, all = mode.values(index);
        if (mode.isFamily) return this.paintFamilies(all, out);
        const { low, high } = mode, none = bytes(this.plain), bad = bytes(wrong), factor = 255 / (high - low);
        for (let i = 0; i < all.length; i++) {
            const x = all[i], at = 4 * i;
            if (Number.isNaN(x) || (mode.isGap && x < 0)) {
                out.set(Number.isNaN(x) ? none : bad, at);
            } else {
                const k = 3 * (high > low ? Math.max(0, Math.min(255, Math.round((x - low) * factor))) : 128);
                out[at] = map[k]; out[at + 1] = map[k + 1]; out[at + 2] = map[k + 2];
            }
            out[at + 3] = 255;
        }
        return out;
    }

    choice(i) { return i < 0 ? this.plain : this.palette.choices[i % this.palette.choices.length]; }

    paintFamilies(all, out) {
        const each = new Map();
        for (let i = 0; i < all.length; i++) {
            if (!each.has(all[i])) each.set(all[i], bytes(this.choice(all[i])));
            out.set(each.get(all[i]), 4 * i);
            out[4 * i + 3] = 255;
        }
        return out;
    }

    families() {
        const used = new Set(this.run.material);
        const out = this.run.scene.materials.map((name, i) => ({ name, colour: this.choice(i), used: used.has(i) }))
            .filter((entry) => entry.used);
        if (used.has(-1)) out.push({ name: 'mass given', colour: this.plain });
        return out;
    }
}
