// The body that was picked: its data now, and its history.
import { Chart } from './charts.js';
import { element, facts, section, short, units, whole, withUnit } from './dom.js';

export class Picked {
    constructor(run, frames, player) {
        Object.assign(this, { run, frames, player, body: -1 });
        this.unit = units(run.scene);
        this.card = section('Body', element('p', { class: 'note', text: 'Click or touch a body to see its data and history.' }));
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
                element('p', { class: 'note', text: 'Click or touch a body to see its data and history.' }));
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
