// The page: unpack the run, build what shows it, and draw.
import { Colours } from './colours.js';
import { Controls, save } from './controls.js';
import { Frames, load, readHead } from './data.js';
import { element, themeName, whole } from './dom.js';
import { Inclusion } from './inclusion.js';
import { Panel } from './panel.js';
import { Player } from './player.js';
import { World } from './world.js';

const byId = (id) => document.getElementById(id);

function subtitle({ scene }) {
    if (scene.kind !== 'spheres') return `${whole(scene.dim)} coordinate${scene.dim === 1 ? '' : 's'}, ${whole(scene.constraints.length)} constraint${scene.constraints.length === 1 ? '' : 's'}`;
    const what = scene.dim === 2 ? 'disk' : 'sphere';
    return `${whole(scene.bodies)} ${what}${scene.bodies === 1 ? '' : 's'}`;
}

function fileName(title) {
    return title.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '').toLowerCase().slice(0, 60) || 'thud';
}

// Title and text of the scene: they are there before the run is unpacked.
function introduce(head) {
    const { title, about } = head.scene, place = byId('about'), more = byId('about-more');
    document.title = title;
    byId('title').textContent = title;
    byId('subtitle').textContent = subtitle(head);
    const texts = about.trim().split(/\n\s*\n/).filter(Boolean);
    byId('about-text').append(...texts.map((text) => element('p', { text: text.replace(/\s+/g, ' ') })));
    place.hidden = texts.length === 0;
    const text = byId('about-text'), check = () => {
        more.hidden = !place.classList.contains('whole') && text.scrollHeight <= text.clientHeight + 2;
    };
    more.addEventListener('click', () => {
        const isWhole = place.classList.toggle('whole');
        more.setAttribute('aria-expanded', String(isWhole));
        more.textContent = isWhole ? 'less' : 'more';
    });
    new ResizeObserver(check).observe(text);
}

class App {
    constructor(run) {
        this.run = run;
        this.frames = new Frames(run);
        this.player = new Player(run);
        this.colours = run.isSpheres ? new Colours(run, this.frames) : null;
        this.world = run.isSpheres
            ? new World(run, this.frames, this.player, this.colours, byId('view'))
            : new Inclusion(run, this.player, byId('view'));
        byId('app').classList.toggle('flow', !run.isSpheres);
        byId('view-tools').hidden = !run.isSpheres;
        this.panel = new Panel(byId('panel'), this);
        this.controls = new Controls(run, this.player, this.actions());
        this.world.theme();
        document.addEventListener('pick', (event) => this.select(event.detail));
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.repaint());
    }

    actions() {
        const click = (id) => () => byId(id)?.click();
        return {
            still: () => save(this.world.still(), fileName(this.run.scene.title)),
            theme: () => this.switchTheme(),
            colour: () => this.panel.look?.next(),
            chains: click('chains'),
            walls: click('walls'),
            home: () => this.world.home(),
            all: () => this.world.showAll?.(),
            zoom: (by) => this.world.zoom?.(by),
            turn: (right, up) => this.world.turn?.(right, up),
            forget: () => this.select(-1),
        };
    }

    select(body) {
        this.panel.picked?.select(body);
        this.world.select?.(body);
    }

    switchTheme() {
        document.documentElement.dataset.theme = themeName() === 'dark' ? 'light' : 'dark';
        this.repaint();
    }

    repaint() {
        this.world.theme();
        this.panel.theme();
    }

    start() {
        let before = performance.now();
        const tick = (now) => {
            this.player.advance(Math.min(0.1, (now - before) / 1000));
            before = now;
            this.world.frame(now);
            requestAnimationFrame(tick);
        };
        requestAnimationFrame(tick);
        if (!matchMedia('(prefers-reduced-motion: reduce)').matches) this.player.play();
    }
}

async function main() {
    try {
        const head = readHead();
        introduce(head);
        const app = new App(await load(head));
        app.start();
        window.thud = app; // for whoever wants to look inside from the console
        byId('message').hidden = true;
        byId('app').classList.remove('loading');
        document.documentElement.dataset.ready = 'yes';
    } catch (error) {
        byId('message').textContent = `This page could not be shown: ${error.message}`;
        document.documentElement.dataset.ready = 'no';
        throw error;
    }
}

main();
