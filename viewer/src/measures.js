// The charts of a run: first the scene's measures, then what is known of every step.
import { Chart, coincide } from './charts.js';
import { element, short, units, withUnit } from './dom.js';

// Where all bodies have mass 1, counts and masses are the same curve: one chart is enough.
function joinEqual(run, groups) {
    return groups.filter((columns, i) => {
        const earlier = groups.slice(0, i).find(([first]) => first.measure === columns[0].measure && first.unit === columns[0].unit);
        const isEqual = earlier?.length === 1 && columns.length === 1 && coincide(run.series.get(earlier[0].name), run.series.get(columns[0].name));
        if (isEqual) earlier.push(columns[0]);
        return !isEqual;
    });
}

// Columns of one measure, of one unit, are one chart; counts stand apart.
function groupColumns(run) {
    const groups = new Map();
    for (const column of run.head.series.about) {
        if (!run.series.has(column.name)) continue;
        const key = `${column.measure} ${column.is_whole} ${column.unit}`;
        if (!groups.has(key)) groups.set(key, []);
        groups.get(key).push(column);
    }
    return joinEqual(run, [...groups.values()]);
}

// A label without its component.
function withoutComponent({ label, component }) {
    const end = `, ${component}`;
    return component && label.endsWith(end) ? label.slice(0, -end.length) : label;
}

function measureSpecs(run) {
    const { measures } = run.head.series, groups = groupColumns(run), parts = (k) => groups.filter(([first]) => first.measure === k).length;
    return groups.map((columns) => {
        const { measure, unit, component, is_whole: isWhole } = columns[0], isAlone = columns.length === 1;
        return {
            title: isAlone && parts(measure) > 1 ? `${measures[measure]}, ${component}` : measures[measure],
            unit, isWhole, isMeasure: true, about: [...new Set(columns.map(withoutComponent))].join('; '),
            lines: columns.map(({ name, component: part }) => ({ label: part || measures[measure], values: run.series.get(name) })),
        };
    });
}

function add(values, others) { return Float64Array.from(values, (x, i) => x + others[i]); }

function stepSpecs(run) {
    const get = (name) => run.series.get(name), unit = units(run.scene), kinetic = get('kinetic'), potential = get('potential');
    const length = run.isSpheres ? unit.length : '', energies = [{ label: 'kinetic', values: kinetic }];
    if (kinetic && potential?.some((x) => x !== 0))
        energies.push({ label: 'potential', values: potential }, { label: 'sum', values: add(kinetic, potential) });
    return [
        { title: 'Energy', unit: run.isSpheres ? unit.energy : '', lines: energies },
        { title: 'Contacts that carry load', term: 'contact', isWhole: true, lines: [{ label: 'contacts', values: get('contacts') }] },
        { title: 'Rows of the projection', term: 'row', isWhole: true, lines: [{ label: 'rows', values: get('rows') }] },
        { title: 'Sweeps of the solver', term: 'sweep', unit: 'per step', isWhole: true, lines: [{ label: 'sweeps', values: get('sweeps') }] },
        { title: 'Smallest gap', term: 'gap', unit: length, lines: [{ label: 'smallest gap', values: get('min_gap') }] },
        { title: 'Backward bound', term: 'backward bound', unit: length, isLog: true, lines: [{ label: 'change of a gap', values: get('backward') }] },
        { title: 'Forward bound', term: 'forward bound', unit: run.isSpheres ? unit.speed : '', isLog: true, lines: [{ label: 'error of the velocity', values: get('forward') }] },
    ];
}

const isThere = (spec) => spec.lines.every((line) => line.values);
const hasNews = (spec) => isThere(spec) && spec.lines.some((line) => line.values.some((x) => Number.isFinite(x) && x !== 0));

function build(run, player, place, specs) {
    const times = run.series.get('time');
    return times?.length > 1 ? specs.map((spec) => new Chart(place, player, times, spec)) : [];
}

// A time that is reached, or not, is one number and no curve: none before, the same from then on.
function isOneNumber(spec) {
    return spec.lines.every(({ values }) => Number.isNaN(values[0]) && new Set(values.filter((x) => !Number.isNaN(x))).size <= 1);
}

function figureOf({ title, unit, about, lines }) {
    const keys = lines.map(({ label, values }) => element('span', { class: 'key' }, element('span', { text: label }),
        element('b', { text: Number.isNaN(values.at(-1)) ? 'not in this run' : withUnit(short(values.at(-1), 4), unit) })));
    return element('figure', { class: 'chart number' },
        element('figcaption', {}, element('span', { class: 'chart-title', text: title }), element('span', { class: 'unit', text: unit })),
        element('p', { class: 'chart-about', text: about }), element('div', { class: 'chart-legend' }, ...keys));
}

// Charts are built where they go; lists of those that were.
export function measureCharts(run, player, place) {
    return measureSpecs(run).filter(isThere).flatMap((spec) => {
        if (!isOneNumber(spec)) return build(run, player, place, [spec]);
        place.append(figureOf(spec));
        return [];
    });
}
export function stepCharts(run, player, place) { return build(run, player, place, stepSpecs(run).filter(hasNews)); }
