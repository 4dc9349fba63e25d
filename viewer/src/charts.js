// Charts over time, tied to the time cursor: a click goes to that time.
import uPlot from 'uplot';
import { colour, element, short } from './dom.js';
import { term } from './terms.js';

export const lines = ['--line-1', '--line-2', '--line-3', '--line-4', '--line-5', '--line-6'];

// uPlot cannot divide scales of very small or large numbers: it gets moderate ones.
function linear(all) {
    let most = 0;
    for (const values of all)
        for (const x of values) if (Number.isFinite(x)) most = Math.max(most, Math.abs(x));
    const factor = most > 0 && (most < 1e-3 || most > 1e6) ? 10 ** Math.floor(Math.log10(most)) : 1;
    const data = all.map((values) => Array.from(values, (x) => (Number.isFinite(x) ? x / factor : null)));
    return { data, label: (x) => short(x * factor) };
}

// Powers of ten are shown by their exponents.
function logarithmic(all) {
    const data = all.map((values) => Array.from(values, (x) => (Number.isFinite(x) && x > 0 ? Math.log10(x) : null)));
    return { data, label: (x) => (Number.isInteger(x) ? short(10 ** x) : '') };
}

// Do the values span decades? All must be above 0; one in twenty may be as small as it likes.
function spansDecades(all) {
    const values = all.flatMap((list) => Array.from(list).filter(Number.isFinite)).sort((a, b) => a - b);
    if (values.length < 10 || !(values[0] > 0)) return false;
    return values.at(-1) / values[Math.floor(0.05 * values.length)] >= 1000;
}

// Text for screen readers.
function describe(spec) {
    const parts = spec.lines.map(({ label, values }) => {
        const known = Array.from(values).filter(Number.isFinite);
        if (known.length === 0) return `${label}: no values`;
        const [least, most] = known.reduce(([a, b], x) => [Math.min(a, x), Math.max(b, x)], [Infinity, -Infinity]);
        return `${label}: from ${short(least)} to ${short(most)}, at the end ${short(known.at(-1))}`;
    });
    return `${spec.title} against time${spec.unit ? `, in ${spec.unit}` : ''}. ${parts.join('; ')}.`;
}

export const coincide = (a, b) => a.length === b.length && a.every((x, i) => Object.is(x, b[i]));

function axis(size, label) {
    return {
        stroke: colour('--faint'), size, gap: 4, font: '11px system-ui, sans-serif',
        grid: { stroke: colour('--grid'), width: 1 },
        ticks: { show: false },
        values: (plot, ticks) => ticks.map((x) => (x === null ? '' : label(x))),
    };
}

// A chart: { title, term (of the glossary), about, unit, isLog, isWhole, isMeasure, showLegend, offset (of
// colours), lines: [{ label, values }] }. Logarithmic if it must be, or if its values span decades.
export class Chart {
    // height: in pixels, or 0 to fill the space that there is.
    constructor(place, player, times, spec, height = 120) {
        Object.assign(this, { player, times, spec, fixed: height });
        this.isLog = spec.isLog || (!spec.isWhole && spansDecades(spec.lines.map((line) => line.values)));
        this.legend = element('div', { class: 'chart-legend' });
        this.body = element('div', { class: 'chart-body', role: 'img', 'aria-label': describe(spec) });
        this.box = element('figure', { class: 'chart' },
            element('figcaption', {}, spec.term ? term(spec.term, spec.title) : element('span', { class: 'chart-title', text: spec.title }),
                element('span', { class: 'unit', text: [spec.unit, this.isLog ? 'logarithmic axis' : ''].filter(Boolean).join(', ') })),
            spec.about ? element('p', { class: 'chart-about', text: spec.about }) : null,
            this.body, spec.lines.length > 1 || spec.showLegend || spec.isMeasure ? this.legend : null);
        this.box.classList.toggle('fills', height === 0);
        place.append(this.box);
        this.outputs = spec.lines.map((line, i) => {
            const value = element('b');
            this.legend.append(element('span', { class: `key key-${(i + (spec.offset ?? 0)) % lines.length}` },
                element('i'), element('span', { text: line.label }), value));
            return value;
        });
        this.build();
        new ResizeObserver(() => this.fit()).observe(this.body);
        player.addEventListener('move', () => this.follow());
    }

    get height() { return this.fixed || Math.max(120, this.body.clientHeight); }

    build() {
        const { spec } = this, all = spec.lines.map((line) => line.values);
        const { data, label } = (this.isLog ? logarithmic : linear)(all);
        this.plot?.destroy();
        this.plot = new uPlot({
            width: Math.max(80, this.body.clientWidth), height: this.height,
            hooks: { ready: [() => this.follow()] },
            padding: [6, 8, 0, 0],
            cursor: { y: false, points: { size: 5 }, drag: { x: false, y: false } },
            legend: { show: false },
            scales: { x: { time: false } },
            axes: [axis(22, short), axis(46, label)],
            series: [{}, ...spec.lines.map((line, i) => ({
                label: line.label, stroke: colour(lines[(i + (spec.offset ?? 0)) % lines.length]), width: 1.4,
                points: { show: false }, spanGaps: true,
                dash: all.slice(0, i).some((other) => coincide(other, all[i])) ? [5, 5] : undefined, // both are seen
            }))],
        }, [this.times, ...data], this.body);
        this.plot.over.addEventListener('click', (event) => {
            const box = this.plot.over.getBoundingClientRect();
            this.player.seekTime(this.plot.posToVal(event.clientX - box.left, 'x'));
        });
        this.mark = element('div', { class: 'time-mark' });
        this.plot.over.append(this.mark);
    }

    fit() {
        const width = this.body.clientWidth, { height } = this;
        if (width < 40 || (Math.abs(width - this.plot.width) < 1 && Math.abs(height - this.plot.height) < 1)) return;
        this.plot.setSize({ width, height });
        this.follow();
    }

    follow() {
        const t = this.player.time, { times } = this;
        this.mark.style.transform = `translateX(${this.plot.valToPos(t, 'x')}px)`;
        const at = nearest(times, t);
        this.outputs.forEach((output, i) => { output.textContent = short(this.spec.lines[i].values[at]); });
    }

    theme() { this.build(); }
}

// The last sample at or before t.
export function nearest(times, t) {
    let low = 0, high = times.length - 1;
    while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (times[middle] <= t + 1e-12 * Math.abs(t)) low = middle;
        else high = middle - 1;
    }
    return low;
}
