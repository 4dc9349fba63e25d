// What a page tells at first sight: the scene's text and measures, a picture that fills its place,
// colours that are those of thud render, chains as lines. Pixels are read.
//
//     node check_telling.mjs PROGRAM SCENES CASE
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runCase } from './browser_rig.mjs';

const [program, scenes] = process.argv.slice(2, 4).map((path) => resolve(path));
const wanted = process.argv[4];
const say = (text) => process.stdout.write(`  ${text}\n`);

function near(x, y, room, what) { assert.ok(Math.abs(x - y) <= room, `${what}: ${x} is not ${y} within ${room}`); }

async function goTo(rig, frame) {
    await rig.page.evaluate((index) => thud.player.seek(index), frame);
    await rig.settle();
}

const lastFrame = (rig) => rig.page.evaluate(() => thud.player.last);

// The box around the pixels that a test likes, and the longest row of them.
function boxOf({ width, height, data }, likes) {
    const box = { left: width, right: -1, top: height, bottom: -1, longest: 0 };
    for (let y = 0; y < height; y++)
        for (let x = 0, row = 0; x < width; x++) {
            const at = 4 * (y * width + x);
            row = likes(data[at], data[at + 1], data[at + 2]) ? row + 1 : 0;
            if (row === 0) continue;
            box.left = Math.min(box.left, x);
            box.right = Math.max(box.right, x);
            box.top = Math.min(box.top, y);
            box.bottom = Math.max(box.bottom, y);
            box.longest = Math.max(box.longest, row);
        }
    return box;
}

const isGrey = (r, g, b) => Math.min(r, g, b) >= 110 && Math.max(r, g, b) <= 200 && Math.max(r, g, b) - Math.min(r, g, b) <= 40;

// The room fills the picture when people are in it and when they have left.
async function checkRoom(rig) {
    rig.make(join(scenes, 'evacuation.yaml'), ['bodies.0.fill.count=60', 'time.frames=24']);
    for (const viewport of [{ width: 1100, height: 720 }, { width: 390, height: 844 }]) {
        const page = await rig.open('a.html', { viewport });
        for (const frame of [0, await lastFrame(rig)]) {
            await goTo(rig, frame);
            const picture = await rig.stage(), short = Math.min(picture.width, picture.height), box = boxOf(picture, isGrey);
            const tall = (box.bottom - box.top + 1) / short, wide = box.longest / short;
            say(`frame ${frame} of ${viewport.width} by ${viewport.height}: the room is ${tall.toFixed(3)} high, ${wide.toFixed(3)} wide`);
            assert.ok(tall >= 0.85 && tall <= 1, 'the height of the room');
            assert.ok(wide >= 0.85, 'the width of the room');
        }
        const outside = await page.evaluate(() => Array.from({ length: thud.run.scene.bodies }, (_, i) => thud.frames.position(thud.player.last, i)[0]).filter((x) => x > 11).length);
        assert.ok(outside > 10, `${outside} people walked away`);
        await page.click('#view-all');
        await rig.settle();
        const box = boxOf(await rig.stage(), isGrey), all = await rig.stage();
        assert.ok(box.longest < 0.8 * Math.min(all.width, all.height), 'all can be shown too');
        await page.click('#view-home');
        rig.checkSilence();
        await rig.browser.close();
    }
}

