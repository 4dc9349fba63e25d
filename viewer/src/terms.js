// Words that explain themselves at a touch, under the pointer and when they have the focus. The texts
// are those of docs/glossary.md, put in when the viewer is built.
import { element } from './dom.js';
import glossary from 'thud:glossary';

let bubble = null, owner = null;

function hide() {
    if (!owner) return;
    bubble.hidden = true;
    owner.setAttribute('aria-expanded', 'false');
    owner.removeAttribute('aria-describedby');
    owner = null;
}

function place(word) {
    const box = word.getBoundingClientRect(), room = 12, { clientWidth, clientHeight } = document.documentElement;
    bubble.style.maxWidth = `${Math.min(320, clientWidth - 2 * room)}px`;
    const { offsetWidth: width, offsetHeight: height } = bubble;
    const left = Math.min(Math.max(room, box.left), clientWidth - width - room);
    const below = box.bottom + 8, top = below + height > clientHeight - room ? box.top - height - 8 : below;
    bubble.style.left = `${left}px`;
    bubble.style.top = `${Math.max(room, top)}px`;
}

function show(word, name) {
    if (!bubble) {
        bubble = element('div', { id: 'explanation', class: 'bubble', role: 'tooltip' });
        document.body.append(bubble);
        document.addEventListener('keydown', (event) => { if (event.key === 'Escape') hide(); });
        document.addEventListener('pointerdown', (event) => { if (owner && event.target !== owner) hide(); });
        document.addEventListener('scroll', hide, true);
    }
    hide();
    owner = word;
    bubble.textContent = glossary[name];
    bubble.hidden = false;
    word.setAttribute('aria-expanded', 'true');
    word.setAttribute('aria-describedby', bubble.id);
    place(word);
}

// A word of the glossary inside a text; `text` where it is written in another way.
export function term(name, text = name) {
    const word = element('button', { type: 'button', class: 'term', text, 'aria-expanded': 'false' });
    word.addEventListener('mouseenter', () => show(word, name));
    word.addEventListener('mouseleave', () => { if (document.activeElement !== word) hide(); });
    word.addEventListener('focus', () => show(word, name));
    word.addEventListener('blur', hide);
    word.addEventListener('click', () => show(word, name)); // a touch does not give the focus everywhere
    return word;
}
