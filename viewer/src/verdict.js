// What is proved of the run, and apart from it how accurate it is: a proof says that each step solves
// its equations, not how far the steps are from the true motion.
import { element, icon, short, units, whole, withUnit } from './dom.js';
import { term } from './terms.js';

// A step so many times the suggested one is warned of.
const farAbove = 2;

function headline(mark, id, text) {
    return element('div', { class: 'headline' }, element('span', { class: 'seal' }, icon(mark)), element('p', { id, text }));
}

const note = (...parts) => element('p', { class: 'note' }, ...parts);

function stateOf({ checked, held }) {
    if (!(checked > 0)) return 'open';
    return held === checked ? 'holds' : 'fails';
}

const headlines = {
    holds: (count) => `Every recorded step is proved: ${count} hold.`,
    fails: (count) => `Not every recorded step is proved: ${count} hold.`,
    open: () => 'The recorded steps were not verified.',
};

function bounds(run, state) {
    const { run: end, scene } = run.head, unit = run.isSpheres ? scene.unit_length : '', lines = [];
    const say = (x) => withUnit(short(x), unit);
    if (end.min_gap !== null)
        lines.push(note('Smallest ', term('gap'), ` at any step: ${say(end.min_gap)}${end.min_gap < 0 && state === 'holds' ? ', which is rounding' : ''}.`));
    if (end.backward !== null)
        lines.push(note(term('backward bound', 'Backward bound'), `: ${say(end.backward)}, the largest change of a gap that makes every step exact.`));
    if (end.between !== null)
        lines.push(note(term('between the steps', 'Between the steps'),
            end.between > 0 ? ` no overlap is deeper than ${say(end.between)}.` : ' no overlap.'));
    return lines;
}

function certificates({ certificates: all }) {
    const list = element('ul', { class: 'certificates' });
    for (const { name, text, worst } of all) {
        const holds = worst !== null && worst <= 1;
        list.append(element('li', {},
            element('span', { class: holds ? 'dot holds' : 'dot fails', role: 'img', 'aria-label': holds ? 'holds' : 'does not hold' }),
            element('span', { class: 'name', text: name }),
            element('span', { class: 'value', text: worst === null ? '–' : short(worst, 2) }),
            element('span', { class: 'text', text })));
    }
    return element('details', { class: 'more' }, element('summary', { text: 'The nine certificates' }),
        note('The worst ', term('certificate'), ' of each kind, as a part of its tolerance. It holds up to 1.'), list);
}

export function proofCard(run) {
    const { run: end } = run.head, state = stateOf(end);
    const mark = { holds: 'check', fails: 'cross', open: 'dash' }[state];
    const ending = end.error ? `Ended: ${end.ending}: ${end.error}` : end.ending && end.ending !== 'done' ? `Ended: ${end.ending}.` : '';
    return element('section', { class: `card verdict ${state}`, 'aria-label': 'Proof' },
        element('h2', {}, term('proof', 'Proof')),
        headline(mark, 'verdict', headlines[state](`${whole(end.held)} of ${whole(end.checked)}`)),
        ...bounds(run, state),
        ending ? element('p', { class: 'note ending', text: ending }) : null,
        note(state === 'open' ? '‘thud verify’ verifies them from the log.' : 'The run recorded this. ‘thud verify’ verifies it again from the log; this page does not.'),
        state === 'open' ? null : certificates(end));
}

// One measure: its name over the rows of what was compared. The run has put the change into words, so that the page and the summary
// of the run say the same.
function halvedRows(measure) {
    const rows = [];
    for (const [what, name] of [['end', 'at the end'], ['mean', 'mean'], ['largest', 'largest']]) {
        const at = measure[what], half = measure[`${what}_halved`];
        if (at == null || half == null) continue;
        rows.push(element('tr', {}, element('th', { scope: 'row', text: name }), ...[short(at), short(half), measure[`${what}_change`] ?? ''].map((text) => element('td', { text }))));
    }
    const label = measure.label || measure.name, title = measure.unit ? `${label} (${measure.unit})` : label;
    return element('tbody', {}, element('tr', { class: 'begins' }, element('th', { colspan: 4, scope: 'rowgroup', text: title })), ...rows);
}

// How the measures changed when the step was halved.
function halvedTable(halved, unitOfTime) {
    const head = element('tr', {}, ...['', 'step', 'half the step', 'change'].map((text) => element('th', { scope: 'col', text })));
    const caption = element('caption', { text: `Run again with half the step, ${withUnit(short(halved.step), unitOfTime)}` });
    return element('div', { class: 'wide-table', tabindex: 0, role: 'region', 'aria-label': 'Change of the measures with half the step' },
        element('table', { class: 'halved', id: 'halved' }, caption, element('thead', {}, head), ...halved.measures.map(halvedRows)));
}

function accuracyState({ ratio, halved }) {
    if (ratio > farAbove * (1 + 1e-9)) return 'warns';
    return halved ? 'measured' : 'open';
}

export const warns = (run) => accuracyState(run.head.accuracy ?? {}) === 'warns';

export function accuracyCard(run) {
    const accuracy = run.head.accuracy ?? {}, { ratio, halved, suggested_step: suggested } = accuracy;
    const state = accuracyState(accuracy), { time } = units(run.scene), step = (h) => withUnit(short(h), time);
    const lines = [];
    if (state === 'warns')
        lines.push(note('Suggested: ', term('suggested step', `a step of ${step(suggested)}`), `. This run has ${step(run.scene.step)}. Its figures may be far off.`));
    else if (suggested != null)
        lines.push(note('The ', term('step'), ` is ${step(run.scene.step)}, `, term('suggested step', 'suggested'), ` is ${step(suggested)}.`));
    if (!halved) lines.push(note(state === 'warns' ? 'What the step costs: not measured. ' : '', '‘thud run --halve’ measures it: it runs the scene again with half the step.'));
    const title = {
        warns: `The step is ${short(ratio, 2)} times the suggested one.`,
        measured: 'What the step costs: measured with half the step.',
        open: 'What the step costs: not measured.',
    }[state];
    return element('section', { class: `card accuracy ${state}`, 'aria-label': 'Accuracy' },
        element('h2', {}, term('accuracy', 'Accuracy')),
        headline(state === 'warns' ? 'warning' : 'dash', 'accuracy', title),
        ...lines, halved ? halvedTable(halved, time) : null);
}
