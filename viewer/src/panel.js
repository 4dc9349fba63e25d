// The panel: the verdict, what is shown and how, the body that was picked, charts, the scene.
import { gradient } from './colours.js';
import { Chart } from './charts.js';
import { element, icon, short, units, whole, withUnit } from './dom.js';

function section(title, ...children) {
    return element('section', { class: 'card' }, title ? element('h2', { text: title }) : null, ...children);
}

function facts(pairs) {
    const list = element('dl', { class: 'facts' });
    for (const [name, value, id] of pairs)
        list.append(element('dt', { text: name }), element('dd', { text: value, id }));
    return list;
}

// What was proved, in one sentence: { state: 'holds' | 'fails' | 'open', headline, lines }.
function verdict(run) {
    const { run: end, scene } = run.head, unit = run.isSpheres ? scene.unit_length : '';
    const lines = [], isChecked = end.checked > 0, holds = isChecked && end.held === end.checked;
    const kind = run.isSpheres ? 'pair' : 'constraint';
    if (end.min_gap !== null)
        lines.push(`Smallest gap of any ${kind} at any step: ${withUnit(short(end.min_gap), unit)}${end.min_gap < 0 && holds ? ' (rounding)' : ''}.`);
    if (end.backward !== null)
        lines.push(`Every step is the exact projection for gaps off by at most ${withUnit(short(end.backward), unit)}.`);
    if (end.between !== null)
        lines.push(`Between the steps no gap is below the nodes’ by more than ${end.between > 0 ? withUnit(short(end.between), unit) : 0}.`);
    const count = `${whole(end.held)} of ${whole(end.checked)}`;
    if (!isChecked)
        return { state: 'open', headline: 'As the run says, the recorded steps were not checked independently.', lines };
    return {
        state: holds ? 'holds' : 'fails', lines,
        headline: `As the run says, every recorded step was checked independently: ${count} hold.`,
    };
}

function certificates(end) {
    const list = element('ul', { class: 'certificates' });
    for (const { name, text, worst } of end.certificates) {
        const holds = worst !== null && worst <= 1;
        list.append(element('li', {},
            element('span', { class: holds ? 'dot holds' : 'dot fails', 'aria-hidden': 'true' }),
            element('span', { class: 'name', text: name }),
            element('span', { class: 'value', text: worst === null ? '–' : short(worst, 2) }),
            element('span', { class: 'text', text })));
    }
    return element('details', { class: 'more' },
        element('summary', { text: 'The nine certificates' }),
        element('p', { class: 'note', text: 'Worst residual over its tolerance; a certificate holds up to 1.' }),
        list);
}

function verdictCard(run) {
    const { state, headline, lines } = verdict(run), { run: end } = run.head;
    const mark = { holds: 'check', fails: 'cross', open: 'dash' }[state];
    const ending = end.error ? `Ended: ${end.ending}: ${end.error}` : end.ending && end.ending !== 'done' ? `Ended: ${end.ending}.` : '';
    return element('section', { class: `card verdict ${state}`, 'aria-label': 'Verdict' },
        element('div', { class: 'headline' }, element('span', { class: 'seal' }, icon(mark)),
            element('p', { id: 'verdict', text: headline })),
        ...lines.map((text) => element('p', { class: 'note', text })),
        element('p', { class: 'note', text: '‘thud verify’ proves a run from its log; this page does not.' }),
        ending ? element('p', { class: 'note ending', text: ending }) : null,
        state === 'open' ? null : certificates(end));
}

// Colour, legend and what is drawn.
class Look {
    constructor(colours, world) {
        this.colours = colours;
        this.world = world;
        this.choice = element('select', { id: 'colour', 'aria-label': 'Colour bodies by' },
            ...colours.modes.map((mode) => element('option', { value: mode.name, text: mode.label })));
        this.choice.addEventListener('change', () => this.choose(this.choice.value));
        this.scale = element('div', { class: 'legend', id: 'legend' });
        const full = withUnit(short(world.chains.full), units(world.run.scene).force);
        this.rods = element('p', { class: 'note rods', hidden: true, text: `The thickest rods: a contact force of ${full} or more.` });
        this.chains = this.check('chains', 'Force chains', false, (on) => {
            this.rods.hidden = !on;
            world.showChains(on);
        });
        this.walls = this.check('walls', 'Walls', true, (on) => world.showWalls(on));
        this.card = section(null,
            element('label', { class: 'row' }, element('span', { text: 'Colour by' }), this.choice),
            this.scale, element('div', { class: 'checks' }, this.chains, this.walls), this.rods);
        this.legend();
    }

