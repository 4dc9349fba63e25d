// What bodies are coloured by: values, scales and legends.
import { rgb, short, units, withUnit } from './dom.js';

// Colours between which others are mixed; the middle tones read on light and on dark.
const scales = {
    motion: ['#5878b4', '#5a97c8', '#66b8c2', '#9fd3b0', '#e6e08c', '#f5bd5c', '#ef8a43', '#dd5138', '#b8242f'],
    load: ['#b9c6d6', '#d9d3bd', '#f0c583', '#f0a35c', '#e57a44', '#d2503a', '#ad2c36', '#84162f', '#5d0b28'],
    calm: ['#14466e', '#17648c', '#237f9e', '#3c9aa8', '#63b3ac', '#8fcab0', '#bcdcb6', '#dcebc6', '#f1f6d9'],
};
const families = ['#3f7fd0', '#e0883a', '#3fa56b', '#c4527e', '#8a6fd1', '#9a7b4f', '#2fa7b5', '#b5a42f'];
const nothing = '#8d96a3';
const wrong = '#e5192d';

function table(name) {
    const stops = scales[name].map(rgb), out = new Uint8Array(256 * 3);
    for (let i = 0; i < 256; i++) {
        const x = i / 255 * (stops.length - 1), k = Math.min(Math.floor(x), stops.length - 2);
        for (let c = 0; c < 3; c++)
            out[3 * i + c] = Math.round(255 * (stops[k][c] + (x - k) * (stops[k + 1][c] - stops[k][c])));
    }
    return out;
}

const bytes = (text) => rgb(text).map((x) => Math.round(255 * x));

export function gradient(name) {
    return `linear-gradient(to right, ${scales[name].join(', ')})`;
}

// The value below which a part of the sampled values lies, over the whole run.
function quantile(run, part, values) {
    const sample = [], frames = Math.max(1, Math.floor(run.frames.length / 40));
    for (let f = 0; f < run.frames.length; f += frames) {
        const all = values(f), stride = Math.max(1, Math.floor(all.length / 2000));
        for (let i = 0; i < all.length; i += stride)
            if (Number.isFinite(all[i])) sample.push(all[i]);
    }
    sample.sort((a, b) => a - b);
    return sample.length ? sample[Math.min(sample.length - 1, Math.floor(part * sample.length))] : 0;
}

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

// The sum of the contact forces on a body by its surface.
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

function contactCounts(run, index) {
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

function modes(run, frames) {
    const unit = units(run.scene);
    // to cross the scene in the time of the run
    const usual = Math.max(...frames.extent) / (run.times.at(-1) - run.times[0] || 1) || 1;
    return [
        { name: 'speed', label: 'Speed', unit: unit.speed, scale: 'motion', values: (f) => speeds(run, frames, f), part: 0.995, usual, least: 1e-9 * usual },
        { name: 'pressure', label: 'Pressure', about: 'sum of the contact forces on a body by its surface', unit: unit.pressure, scale: 'load', values: (f) => pressures(run, frames, f), part: 0.98 },
        { name: 'radius', label: 'Radius', unit: unit.length, scale: 'calm', values: (f) => radii(run, frames, f), part: 1, fromLeast: true },
        { name: 'contacts', label: 'Contacts', about: 'contacts that carry load', unit: '', scale: 'calm', values: (f) => contactCounts(run, f), part: 1, whole: true },
        { name: 'material', label: 'Material', isFamily: true, values: () => run.material },
        { name: 'certificate', label: 'Certificate', about: 'smallest gap of a loaded contact; below 0 would be an overlap', unit: unit.length, scale: 'calm', values: (f) => run.frames[f].gap, part: 0.98, hasNothing: true },
    ];
}

export class Colours {
    constructor(run, frames) {
        this.run = run;
        this.modes = modes(run, frames);
        this.mode = this.modes[0];
        this.tables = {};
    }

    choose(name) { this.mode = this.modes.find((mode) => mode.name === name) ?? this.mode; }

    range(mode = this.mode) {
        if (!mode.range) {
            const high = quantile(this.run, mode.part, mode.values);
            const low = mode.fromLeast ? quantile(this.run, 0, mode.values) : 0;
            // what is smaller than rounding is nothing
            const isFlat = high - low <= (mode.least ?? 0);
            mode.range = [low, isFlat ? low + (mode.usual ?? (Math.abs(low) || 1)) : high];
        }
        return mode.range;
    }

    // Write RGBA for every body.
    paint(index, out) {
        const { mode } = this, values = mode.values(index);
        if (mode.isFamily) return this.paintFamilies(values, out);
        const [low, high] = this.range(), map = this.tables[mode.scale] ??= table(mode.scale);
        const none = bytes(nothing), bad = bytes(wrong), factor = 255 / (high - low);
        for (let i = 0; i < values.length; i++) {
            const x = values[i], at = 4 * i;
            if (Number.isNaN(x) || (mode.hasNothing && x < 0)) {
                const flat = Number.isNaN(x) ? none : bad;
                out[at] = flat[0]; out[at + 1] = flat[1]; out[at + 2] = flat[2];
            } else {
                const k = 3 * Math.max(0, Math.min(255, Math.round((x - low) * factor)));
                out[at] = map[k]; out[at + 1] = map[k + 1]; out[at + 2] = map[k + 2];
            }
            out[at + 3] = 255;
        }
        return out;
    }

    paintFamilies(values, out) {
        const each = families.map(bytes), none = bytes(nothing);
        for (let i = 0; i < values.length; i++) {
            const c = values[i] < 0 ? none : each[values[i] % each.length];
            out.set(c, 4 * i);
            out[4 * i + 3] = 255;
        }
        return out;
    }

    // Text for the ends of the scale.
    ends() {
        const [low, high] = this.range(), { mode } = this;
        const capped = mode.part < 1 ? '≥ ' : '';
        return [short(low), short((low + high) / 2), withUnit(capped + short(high), mode.unit)];
    }

    families() {
        const used = new Set(this.run.material);
        const named = this.run.scene.materials
            .map((name, i) => ({ name, colour: families[i % families.length], used: used.has(i) }));
        const out = named.filter((entry) => entry.used);
        if (used.has(-1)) out.push({ name: 'mass given', colour: nothing });
        return out;
    }
}
