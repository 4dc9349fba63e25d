// Playback, keyboard, theme, still picture and help.
import { element, icon, units, withUnit } from './dom.js';

const byId = (id) => document.getElementById(id);
const speeds = [0.1, 0.25, 0.5, 1, 2, 4];

const shortcuts = [
    ['Space', 'play or pause'], ['← →', 'one frame back or on'], ['Home End', 'first or last frame'],
    ['− +', 'slower or faster'], ['C', 'next colouring'], ['F', 'force chains'], ['W', 'walls'],
    ['R', 'show where the run begins'], ['A', 'show all'], ['I O', 'zoom in or out'], ['Shift ← → ↑ ↓', 'turn or move the view'],
    ['D', 'light or dark'], ['S', 'save the picture'], ['P', 'panel'],
    ['Esc', 'forget the picked body'], ['?', 'this help'],
];

// Digits that tell neighbouring frames apart.
function decimals(run) {
    const gap = (run.times.at(-1) - run.times[0]) / Math.max(1, run.times.length - 1);
    return gap > 0 ? Math.min(9, Math.max(0, Math.ceil(-Math.log10(gap)) + 1)) : 2;
}

export class Controls {
    constructor(run, player, actions) {
        Object.assign(this, { run, player, actions });
        this.digits = decimals(run);
        this.unit = units(run.scene).time;
        this.play = byId('play');
        this.scrub = byId('scrub');
        this.clock = byId('clock');
        this.speed = byId('speed');
        this.setIcons();
        this.wire();
        this.makeHelp();
        this.update();
    }

    setIcons() {
        const icons = { still: 'camera', theme: 'theme', 'panel-toggle': 'panel', 'help-open': 'help', 'step-back': 'back', 'step-on': 'on', 'zoom-in': 'zoomIn', 'zoom-out': 'zoomOut', 'view-home': 'home', 'view-all': 'all' };
        for (const [id, name] of Object.entries(icons)) byId(id).replaceChildren(icon(name));
        for (const speed of speeds)
            this.speed.append(element('option', { value: speed, text: `${speed}×`, selected: speed === 1 }));
    }

    wire() {
        const { player, actions } = this;
        this.scrub.max = player.last;
        for (const id of ['play', 'step-back', 'step-on', 'scrub']) byId(id).disabled = player.last === 0;
        this.play.addEventListener('click', () => player.toggle());
        byId('step-back').addEventListener('click', () => player.step(-1));
        byId('step-on').addEventListener('click', () => player.step(1));
        this.scrub.addEventListener('input', () => {
            player.pause();
            player.seek(Number(this.scrub.value));
        });
        this.speed.addEventListener('change', () => { player.speed = Number(this.speed.value); });
        byId('zoom-in').addEventListener('click', () => actions.zoom(1.25));
        byId('zoom-out').addEventListener('click', () => actions.zoom(0.8));
        byId('view-home').addEventListener('click', () => actions.home());
        byId('view-all').addEventListener('click', () => actions.all());
        byId('still').addEventListener('click', () => actions.still());
        byId('theme').addEventListener('click', () => actions.theme());
        byId('panel-toggle').addEventListener('click', () => this.togglePanel());
        byId('help-open').addEventListener('click', () => this.help.showModal());
        player.addEventListener('move', () => this.update());
        player.addEventListener('state', () => this.update());
        document.addEventListener('keydown', (event) => this.press(event));
    }

    makeHelp() {
        this.help = byId('help');
        const list = element('dl', { class: 'keys-list' });
        for (const [key, text] of shortcuts)
            list.append(element('dt', {}, ...key.split(' ').map((k) => element('kbd', { text: k }))), element('dd', { text }));
        const close = element('button', { type: 'button', class: 'tool close', 'aria-label': 'Close', onclick: () => this.help.close() }, icon('cross'));
        const hint = 'Drag to turn, right-drag (or two fingers) to move, wheel to zoom. Click a body for its data, a chart to go to that time.';
        this.help.append(close, element('h2', { text: 'Keyboard' }), list, element('p', { class: 'note', text: hint }));
        this.help.addEventListener('click', (event) => { if (event.target === this.help) this.help.close(); });
    }

    togglePanel() {
        const hidden = byId('app').classList.toggle('no-panel');
        byId('panel-toggle').setAttribute('aria-pressed', String(!hidden));
    }

    changeSpeed(by) {
        const at = speeds.indexOf(this.player.speed) + by;
        if (at < 0 || at >= speeds.length) return;
        this.player.speed = speeds[at];
        this.speed.value = String(speeds[at]);
    }

    turn(event) {
        const [right, up] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
        event.preventDefault();
        this.actions.turn(0.05 * right, 0.05 * up);
    }

    press(event) {
        const { player, actions } = this, tag = event.target.tagName, isWord = event.target.classList?.contains('term');
        if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
        if (tag === 'SELECT' || tag === 'SUMMARY') return;
        const isArrow = event.key.startsWith('Arrow');
        if (isArrow && event.shiftKey && tag !== 'INPUT') return this.turn(event);
        if (isWord && (event.key === 'Enter' || event.key === 'Escape')) return;
        if (tag === 'INPUT' && (isArrow || event.key === 'Home' || event.key === 'End')) return;
        if ((tag === 'BUTTON' || tag === 'INPUT') && event.key === ' ' && event.target.id !== 'scrub') return;
        const acts = {
            ' ': () => player.toggle(), ArrowLeft: () => player.step(-1), ArrowRight: () => player.step(1),
            Home: () => { player.pause(); player.seek(0); }, End: () => { player.pause(); player.seek(player.last); },
            '-': () => this.changeSpeed(-1), '+': () => this.changeSpeed(1), '=': () => this.changeSpeed(1),
            c: actions.colour, f: actions.chains, w: actions.walls, r: actions.home, a: actions.all,
            i: () => actions.zoom(1.25), o: () => actions.zoom(0.8), d: actions.theme,
            s: actions.still, p: () => this.togglePanel(), Escape: actions.forget, '?': () => this.help.showModal(),
        };
        const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
        if (!act) return;
        event.preventDefault();
        act();
    }

    update() {
        const { player } = this, playing = player.isPlaying;
        if (this.drawn !== playing) {
            this.drawn = playing;
            this.play.replaceChildren(icon(playing ? 'pause' : 'play'));
            this.play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
        }
        this.scrub.value = String(player.index);
        const time = withUnit(player.time.toFixed(this.digits), this.unit);
        this.clock.textContent = `t = ${time}`;
        this.scrub.setAttribute('aria-valuetext', `frame ${player.index + 1} of ${player.last + 1}, t = ${time}`);
        this.scrub.style.setProperty('--done', `${player.last ? 100 * player.at / player.last : 100}%`);
    }
}

// Save a canvas as a PNG file.
export function save(canvas, name) {
    canvas.toBlob((blob) => {
        const link = element('a', { download: `${name}.png`, href: URL.createObjectURL(blob) });
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    }, 'image/png');
}
