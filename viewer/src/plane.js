// A plot of one quantity against another on a canvas: paths, regions, and the point of now.
import { colour, element, short } from './dom.js';

const margin = { left: 54, right: 16, top: 14, bottom: 34 };

function ticks(low, high, count) {
    const raw = (high - low) / Math.max(1, count), power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((x) => x * power).find((x) => x >= raw) ?? raw;
    const out = [];
    for (let x = Math.ceil(low / step) * step; x <= high + 1e-9 * step; x += step) out.push(Math.abs(x) < 1e-9 * step ? 0 : x);
    return out;
}

export class Plane {
    constructor(place, { title, x, y, isEqual, label }) {
        Object.assign(this, { x, y, isEqual });
        this.canvas = element('canvas', { role: 'img', 'aria-label': label ?? title });
        this.caption = element('figcaption', {}, element('span', { text: title }));
        this.body = element('div', { class: 'plane-body' }, this.canvas);
        this.box = element('figure', { class: 'plane' }, this.caption, this.body);
        place.append(this.box);
        this.context = this.canvas.getContext('2d');
        this.range = [0, 1, 0, 1];
        new ResizeObserver(() => this.resize()).observe(this.body);
    }

    resize() {
        const ratio = window.devicePixelRatio || 1;
        this.width = Math.max(60, this.body.clientWidth);
        this.height = Math.max(60, this.body.clientHeight);
        this.canvas.width = Math.round(this.width * ratio);
        this.canvas.height = Math.round(this.height * ratio);
        this.canvas.style.width = `${this.width}px`;
        this.canvas.style.height = `${this.height}px`;
        this.ratio = ratio;
        this.onresize?.();
    }

    // Ends of both axes; with equal scales the longer one gives way.
    begin(low, high) {
        const { context: c } = this, inner = this.width - margin.left - margin.right, tall = this.height - margin.top - margin.bottom;
        let [x0, y0] = low, [x1, y1] = high;
        if (this.isEqual) {
            const per = Math.max((x1 - x0) / inner, (y1 - y0) / tall), cx = (x0 + x1) / 2, cy = (y0 + y1) / 2;
            [x0, x1, y0, y1] = [cx - per * inner / 2, cx + per * inner / 2, cy - per * tall / 2, cy + per * tall / 2];
        }
        this.range = [x0, x1, y0, y1];
        c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
        c.clearRect(0, 0, this.width, this.height);
        c.fillStyle = colour('--card');
        c.fillRect(0, 0, this.width, this.height);
        this.scale = (x, y) => [margin.left + (x - x0) / (x1 - x0) * inner, margin.top + (1 - (y - y0) / (y1 - y0)) * tall];
        this.axes(inner, tall);
        c.save();
        c.beginPath();
        c.rect(margin.left, margin.top, inner, tall);
        c.clip();
    }

    axes(inner, tall) {
        const { context: c } = this, [x0, x1, y0, y1] = this.range;
        c.font = '11px system-ui, sans-serif';
        c.fillStyle = colour('--faint');
        c.strokeStyle = colour('--grid');
        c.lineWidth = 1;
        for (const x of ticks(x0, x1, inner / 80)) {
            const [at] = this.scale(x, y0);
            this.line([[at, margin.top], [at, margin.top + tall]]);
            c.textAlign = 'center';
            c.fillText(short(x), at, margin.top + tall + 14);
        }
        for (const y of ticks(y0, y1, tall / 44)) {
            const [, at] = this.scale(x0, y);
            this.line([[margin.left, at], [margin.left + inner, at]]);
            c.textAlign = 'right';
            c.fillText(short(y), margin.left - 6, at + 4);
        }
        c.fillStyle = colour('--soft');
        c.textAlign = 'center';
        c.fillText(this.x, margin.left + inner / 2, this.height - 5);
        c.save();
        c.translate(11, margin.top + tall / 2);
        c.rotate(-Math.PI / 2);
        c.fillText(this.y, 0, 0);
        c.restore();
    }

    end() { this.context.restore(); }

    line(points) {
        const { context: c } = this;
        c.beginPath();
        points.forEach(([x, y], i) => (i ? c.lineTo(x, y) : c.moveTo(x, y)));
        c.stroke();
    }

