// The stage for abstract inclusions: coordinates against time, the phase plane, the constraints'
// boundary in up to two dimensions, and the multipliers as cumulative measures.
import { Chart, lines, nearest } from './charts.js';
import { colour, element, units } from './dom.js';
import { Plane } from './plane.js';

function ends(values, margin = 0.06) {
    let low = Infinity, high = -Infinity;
    for (const x of values) if (Number.isFinite(x)) { low = Math.min(low, x); high = Math.max(high, x); }
    if (!(low <= high)) return [0, 1];
    const room = margin * (high - low) || 0.5;
    return [low - room, high + room];
}

const spread = (low, high, count) => Array.from({ length: count }, (_, i) => low + (high - low) * i / (count - 1));

// The sum of a multiplier over the steps so far: the force times the time it acted.
function cumulative(times, force) {
    const out = new Float64Array(times.length);
    for (let i = 1; i < times.length; i++)
        out[i] = out[i - 1] + (Number.isFinite(force[i]) ? force[i] * (times[i] - times[i - 1]) : 0);
    return out;
}

export class Inclusion {
    constructor(run, player, place) {
        Object.assign(this, { run, player });
        this.names = run.scene.coordinates;
        this.times = run.series.get('time');
        this.place = element('div', { class: 'planes' });
        place.append(this.place);
        place.classList.add('scrolls');
        this.planes = [];
        this.charts = [];
        this.addMain();
        this.addPhase();
        this.addMultipliers();
        for (const plane of this.planes) plane.onresize = () => this.draw();
        player.addEventListener('move', () => this.draw());
        this.isDue = true;
    }

    column(name) { return this.run.series.get(name) ?? new Float32Array(this.times.length); }

    addPlane(spec, paint) {
        const plane = new Plane(this.place, spec);
        plane.paint = paint;
        this.planes.push(plane);
        return plane;
    }

    // One coordinate against time with the constraints, two in their plane, more against time.
    addMain() {
        const { names, run } = this, time = units(run.scene).time || 't';
        if (run.scene.dim === 1)
            this.addPlane({ title: `${names[0]} against time`, x: time, y: names[0] }, (plane) => this.paintOne(plane));
        if (run.scene.dim === 2)
            this.addPlane({ title: `The plane of ${names[0]} and ${names[1]}`, x: names[0], y: names[1], isEqual: true }, (plane) => this.paintTwo(plane));
        if (run.scene.dim > 1) {
            const box = element('div', { class: 'plane' });
            this.place.append(box);
            this.charts.push(new Chart(box, this.player, this.times, {
                title: 'Coordinates against time', showLegend: true, unit: '',
                lines: names.map((name) => ({ label: name, values: this.column(name) })),
            }, 0));
        }
    }

    paintOne(plane) {
        const { run, player, times } = this, { low, high } = run.head.frames, q = this.column(this.names[0]);
        const [bottom, top] = ends(q, 0.15);
        plane.begin([run.times[0], bottom], [run.times.at(-1), top]);
        const ys = spread(low[0], high[0], run.scene.grid);
        this.overTime().forEach((values, k) => plane.region(run.times, ys, values, lines[(k + 1) % lines.length]));
        plane.path(times, q, '--line-1', nearest(times, player.time));
        plane.vertical(player.time);
        plane.point(player.time, this.interpolate(q), '--line-1');
        plane.end();
    }

    // Every constraint of a single coordinate as a grid over time and the coordinate.
    overTime() {
        const { run } = this, count = run.frames.length, { grid } = run.scene;
        this.grids ??= grid === 0 ? [] : run.scene.constraints.map((constraint, k) => {
            const values = new Float32Array(count * grid);
            for (let f = 0; f < count; f++)
                for (let j = 0; j < grid; j++) values[j * count + f] = run.frames[f].grids[k][j];
            return values;
        });
        return this.grids;
    }