// Bodies that fall or grow stay in sight though they leave where they began.
async function checkFollowed(rig) {
    writeFileSync(rig.path('fall.yaml'), `thud: 1
kind: spheres
time: {step: 0.01, end: 2, frames: 40}
gravity: [0, 0, -9.81]
bodies: [{at: [0, 0, 0], radius: 0.1, mass: 1}, {at: [0.5, 0, 0], radius: 0.1, mass: 1}]
`);
    for (const scene of ['fall.yaml', join(scenes, 'growing.yaml')]) {
        rig.thud('run', scene, '--out', 'a.run', '--quiet', '--replace');
        rig.thud('view', 'a.run', '--out', 'a.html', '--quiet');
        await rig.open();
        for (const frame of [0, await lastFrame(rig)]) {
            await goTo(rig, frame);
            const inside = await rig.page.evaluate(() => {
                const box = thud.world.canvas.getBoundingClientRect();
                return Array.from({ length: thud.run.scene.bodies }, (_, i) => thud.world.project(i))
                    .filter(([x, y]) => x > box.left && x < box.right && y > box.top && y < box.bottom).length / thud.run.scene.bodies;
            });
            say(`${scene}, frame ${frame}: ${inside} of the bodies in sight`);
            assert.ok(inside > 0.9);
        }
        await rig.browser.close();
    }
}

// Where thud render puts a point of a flat scene with a cell in the picture of one frame.
function renderMap(bodies, { width, height }, cell) {
    const ends = [0, 1].map((k) => [
        Math.min(cell[k][0], ...bodies.map(({ p, r }) => p[k] - r)), Math.max(cell[k][1], ...bodies.map(({ p, r }) => p[k] + r))]);
    const scale = Math.min(...ends.map(([low, high], k) => [width, height][k] * 0.86 / (high - low)));
    const middle = ends.map(([low, high]) => (low + high) / 2);
    return (p) => [Math.floor(width / 2 + (p[0] - middle[0]) * scale), Math.floor(height / 2 - (p[1] - middle[1]) * scale)];
}

const at = ({ width, data }, x, y) => [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3)];
const away = (a, b) => Math.max(...a.map((x, k) => Math.abs(x - b[k])));

// The page and thud render of the same run: the same ramp, and the same colour of every body.
async function checkLegend(rig) {
    rig.make(join(scenes, 'shear.yaml'), ['time.end=1', 'time.frames=20']);
    const page = await rig.open(), frame = 17;
    await goTo(rig, frame);
    const bodies = await page.evaluate((index) => Array.from({ length: thud.run.scene.bodies }, (_, i) => ({
        p: thud.frames.position(index, i), r: thud.frames.radius(index, i) })), frame);
    for (const color of ['speed', 'pressure', 'radius', 'contacts']) {
        rig.thud('render', 'a.run', '--frames', `${frame}:${frame}`, '--color', color, '--out', 'a.png', '--size', '1280x720', '--quiet');
        const picture = await rig.pixels('a.png');
        await page.selectOption('#colour', color);
        await rig.settle();
        const { ramp, tint } = await page.evaluate(() => {
            const canvas = document.querySelector('#legend .ramp'), { data } = canvas.getContext('2d').getImageData(0, 0, 256, 1);
            return { ramp: [...data], tint: [...thud.world.spheres.tint.array.subarray(0, 4 * thud.run.scene.bodies)] };
        });
        let worst = 0;
        for (let i = 4; i < 186; i++) { // the bar of the legend: 190 pixels from 26 on
            const k = Math.round((i + 0.5) / 190 * 255);
            worst = Math.max(worst, away(at(picture, 26 + i, 675), ramp.slice(4 * k, 4 * k + 3)));
        }
        assert.ok(worst <= 3, `the ramps of ${color} differ by ${worst}`);
        const place = renderMap(bodies, picture, [[0, 1], [0, 1]]), colours = new Set();
        let most = 0;
        bodies.forEach(({ p }, i) => {
            const mine = tint.slice(4 * i, 4 * i + 3);
            if (p.slice(0, 2).every((x) => x > 0.02 && x < 0.98)) // others are cut by the cell's edge
                most = Math.max(most, away(at(picture, ...place(p)), mine));
            colours.add(mine.join());
        });
        say(`${color}: ramps differ by ${worst} of 255, ${bodies.length} bodies of ${colours.size} colours by ${most}`);
        assert.ok(most <= 4, `bodies by ${color} differ by ${most}`);
        assert.ok(colours.size > 1);
        const shown = await page.textContent('#legend'), head = await page.evaluate((name) => thud.run.head.colors.find((c) => c.name === name), color);
        for (const { label } of head.ticks) assert.ok(shown.includes(label), `tick ${label}`);
        assert.ok(shown.includes(head.unit));
    }
    rig.checkSilence();
}