    check(id, label, on, act) {
        const box = element('input', { type: 'checkbox', id, checked: on });
        box.addEventListener('change', () => act(box.checked));
        return element('label', { class: 'check' }, box, element('span', { text: label }));
    }

    choose(name) {
        this.colours.choose(name);
        this.choice.value = name;
        this.world.recolour();
        this.legend();
    }

    next() {
        const names = this.colours.modes.map((mode) => mode.name);
        this.choose(names[(names.indexOf(this.colours.mode.name) + 1) % names.length]);
    }

    legend() {
        const { mode } = this.colours;
        this.scale.replaceChildren();
        if (mode.isFamily) {
            for (const { name, colour } of this.colours.families()) {
                const swatch = element('i', { class: 'swatch' });
                swatch.style.background = colour;
                this.scale.append(element('span', { class: 'family' }, swatch, element('span', { text: name })));
            }
            return;
        }
        const ramp = element('div', { class: 'ramp', 'aria-hidden': 'true' });
        ramp.style.background = gradient(mode.scale);
        this.scale.append(ramp, element('div', { class: 'ends' },
            ...this.colours.ends().map((text) => element('span', { text }))));
        const about = [mode.about, mode.hasNothing ? 'grey: no load' : ''].filter(Boolean).join('; ');
        if (about) this.scale.append(element('p', { class: 'note', text: about }));
    }
}

// The body that was picked: its data now, and its history.
class Picked {
    constructor(run, frames, player) {
        Object.assign(this, { run, frames, player, body: -1 });
        this.unit = units(run.scene);
        this.card = section('Body', element('p', { class: 'note', text: 'Click a body to see its data and history.' }));
        this.card.id = 'picked';
        player.addEventListener('move', () => this.update());
    }

    name() {
        const name = this.run.names.get(this.body);
        return name === undefined ? `Body ${this.body}` : `Body ${this.body}, ${name}`;
    }

    select(body) {
        this.body = body;
        if (body < 0) {
            this.card.replaceChildren(element('h2', { text: 'Body' }),
                element('p', { class: 'note', text: 'Click a body to see its data and history.' }));
            return;
        }
        const { run, frames } = this, dim = run.scene.dim;
        const material = run.material[body] < 0 ? 'mass given' : run.scene.materials[run.material[body]];
        this.facts = facts([
            ['Material', material, 'body-material'], ['Mass', withUnit(short(run.mass[body], 4), this.unit.mass), 'body-mass'],
            ['Radius', '', 'body-radius'], ['Position', '', 'body-position'], ['Velocity', '', 'body-velocity'],
            ['Speed', '', 'body-speed'], ['Contacts', '', 'body-contacts'], ['Contact forces', '', 'body-force'],
            ['Smallest gap', '', 'body-gap'],
        ]);
        const place = element('div');
        this.card.replaceChildren(element('h2', { text: this.name() }), this.facts, place);
        const each = (value) => run.frames.map((frame, i) => value(i));
        const up = dim - 1, axis = ['x', 'y', 'z'][up];
        this.charts = [
            new Chart(place, this.player, run.times, { title: 'Speed', unit: this.unit.speed, lines: [{ label: 'speed', values: each((i) => Math.hypot(...frames.velocity(i, body))) }] }, 84),
            new Chart(place, this.player, run.times, { title: `Position ${axis}`, unit: this.unit.length, lines: [{ label: axis, values: each((i) => frames.position(i, body)[up]) }] }, 84),
        ];
        this.update();
    }

    load(index) {
        const { contacts } = this.run.frames[index];
        let count = 0, force = 0;
        for (let i = 0; i < contacts.count; i++)
            if (contacts.a[i] === this.body || contacts.b[i] === this.body) {
                count++;
                force += contacts.force[i];
            }
        return [count, force];
    }

