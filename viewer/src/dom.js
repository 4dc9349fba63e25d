// Elements by name, with text as text only: nothing from a scene is ever read as HTML.

export function element(name, options = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(options)) {
        if (key === 'class') made.className = value;
        else if (key === 'text') made.textContent = value;
        else if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
        else if (value === true) made.setAttribute(key, '');
        else if (value !== false && value != null) made.setAttribute(key, value);
    }
    made.append(...children.filter((child) => child != null));
    return made;
}

const shapes = {
    play: ['M7 4.8v14.4a.6.6 0 0 0 .92.5l11.2-7.2a.6.6 0 0 0 0-1L7.92 4.3A.6.6 0 0 0 7 4.8z', true],
    pause: ['M7 4.5h3.2v15H7zM13.8 4.5H17v15h-3.2z', true],
    back: ['M6 5v14M18 5.5v13L9 12z'],
    on: ['M18 5v14M6 5.5v13l9-6.5z'],
    camera: ['M4 8.5A1.5 1.5 0 0 1 5.5 7h2.2l1.3-2h6l1.3 2h2.2A1.5 1.5 0 0 1 20 8.5v9a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5zM12 16a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4z'],
    theme: ['M20 14.5A8.2 8.2 0 0 1 9.5 4 8.2 8.2 0 1 0 20 14.5z'],
    panel: ['M4 5.5h16v13H4zM14.5 5.5v13'],
    help: ['M9.3 9.3a2.8 2.8 0 1 1 4 2.5c-.9.5-1.3 1-1.3 2M12 17v.1'],
    check: ['M5 12.5l4.5 4.5L19 7.5'],
    cross: ['M6.5 6.5l11 11M17.5 6.5l-11 11'],
    dash: ['M6 12h12'],
    warning: ['M12 5.5v8.5M12 18v.1'],
    zoomIn: ['M11 17.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM16 16l4.5 4.5M11 8.2v5.6M8.2 11h5.6'],
    zoomOut: ['M11 17.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM16 16l4.5 4.5M8.2 11h5.6'],
    home: ['M4.5 11.5L12 5l7.5 6.5M6.5 10v9h11v-9'],
    all: ['M4.5 9V4.5H9M15 4.5h4.5V9M19.5 15v4.5H15M9 19.5H4.5V15'],
};

export function icon(name) {
    const space = 'http://www.w3.org/2000/svg', [path, filled] = shapes[name];
    const svg = document.createElementNS(space, 'svg'), line = document.createElementNS(space, 'path');
    svg.setAttribute('viewBox', '0 0 24 24');
    svg.setAttribute('class', filled ? 'icon filled' : 'icon');
    svg.setAttribute('aria-hidden', 'true');
    line.setAttribute('d', path);
    svg.append(line);
    return svg;
}

// x in a few digits, for people.
export function short(x, digits = 3) {
    if (x == null || Number.isNaN(x)) return '–';
    if (!Number.isFinite(x)) return x > 0 ? '∞' : '−∞';
    if (x === 0) return '0';
    const size = Math.abs(x);
    if (size >= 1e5 || size < 1e-3) {
        const [mantissa, exponent] = x.toExponential(digits - 1).split('e');
        const power = exponent.replace('+', '').replace('-', '−');
        return `${mantissa.replace(/\.?0+$/, '').replace('-', '−')}e${power}`;
    }
    return Number(x.toPrecision(digits)).toString().replace('-', '−');
}

export const whole = (n) => (n == null ? '–' : Math.round(n).toLocaleString('en-US'));

export const withUnit = (text, unit) => (unit ? `${text}\u00a0${unit}` : text);

// Labels of compound units; empty when the scene names none.
export function units(scene) {
    const { unit_length: length, unit_time: time, unit_mass: mass } = scene;
    const si = length === 'm' && time === 's' && mass === 'kg';
    const all = length && time && mass, isFlat = scene.dim === 2;
    const pressure = isFlat ? `${mass}/${time}²` : `${mass}/(${length}·${time}²)`;
    return {
        length, time, mass,
        speed: length && time ? `${length}/${time}` : '',
        force: si ? 'N' : all ? `${mass}·${length}/${time}²` : '',
        pressure: si ? (isFlat ? 'N/m' : 'Pa') : all ? pressure : '',
        energy: si ? 'J' : all ? `${mass}·${length}²/${time}²` : '',
    };
}

// 'light' or 'dark', as the page is.
export function themeName() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
}

export function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// '#rrggbb' as numbers from 0 to 1.
export function rgb(text) {
    const n = parseInt(text.slice(1), 16);
    return [(n >> 16 & 255) / 255, (n >> 8 & 255) / 255, (n & 255) / 255];
}

// A card of the panel.
export function section(title, ...children) {
    return element('section', { class: 'card' }, title ? element('h2', { text: title }) : null, ...children);
}

// A list of names and values: [name, value, id of the value].
export function facts(pairs) {
    const list = element('dl', { class: 'facts' });
    for (const [name, value, id] of pairs)
        list.append(element('dt', {}, name), element('dd', { text: value, id }));
    return list;
}
