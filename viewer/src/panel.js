// The panel: the scene's measures, what is shown and how, proof and accuracy, the body that was picked,
// and in closed parts what the solver did and what the page holds.
import { element, facts, section, short, units, whole, withUnit } from './dom.js';
import { Look } from './look.js';
import { measureCharts, stepCharts } from './measures.js';
import { Picked } from './picked.js';
import { term } from './terms.js';
import { accuracyCard, proofCard, warns } from './verdict.js';

function factsCard(run) {
    const { scene, head } = run, { frames, series } = head, unit = units(scene);
    const time = (x) => withUnit(short(x, 4), unit.time), pairs = [];
    if (run.isSpheres) pairs.push(['Bodies', whole(scene.bodies), 'fact-bodies'], ['Walls', whole(scene.walls.length + scene.obstacles.length)]);
    else pairs.push(['Coordinates', whole(scene.dim)], ['Constraints', whole(scene.constraints.length)], ['Order', scene.order === 1 ? 'first' : 'second']);
    const shown = frames.count === frames.recorded ? whole(frames.count) : `${whole(frames.count)} of ${whole(frames.recorded)} recorded`;
    pairs.push(['Time', `${short(run.times[0], 4)} to ${time(run.times.at(-1))}`, 'fact-time'],
        [term('step', 'Step'), time(scene.step), 'fact-step'], ['Steps', whole(head.run.steps), 'fact-steps'],
        ...head.run.said.map(({ text, value }) => [text[0].toUpperCase() + text.slice(1), whole(value)]),
        ['Frames here', frames.is_cut ? `${shown}, the last was cut off` : shown, 'fact-frames'],
        ['Made by', `Thud ${head.version}`]);
    if (series.stride > 1) pairs.push(['Charts', `one point for ${series.stride} steps`]);
    return section('The run', facts(pairs),
        element('p', { class: 'note', text: 'Numbers on this page are rounded for viewing. ‘thud export’ writes them exactly.' }));
}

export class Panel {
    constructor(place, { run, frames, player, colours, world }) {
        const { time } = units(run.scene), accuracy = accuracyCard(run);
        const measures = section(null, element('h2', {}, term('measure', 'Measures'), ` against time${time ? ` (${time})` : ''}`));
        measures.id = 'measures';
        if (warns(run)) place.append(accuracy); // a warning is not to be scrolled for
        place.append(measures);
        this.charts = measureCharts(run, player, measures);
        if (!measures.querySelector('.chart')) measures.remove();
        if (run.isSpheres) {
            this.look = new Look(colours, world);
            this.picked = new Picked(run, frames, player);
            place.append(this.look.card);
        }
        place.append(proofCard(run));
        if (!warns(run)) place.append(accuracy);
        if (this.picked) place.append(this.picked.card);
        place.append(this.solverCard(run, player), factsCard(run));
    }

    // Charts need to be seen to know their size: they are built when the part is first opened.
    solverCard(run, player) {
        const box = element('div', { class: 'solver-charts' });
        const card = element('details', { class: 'card solver', id: 'solver' },
            element('summary', {}, element('h2', { text: 'What the solver did in every step' })), box);
        card.addEventListener('toggle', () => {
            if (!card.open || box.children.length > 0) return;
            const charts = stepCharts(run, player, box);
            if (charts.length === 0) box.append(element('p', { class: 'note', text: 'The series of this run has no values.' }));
            this.charts.push(...charts);
        });
        return card;
    }

    theme() {
        this.charts.forEach((chart) => chart.theme());
        this.picked?.theme();
        this.look?.theme();
    }
}