    paintTwo(plane) {
        const { run, player, times } = this, { low, high } = run.head.frames, { grid } = run.scene;
        const x = this.column(this.names[0]), y = this.column(this.names[1]);
        const [x0, x1] = ends(x, 0.18), [y0, y1] = ends(y, 0.18);
        plane.begin([x0, y0], [x1, y1]);
        const xs = spread(low[0], high[0], grid), ys = spread(low[1], high[1], grid);
        run.frames[player.index].grids?.forEach((values, k) => plane.region(xs, ys, values, lines[(k + 1) % lines.length]));
        plane.path(x, y, '--line-1', nearest(times, player.time));
        plane.point(this.interpolate(x), this.interpolate(y), '--line-1');
        plane.end();
    }

    // A series at the time shown.
    interpolate(values) {
        const { times, player } = this, i = nearest(times, player.time);
        if (i + 1 >= times.length) return values[i];
        const s = (player.time - times[i]) / (times[i + 1] - times[i]);
        return values[i] + Math.min(Math.max(s, 0), 1) * (values[i + 1] - values[i]);
    }

    // Two quantities against each other, to be chosen from coordinates and velocities.
    addPhase() {
        const { names, run } = this, all = [...names, ...names.map((name) => `u.${name}`)];
        const second = run.scene.dim > 2 ? all[1] : all[names.length];
        const plane = this.addPlane({ title: 'Phase plane', x: all[0], y: second }, () => this.paintPhase(plane));
        const choose = (axis, label) => {
            const choice = element('select', { 'aria-label': label },
                ...all.map((name) => element('option', { value: name, text: name, selected: name === plane[axis] })));
            choice.addEventListener('change', () => { plane[axis] = choice.value; this.draw(); });
            return choice;
        };
        plane.caption.append(element('span', { class: 'choices' }, choose('x', 'Across'), choose('y', 'Up')));
    }

    paintPhase(plane) {
        const x = this.column(plane.x), y = this.column(plane.y), [x0, x1] = ends(x), [y0, y1] = ends(y);
        plane.begin([x0, y0], [x1, y1]);
        plane.path(x, y, '--line-3', nearest(this.times, this.player.time));
        plane.point(this.interpolate(x), this.interpolate(y), '--line-3');
        plane.end();
    }

    addMultipliers() {
        const box = element('div', { class: this.place.children.length % 2 ? 'plane' : 'plane wide' }), { constraints } = this.run.scene;
        const all = constraints.map(({ name }) => ({ label: name, values: cumulative(this.times, this.column(`force.${name}`)) }));
        const used = all.filter(({ values }) => values.at(-1) > 0);
        this.place.append(box);
        if (this.times.length > 1)
            this.charts.push(new Chart(box, this.player, this.times, {
                title: 'Multipliers, summed over time', unit: '', showLegend: true, offset: 1,
                lines: used.length > 0 ? used : all.slice(0, 1),
            }, 0));
        const silent = all.length - used.length;
        if (used.length > 0 && silent > 0)
            box.append(element('p', { class: 'note', text: `${silent} more never pushed.` }));
    }

    draw() { this.isDue = true; }

    frame() {
        if (!this.isDue) return false;
        this.isDue = false;
        for (const plane of this.planes) if (plane.width) plane.paint(plane);
        return true;
    }

    theme() {
        this.charts.forEach((chart) => chart.theme());
        this.draw();
    }

    home() { this.draw(); }

    // The planes side by side.
    still() {
        this.draw();
        this.frame();
        const all = this.planes.map((plane) => plane.canvas), out = element('canvas');
        out.width = all.reduce((sum, canvas) => sum + canvas.width, 0);
        out.height = Math.max(...all.map((canvas) => canvas.height));
        const context = out.getContext('2d');
        context.fillStyle = colour('--card');
        context.fillRect(0, 0, out.width, out.height);
        let at = 0;
        for (const canvas of all) {
            context.drawImage(canvas, at, 0);
            at += canvas.width;
        }
        return out;
    }
}