    update() {
        if (this.body < 0) return;
        const { frames, unit, body, player } = this, { index } = player, dim = this.run.scene.dim;
        const say = (id, text) => { this.card.querySelector(`#body-${id}`).textContent = text; };
        const vector = (x) => x.slice(0, dim).map((c) => short(c, 4)).join(', ');
        const velocity = frames.velocity(index, body), [count, force] = this.load(index);
        say('radius', withUnit(short(frames.radius(index, body), 4), unit.length));
        say('position', withUnit(`(${vector(frames.position(index, body))})`, unit.length));
        say('velocity', withUnit(`(${vector(velocity)})`, unit.speed));
        say('speed', withUnit(short(Math.hypot(...velocity)), unit.speed));
        say('contacts', whole(count));
        say('force', withUnit(short(force), unit.force));
        const gap = this.run.frames[index].gap[body];
        say('gap', Number.isNaN(gap) ? 'no load' : withUnit(short(gap, 2), unit.length));
    }

    theme() { this.charts?.forEach((chart) => chart.theme()); }
}

function add(values, others) { return Float64Array.from(values, (x, i) => x + others[i]); }

// The charts of every run: what the series says of each step.
function seriesCharts(run, player, place) {
    const { series } = run, unit = units(run.scene), times = series.get('time'), get = (name) => series.get(name);
    if (!times || times.length < 2) return [];
    const specs = [], kinetic = get('kinetic'), potential = get('potential');
    const energies = [{ label: 'kinetic', values: kinetic }];
    if (potential?.some((x) => x !== 0)) energies.push({ label: 'potential', values: potential }, { label: 'sum', values: add(kinetic, potential) });
    specs.push({ title: 'Energy', unit: run.isSpheres ? unit.energy : '', lines: energies });
    specs.push({ title: 'Contacts', unit: '', lines: [{ label: 'contacts', values: get('contacts') }] });
    specs.push({ title: 'Sweeps of the solver', unit: 'per step', lines: [{ label: 'sweeps', values: get('sweeps') }] });
    specs.push({ title: 'Worst gap', unit: run.isSpheres ? unit.length : '', lines: [{ label: 'smallest gap', values: get('min_gap') }] });
    specs.push({ title: 'Bounds', unit: '', isLog: true, lines: [
        { label: 'gaps off by', values: get('backward') }, { label: 'velocity off by', values: get('forward') }] });
    const hasNews = (spec) => spec.lines.every((line) => line.values) &&
        spec.lines.some((line) => line.values.some((x) => Number.isFinite(x) && x !== 0));
    return specs.filter(hasNews)
        .map((spec) => new Chart(place, player, times, spec));
}

function aboutCard(run) {
    const { scene, head } = run, { frames, series } = head, unit = units(scene);
    const time = (x) => withUnit(short(x, 4), unit.time), pairs = [];
    if (run.isSpheres) pairs.push(['Bodies', whole(scene.bodies), 'fact-bodies'], ['Walls', whole(scene.walls.length + scene.obstacles.length)]);
    else pairs.push(['Coordinates', whole(scene.dim)], ['Constraints', whole(scene.constraints.length)], ['Order', scene.order === 1 ? 'first' : 'second']);
    const shown = frames.count === frames.recorded ? whole(frames.count) : `${whole(frames.count)} of ${whole(frames.recorded)} recorded`;
    pairs.push(['Time', `${short(run.times[0], 4)} to ${time(run.times.at(-1))}`, 'fact-time'],
        ['Step', time(scene.step), 'fact-step'], ['Steps', whole(head.run.steps), 'fact-steps'],
        ['Frames here', frames.is_cut ? `${shown}, the last was cut off` : shown, 'fact-frames'],
        ['Made by', `Thud ${head.version}`]);
    if (series.stride > 1) pairs.push(['Charts', `one point for ${series.stride} steps`]);
    return section('The scene', ...scene.about.trim().split(/\n\s*\n/).filter(Boolean)
        .map((text) => element('p', { text: text.replace(/\s+/g, ' ') })), facts(pairs),
    element('p', { class: 'note', text: 'Numbers in this page are rounded for looking; thud export has them exactly.' }));
}

export class Panel {
    constructor(place, { run, frames, player, colours, world }) {
        place.append(verdictCard(run));
        if (run.isSpheres) {
            this.look = new Look(colours, world);
            this.picked = new Picked(run, frames, player);
            place.append(this.look.card, this.picked.card);
        }
        const charts = section('Every step');
        place.append(charts);
        this.charts = seriesCharts(run, player, charts);
        if (this.charts.length === 0) charts.remove();
        place.append(aboutCard(run));
    }

    theme() {
        this.charts.forEach((chart) => chart.theme());
        this.picked?.theme();
    }
}
