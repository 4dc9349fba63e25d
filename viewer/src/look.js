// Colour, legend, force chains and walls.
import { element, section, short, withUnit } from './dom.js';
import { term } from './terms.js';

// The one map of colours, as wide as its place.
function ramp({ map }) {
    const canvas = element('canvas', { class: 'ramp', 'aria-hidden': 'true', width: map.length / 3, height: 1 });
    const context = canvas.getContext('2d'), picture = context.createImageData(map.length / 3, 1);
    for (let i = 0; i < map.length / 3; i++)
        picture.data.set([map[3 * i], map[3 * i + 1], map[3 * i + 2], 255], 4 * i);
    context.putImageData(picture, 0, 0);
    return canvas;
}

export class Look {
    constructor(colours, world) {
        this.colours = colours;
        this.world = world;
        this.choice = element('select', { id: 'colour', 'aria-label': 'Colour bodies by' },
            ...colours.modes.map((mode) => element('option', { value: mode.name, text: mode.label })));
        this.choice.value = colours.mode.name;
        this.choice.addEventListener('change', () => this.choose(this.choice.value));
        this.scale = element('div', { class: 'legend', id: 'legend' });
        this.makeChains();
        const walls = this.check('walls', 'Walls', true, (on) => world.showWalls(on));
        this.card = section(null,
            element('label', { class: 'row' }, element('span', { text: 'Colour by' }), this.choice),
            this.scale, element('div', { class: 'checks' }, this.chains, walls), this.rods);
        this.legend();
    }

    check(id, label, on, act) {
        const box = element('input', { type: 'checkbox', id, checked: on });
        box.addEventListener('change', () => act(box.checked));
        return element('label', { class: 'check' }, box, element('span', { text: label }));
    }

    // The slider goes by squares: small forces are many.
    makeChains() {
        const { world } = this;
        this.threshold = element('input', { type: 'range', id: 'threshold', min: 0, max: 100, step: 1, value: 0, 'aria-label': 'Hide contact forces below' });
        this.below = element('output', { for: 'threshold', id: 'threshold-value' });
        this.thickest = element('span', { id: 'thickest' });
        this.threshold.addEventListener('input', () => {
            world.hideBelow((Number(this.threshold.value) / 100) ** 2);
            this.tellForces();
        });
        this.rods = element('div', { class: 'rods', hidden: true },
            element('label', { class: 'row' }, element('span', { text: 'Hide below' }), this.threshold, this.below),
            element('p', { class: 'note' }, 'Lines join bodies that touch: ', term('force chain', 'force chains'),
                '. They are as wide as the contact force; widest now: ', this.thickest, '.'));
        this.chains = this.check('chains', 'Force chains', false, (on) => {
            this.rods.hidden = !on;
            world.showChains(on);
            this.tellForces();
        });
        world.player.addEventListener('move', () => this.tellForces());
    }

    tellForces() {
        if (this.rods.hidden) return;
        const { chains, player, run } = this.world, full = chains.full(player.index), unit = run.head.unit_force;
        const below = withUnit(short(chains.threshold * full, 2), unit);
        this.below.textContent = below;
        this.threshold.setAttribute('aria-valuetext', below);
        this.thickest.textContent = full > 0 ? `${withUnit(short(full), unit)} or more` : 'no contact carries load';
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
        if (mode.isFamily) this.families();
        else this.ramp(mode);
    }

    families() {
        for (const { name, colour } of this.colours.families()) {
            const swatch = element('i', { class: 'swatch' });
            swatch.style.background = colour;
            this.scale.append(element('span', { class: 'family' }, swatch, element('span', { text: name })));
        }
    }

    // The ticks of thud render, in their places.
    ramp({ low, high, ticks, unit, is_cut: isCut, about }) {
        const row = element('div', { class: 'ticks' });
        for (const { at, label } of high > low ? ticks : []) {
            const isLast = isCut && at >= high * (1 - 1e-9), part = (at - low) / (high - low);
            const tick = element('span', { text: isLast ? `≥ ${label}` : label });
            tick.style.left = `${100 * part}%`;
            tick.classList.toggle('first', part < 0.06);
            tick.classList.toggle('last', part > 0.94);
            row.append(tick);
        }
        if (!(high > low)) row.append(element('span', { class: 'first', text: `all ${short(low)}` }));
        this.scale.append(ramp(this.colours), row,
            element('p', { class: 'note', text: `${unit ? `${unit}: ` : ''}${about}` }));
    }

    theme() { this.legend(); }
}