const isRed = (r, g, b) => r > 140 && g < 110 && b < 100 && r - g > 70;

function share({ data }, likes) {
    let count = 0;
    for (let i = 0; i < data.length; i += 4) count += likes(data[i], data[i + 1], data[i + 2]);
    return count;
}

// Is a square of so many pixels all red?
function hasSquare({ width, height, data }, side) {
    const size = new Int32Array(width * height);
    for (let y = 1; y < height; y++)
        for (let x = 1; x < width; x++) {
            const i = y * width + x;
            if (!isRed(data[4 * i], data[4 * i + 1], data[4 * i + 2])) continue;
            size[i] = 1 + Math.min(size[i - 1], size[i - width], size[i - width - 1]);
            if (size[i] >= side) return true;
        }
    return false;
}

// Chains are lines whose widths add up to what forces say, and none is as broad as a body's radius.
async function checkChains(rig) {
    writeFileSync(rig.path('heap.yaml'), `thud: 1
kind: spheres
dim: 2
time: {step: 0.005, end: 1.2, frames: 12}
gravity: [0, -9.81]
materials: {grain: {density: 1}}
bodies: [{fill: {region: {box: [[0, 0], [2, 2.4]]}, count: 150, radius: {uniform: [0.05, 0.08]}, seed: 2, material: grain}}]
walls:
  floor: {plane: {point: [0, 0], normal: [0, 1]}}
  left: {plane: {point: [0, 0], normal: [1, 0]}}
  right: {plane: {point: [2, 0], normal: [-1, 0]}}
`);
    rig.make('heap.yaml');
    const page = await rig.open();
    await goTo(rig, await lastFrame(rig));
    const none = share(await rig.stage(), isRed);
    await page.check('#chains');
    await rig.settle();
    const picture = await rig.stage();
    const { pixel, wanted, radius } = await page.evaluate(() => {
        const { chains, view } = thud.world, { contacts } = thud.run.frames[thud.player.last], full = chains.full(thud.player.last);
        const r = thud.run.radius.reduce((sum, x) => sum + x, 0) / thud.run.radius.length;
        let area = 0;
        for (let i = 0; i < contacts.count; i++) {
            const a = thud.frames.position(thud.player.last, contacts.a[i]), b = contacts.b[i];
            const end = b >= 0 ? thud.frames.position(thud.player.last, b) : contacts.feet.get(i) ?? chains.foot(thud.run.frames[thud.player.last].walls, -1 - b, a);
            area += 0.6 * r * Math.min(1, contacts.force[i] / full) * Math.hypot(end[0] - a[0], end[1] - a[1]);
        }
        return { pixel: view.pixel, wanted: area, radius: r };
    });
    const red = share(picture, isRed) - none, expected = wanted / pixel ** 2;
    say(`${red} red pixels for ${expected.toFixed(0)} by the forces; a radius is ${(radius / pixel).toFixed(1)} pixels`);
    assert.ok(red > 300, 'there are chains');
    near(red / expected, 1, 0.4, 'the area of the chains');
    assert.ok(!hasSquare(picture, Math.round(radius / pixel)), 'no lump');
    const before = await page.evaluate(() => thud.world.chains.count);
    await page.fill('#threshold', '60');
    await rig.settle();
    const after = await page.evaluate(() => thud.world.chains.count);
    say(`${before} chains, ${after} above the threshold`);
    assert.ok(after > 0 && after < before / 2);
    assert.notEqual(await page.textContent('#threshold-value'), '');
    assert.ok(share(await rig.stage(), isRed) - none < red);
    rig.checkSilence();
}