    // A path through xs and ys, pale beyond `until`.
    path(xs, ys, name, until = xs.length - 1) {
        const { context: c } = this, points = Array.from(xs, (x, i) => this.scale(x, ys[i]));
        c.strokeStyle = colour(name);
        c.lineJoin = 'round';
        c.lineWidth = 1.2;
        c.globalAlpha = 0.28;
        this.line(points);
        c.globalAlpha = 1;
        c.lineWidth = 2;
        this.line(points.slice(0, until + 1));
    }

    point(x, y, name) {
        const { context: c } = this, [px, py] = this.scale(x, y);
        c.beginPath();
        c.arc(px, py, 5.5, 0, 2 * Math.PI);
        c.fillStyle = colour(name);
        c.fill();
        c.lineWidth = 2;
        c.strokeStyle = colour('--card');
        c.stroke();
    }

    vertical(x) {
        const [at] = this.scale(x, this.range[2]);
        this.context.strokeStyle = colour('--mark');
        this.context.lineWidth = 1;
        this.line([[at, margin.top], [at, this.height - margin.bottom]]);
    }

    // Where values on a grid (xs by ys, x fastest) are below 0, shaded, and the line where they are 0.
    // The same values are looked at once only, as long as the axes stay.
    region(xs, ys, values, name) {
        const { context: c } = this, key = [...this.range, this.width, this.height].join();
        if (key !== this.regionKey) {
            this.regionKey = key;
            this.regions = new WeakMap();
        }
        let found = this.regions.get(values);
        if (!found) {
            found = { line: new Path2D(), shade: new Path2D() };
            this.march(xs, ys, values, found);
            this.regions.set(values, found);
        }
        c.fillStyle = colour(name);
        c.strokeStyle = colour(name);
        c.lineWidth = 1.8;
        c.globalAlpha = 0.1;
        c.fill(found.shade);
        c.globalAlpha = 0.9;
        c.stroke(found.line);
        c.globalAlpha = 1;
    }

    // Marching squares. Cells that are below 0 all over are joined to one rectangle along x.
    march(xs, ys, values, found) {
        const n = xs.length;
        for (let j = 0; j + 1 < ys.length; j++) {
            let begun = -1;
            for (let i = 0; i + 1 < n; i++) {
                const at = j * n + i;
                const a = values[at], b = values[at + 1], c = values[at + n + 1], d = values[at + n];
                const below = a < 0 && b < 0 && c < 0 && d < 0;
                if (below && begun < 0) begun = i;
                if (!below && begun >= 0) {
                    this.block(xs[begun], xs[i], ys[j], ys[j + 1], found.shade);
                    begun = -1;
                }
                if (!below && (a < 0 || b < 0 || c < 0 || d < 0) && Number.isFinite(a + b + c + d))
                    this.cell([xs[i], xs[i + 1]], [ys[j], ys[j + 1]], [a, b, c, d], found);
            }
            if (begun >= 0) this.block(xs[begun], xs[n - 1], ys[j], ys[j + 1], found.shade);
        }
    }

    block(x0, x1, y0, y1, shade) {
        const [a, b] = this.scale(x0, y0), [c, d] = this.scale(x1, y1);
        shade.rect(a, d, c - a, b - d);
    }

    // The part of a cell below 0 is a polygon, its new edges the boundary.
    cell([x0, x1], [y0, y1], g, { line, shade }) {
        const corners = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]], polygon = [], cuts = [];
        for (let k = 0; k < 4; k++) {
            const p = corners[k], q = corners[(k + 1) % 4], ga = g[k], gb = g[(k + 1) % 4];
            if (ga < 0) polygon.push(this.scale(...p));
            if ((ga < 0) === (gb < 0)) continue;
            const s = ga / (ga - gb), cut = this.scale(p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1]));
            polygon.push(cut);
            cuts.push(cut);
        }
        polygon.forEach(([x, y], k) => (k ? shade.lineTo(x, y) : shade.moveTo(x, y)));
        shade.closePath();
        for (let k = 0; k + 1 < cuts.length; k += 2) {
            line.moveTo(...cuts[k]);
            line.lineTo(...cuts[k + 1]);
        }
    }
}