// In space: lines among pale bodies, not a red heap.
async function checkHeap(rig) {
    rig.make(join(scenes, 'hopper.yaml'), ['bodies.0.fill.count=300', 'time.end=0.8', 'time.frames=16']);
    const page = await rig.open();
    await goTo(rig, await lastFrame(rig));
    const isBlue = (r, g, b) => b - r > 25, bodies = share(await rig.stage(), isBlue);
    await page.check('#chains');
    await rig.settle();
    const picture = await rig.stage(), red = share(picture, isRed) / bodies;
    const radius = await page.evaluate(() => thud.run.radius[0] / (thud.world.view.pixel * thud.world.view.distance));
    say(`${(100 * red).toFixed(1)} % of the bodies' pixels are red; a radius is ${radius.toFixed(1)} pixels`);
    assert.ok(red > 0.02 && red < 0.4);
    assert.ok(!hasSquare(picture, Math.round(1.5 * radius)), 'no lump');
    rig.checkSilence();
}

// The names of the measures, from the text of the scene.
function measuresOf(scene) {
    const [, block] = readFileSync(scene, 'utf8').match(/^measure:\n((?:[ #].*\n|\n)*)/m) ?? [];
    return [...(block ?? '').matchAll(/^ {2}([\w-]+):/gm)].map(([, name]) => name);
}

// Every measure has its chart, with its components and its unit, before anything of the solver.
async function checkMeasures(rig) {
    const runs = { 'shear.yaml': ['time.end=0.1', 'time.frames=5'], 'evacuation.yaml': ['bodies.0.fill.count=20', 'time.end=1', 'time.frames=5'],
        'hopper.yaml': ['bodies.0.fill.count=60', 'time.end=0.05', 'time.frames=5'], 'discharge.yaml': ['bodies.0.lattice.count=[19, 6]', 'time.end=0.1', 'time.frames=5'] };
    for (const [scene, set] of Object.entries(runs)) {
        rig.thud('run', join(scenes, scene), '--out', 'a.run', '--quiet', '--replace', ...set.flatMap((value) => ['--set', value]));
        rig.thud('view', 'a.run', '--out', 'a.html', '--quiet');
        const names = measuresOf(join(scenes, scene)), page = await rig.open();
        assert.ok(names.length > 0, `${scene} has measures`);
        const charts = await page.$$eval('#measures .chart', (list) => list.map((chart) => ({
            isNumber: chart.classList.contains('number'),
            title: chart.querySelector('.chart-title').textContent, unit: chart.querySelector('.unit').textContent,
            keys: [...chart.querySelectorAll('.key span')].map((key) => key.textContent), label: chart.querySelector('.chart-body')?.getAttribute('aria-label'),
        })));
        const columns = readFileSync(rig.path('a.run/series.csv'), 'utf8').split('\n', 1)[0].split(',');
        const about = await page.evaluate(() => thud.run.head.series.about);
        for (const name of names) {
            const mine = charts.filter(({ title }) => title === name || title.startsWith(`${name}, `)), keys = mine.flatMap((chart) => chart.keys);
            assert.ok(mine.length > 0, `${scene}: a chart of ${name}`);
            const isOwn = (column) => column.startsWith(`${name}.`) || (column === name && columns.indexOf(column) > columns.indexOf('kinetic'));
            const parts = columns.filter(isOwn);
            assert.ok(parts.length > 0, `columns of ${name}`);
            for (const column of parts) {
                const { component, unit } = about.find((entry) => entry.name === column) ?? {};
                assert.ok(component !== undefined, `${column} is described`);
                assert.ok(keys.includes(component || name), `${scene}: ${column} in the legend`);
                assert.ok(mine.some((chart) => chart.unit.includes(unit)), `${column}: the unit ${unit}`);
            }
            say(`${scene}: ${name}: ${mine.map((chart) => `${chart.title} [${chart.keys.join(', ')}] ${chart.unit}`).join('; ')}`);
            assert.ok(mine.every((chart) => chart.label?.includes('against time') ?? chart.isNumber));
        }
        const order = await page.$$eval('#panel > *', (list) => list.map((card) => card.id));
        assert.equal(order[0], 'measures');
        assert.equal(await page.locator('#solver .uplot').count(), 0, 'what the solver did is closed');
        assert.equal(await page.getAttribute('#solver', 'open'), null);
        rig.checkSilence();
        await rig.browser.close();
    }
}

// Text and motion start without a click. With reduced motion nothing moves.
async function checkStart(rig) {
    rig.make(join(scenes, 'evacuation.yaml'), ['bodies.0.fill.count=20', 'time.end=2', 'time.frames=40']);
    const about = readFileSync(join(scenes, 'evacuation.yaml'), 'utf8').match(/People of different width/)[0];
    let page = await rig.open('a.html', { reducedMotion: 'no-preference' });
    assert.ok((await page.textContent('#about-text')).includes(about));
    const first = await rig.stage();
    await page.waitForFunction(() => thud.player.isPlaying && thud.player.at > 1);
    assert.ok(!first.data.equals((await rig.stage()).data), 'the picture moves');
    const order = await page.evaluate(() => [...document.querySelectorAll('#title, #about-text, #view, #play, #panel')].map((node) => node.id));
    assert.deepEqual(order, ['title', 'about-text', 'view', 'play', 'panel'], 'title and text are first');
    await rig.browser.close();
    page = await rig.open('a.html');
    await rig.settle();
    assert.deepEqual(await page.evaluate(() => [thud.player.isPlaying, thud.player.at]), [false, 0]);
    rig.checkSilence();
}

// On a phone the picture and its controls stay while charts scroll.
async function checkPhone(rig) {
    for (const scene of ['shear.yaml', 'plate.yaml']) {
        rig.thud('run', join(scenes, scene), '--out', 'a.run', '--quiet', '--replace', '--set', 'time.end=0.2', '--set', 'time.frames=5');
        rig.thud('view', 'a.run', '--out', 'a.html', '--quiet');
        const page = await rig.open('a.html', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
        await rig.settle();
        const [stage, play, panel] = await page.evaluate(() => ['stage', 'play', 'panel'].map((id) => document.getElementById(id).getBoundingClientRect().toJSON()));
        assert.ok(panel.top < -20, `${scene}: the panel was scrolled: ${panel.top}`);
        near(stage.top, 0, 1, 'the picture stays');
        assert.ok(stage.height >= 240 && stage.height < 500, 'and leaves room');
        assert.ok(play.top > 0 && play.bottom < 844, 'its controls stay');
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390, 'nothing is wider than the screen');
        rig.checkSilence();
        await rig.browser.close();
    }
}

// Every control works by keyboard and has a label for screen readers.
async function checkKeys(rig) {
    rig.make(join(scenes, 'growing.yaml'), ['time.end=0.2', 'time.frames=10']);
    const page = await rig.open();
    const reached = new Set();
    await page.evaluate(() => document.activeElement.blur());
    for (let i = 0; i < 60; i++) {
        await page.keyboard.press('Tab');
        const id = await page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent);
        if (id) reached.add(id);
    }
    for (const id of ['still', 'theme', 'help-open', 'zoom-in', 'zoom-out', 'view-home', 'view-all', 'play', 'scrub', 'speed', 'colour', 'chains', 'walls', 'gap'])
        assert.ok(reached.has(id), `Tab reaches ${id}: ${[...reached]}`);
    const unnamed = await page.evaluate(() => [...document.querySelectorAll('button, select, input, canvas:not([aria-hidden])')]
        .filter((e) => !e.getAttribute('aria-label') && !e.labels?.length && !e.textContent.trim() && !e.closest('[role=img]')).map((e) => e.id || e.outerHTML));
    assert.deepEqual(unnamed, []);
    await page.evaluate(() => document.activeElement.blur());
    const before = await rig.stage();
    await page.keyboard.press('i');
    await rig.settle();
    const zoomed = await rig.stage();
    assert.ok(!before.data.equals(zoomed.data), 'I zooms in');
    await page.keyboard.press('Shift+ArrowRight');
    await rig.settle();
    assert.ok(!zoomed.data.equals((await rig.stage()).data), 'Shift and an arrow move the view');
    await page.keyboard.press('r');
    await rig.settle();
    assert.ok(before.data.equals((await rig.stage()).data), 'R shows the start');
    rig.checkSilence();
}

// Words explain themselves by pointer, focus and touch, in the words of the glossary.
async function checkWords(rig) {
    rig.make(join(scenes, 'growing.yaml'), ['time.end=0.2', 'time.frames=10']);
    const page = await rig.open('a.html', { hasTouch: true });
    await page.click('#solver summary');
    for (const [word, name] of [['gap', 'gap'], ['Backward bound', 'backward bound'], ['certificate', 'certificate'], ['Accuracy', 'accuracy']]) {
        const text = rig.thud('help', name).replace(/\s+/g, ' '), link = page.locator('.term', { hasText: new RegExp(`^${word}$`) }).first();
        await page.evaluate(() => document.querySelectorAll('details').forEach((part) => { part.open = true; }));
        for (const act of ['hover', 'focus', 'tap']) {
            await link.scrollIntoViewIfNeeded();
            await rig.settle();
            await link[act]();
            await page.waitForFunction(() => { const bubble = document.getElementById('explanation'); return bubble && !bubble.hidden; });
            const shown = await page.textContent('#explanation');
            assert.ok(text.includes(shown.replace(/\s+/g, ' ')), `${word} by ${act}: ${shown}`);
            assert.equal(await link.getAttribute('aria-describedby'), 'explanation');
            await page.keyboard.press('Escape');
            assert.ok(await page.evaluate(() => document.getElementById('explanation').hidden));
            await page.mouse.move(2, 2);
            await page.evaluate(() => document.activeElement.blur());
        }
    }
    rig.checkSilence();
}

// Where the head of a page lies in its text.
function cutHead(rig) {
    const html = readFileSync(rig.path('a.html'), 'utf8'), mark = 'id="thud-head">', from = html.indexOf(mark) + mark.length;
    return { html, from, to: html.indexOf('</script>', from) };
}

function headOf(rig) {
    const { html, from, to } = cutHead(rig);
    return JSON.parse(html.slice(from, to));
}

// Write another head into the page: { ...head, ...changes }.
function changeHead(rig, changes) {
    const { html, from, to } = cutHead(rig), head = headOf(rig);
    writeFileSync(rig.path('b.html'), html.slice(0, from) + JSON.stringify({ ...head, ...changes }).replace(/</g, '\\u003c') + html.slice(to));
}

// A proof is not accuracy: both are told, and a step far above the suggested one is warned of.
async function checkAccuracy(rig) {
    rig.make(join(scenes, 'shear.yaml'), ['time.end=0.1', 'time.frames=5']);
    const show = async (accuracy) => {
        changeHead(rig, { accuracy });
        const page = await rig.open('b.html'), text = await page.textContent('section.accuracy');
        const classes = await page.getAttribute('section.accuracy', 'class'), proof = await page.textContent('#verdict');
        const ticks = await page.locator('section.accuracy .seal path').getAttribute('d');
        const order = await page.$$eval('#panel > *', (list) => list.map((card) => card.className));
        assert.equal(order[0].includes('accuracy'), accuracy.ratio > 2, 'a warning comes first');
        const good = await page.locator('section.verdict.holds .seal path').getAttribute('d');
        assert.match(proof, /^Every recorded step is proved: \d+ of \d+ hold\.$/);
        assert.notEqual(ticks, good, 'no tick for accuracy');
        const rows = await page.$$eval('#halved tbody tr', (list) => list.map((row) => row.textContent));
        rig.checkSilence();
        await rig.browser.close();
        return { text, classes, rows };
    };
    // what a run with --halve says of itself
    rig.thud('run', join(scenes, 'shear.yaml'), '--halve', '--out', 'a.run', '--replace', '--quiet', '--set', 'time.end=0.1', '--set', 'time.frames=5');
    rig.thud('view', 'a.run', '--out', 'a.html', '--quiet');
    const { halved } = JSON.parse(readFileSync(rig.path('a.run/run.json'), 'utf8')).accuracy;
    const own = await show((({ suggested_step, ratio }) => ({ suggested_step, ratio, halved }))(headOf(rig).accuracy));
    for (const { label } of halved.measures) assert.ok(own.rows.some((row) => row.startsWith(label)), label);
    // the page says what the run said: values, and changes in the same words
    const said = ({ measures }) => measures.map(({ name, end, end_change, mean_change, largest_change }) => [name, end, end_change, mean_change, largest_change]);
    assert.deepEqual(said(headOf(rig).accuracy.halved), said(halved));
    for (const { mean_change } of halved.measures) assert.ok(mean_change && own.rows.some((row) => row.startsWith('mean') && row.endsWith(mean_change)), mean_change);
    const none = await show({ suggested_step: null, ratio: null, halved: null });
    assert.match(none.text, /What the step costs: not measured\./);
    assert.doesNotMatch(none.classes, /warns/);
    const far = await show({ suggested_step: 0.0002, ratio: 10, halved: null });
    assert.match(far.text, /The step is 10 times the suggested one\./);
    assert.match(far.text, /not measured/);
    assert.match(far.classes, /warns/);
    const measured = await show({ suggested_step: 0.002, ratio: 1, halved: { step: 0.001, steps: 100, measures: [
        { name: 'filling', label: "packing fraction in 'filling'", unit: '', end: 0.8, end_halved: 0.6, end_change: '-25 %', mean: 0.7, mean_halved: 0.7, mean_change: 'same', largest: 0.8, largest_halved: 0.8, largest_change: '' }] } });
    assert.deepEqual(measured.rows, ["packing fraction in 'filling'", 'at the end0.80.6-25 %', 'mean0.70.7same', 'largest0.80.8']);
    assert.doesNotMatch(measured.classes, /warns/);
}

// What spans decades is drawn by powers of ten, and says so; what does not is not.
async function checkDecades(rig) {
    rig.make(join(scenes, 'growing.yaml'), ['time.end=0.4', 'time.frames=10']);
    const page = await rig.open();
    await page.click('#solver summary');
    await page.waitForFunction(() => thud.panel.charts.length > 0);
    const axes = await page.evaluate(() => {
        const times = thud.run.series.get('time'), Chart = thud.panel.charts[0].constructor;
        const made = (values) => {
            const chart = new Chart(document.getElementById('panel'), thud.player, times, { title: 'a', unit: 'N', lines: [{ label: 'a', values }] });
            return [chart.isLog, chart.box.querySelector('.unit').textContent];
        };
        const each = (f) => Float32Array.from(times, (t, i) => f(i / (times.length - 1)));
        return { decades: made(each((s) => 10 ** (5 * s))), one: made(each((s) => 1 + s)), signs: made(each((s) => 10 ** (5 * s) - 2)), zero: made(each((s) => s * 1e6)) };
    });
    assert.deepEqual(axes, { decades: [true, 'N, logarithmic axis'], one: [false, 'N'], signs: [false, 'N'], zero: [false, 'N'] });
    rig.checkSilence();
}

const cases = {
    room: checkRoom, followed: checkFollowed, legend: checkLegend, chains: checkChains, heap: checkHeap, measures: checkMeasures,
    start: checkStart, phone: checkPhone, keys: checkKeys, words: checkWords, accuracy: checkAccuracy, decades: checkDecades,
};

await runCase(program, wanted, cases);
