// Pages in headless Chromium, as people use them.
//
//     node check_pages.mjs PROGRAM SCENES CASE
import assert from 'node:assert/strict';
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runCase } from './browser_rig.mjs';

const [program, scenes] = process.argv.slice(2, 4).map((path) => resolve(path));
const wanted = process.argv[4];
const near = (x, y, room, what) => assert.ok(Math.abs(x - y) <= room, `${what}: ${x} is not ${y} within ${room}`);
const number = (text) => Number(text.replace(/−/g, '-'));

// What the page knows and shows of the run is what `thud info --json` says.
async function checkInfo(rig, info) {
    const { page } = rig;
    const { head, first, last } = await page.evaluate(() => ({
        head: thud.run.head, first: thud.run.times[0], last: thud.run.times.at(-1),
    }));
    for (const name of ['steps', 'min_gap', 'backward', 'forward', 'checked', 'held', 'ending', 'error'])
        assert.equal(head.run[name], info[name], name);
    assert.equal(head.scene.title, info.title);
    assert.equal(head.scene.kind, info.kind);
    assert.equal(head.scene.bodies, info.bodies);
    assert.equal(head.scene.step, info.step);
    assert.equal(head.frames.recorded, info.frames);
    assert.equal(first, info.first);
    near(last, info.last, 1e-12 * Math.abs(info.last), 'last time');
    assert.equal(await page.title(), info.title);
    assert.equal(await page.textContent('#title'), info.title);
    assert.equal((await page.textContent('#fact-steps')).replace(/,/g, ''), String(info.steps));
    assert.ok((await page.textContent('#verdict')).includes(`${info.held} of ${info.checked} hold`));
}

// Playing moves on by itself, pausing stops; scrubbing and single steps go where they say.
async function checkPlayback(rig) {
    const { page } = rig, at = () => page.evaluate(() => thud.player.at);
    await page.click('#play');
    await page.waitForFunction(() => thud.player.index >= 2);
    assert.equal(await page.getAttribute('#play', 'aria-label'), 'Pause');
    await page.click('#play');
    await page.waitForFunction(() => !thud.player.isPlaying);
    await page.fill('#scrub', '4');
    assert.equal(await at(), 4);
    const { time, unit, digits } = await page.evaluate(() => ({
        time: thud.run.times[4], unit: thud.run.scene.unit_time, digits: thud.controls.digits,
    }));
    const clock = await page.textContent('#clock');
    assert.equal(clock, `t = ${time.toFixed(digits)}${unit ? `\u00a0${unit}` : ''}`);
    await page.click('#step-on');
    assert.equal(await at(), 5);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await at(), 3);
    await page.keyboard.press('End');
    assert.equal(await at(), await page.evaluate(() => thud.run.frames.length - 1));
    await page.keyboard.press('Space'); // from the end: anew
    await page.waitForFunction(() => thud.player.isPlaying && thud.player.index >= 1 && thud.player.at < thud.player.last);
    await page.keyboard.press('Space');
    await page.selectOption('#speed', '4');
    assert.equal(await page.evaluate(() => thud.player.speed), 4);
}

async function checkTools(rig) {
    const { page } = rig, ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const before = await ground();
    await page.click('#theme');
    assert.notEqual(await ground(), before);
    await page.keyboard.press('d');
    assert.equal(await ground(), before);
    await page.keyboard.press('?');
    await page.waitForSelector('#help[open]');
    await page.keyboard.press('Escape');
    await page.waitForSelector('#help[open]', { state: 'detached' });
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#still')]);
    const bytes = readFileSync(await download.path());
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
    assert.ok(bytes.length > 2000, 'the picture is not empty');
    await page.setViewportSize({ width: 390, height: 800 });
    await rig.settle();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `a small screen shows all: ${wide} pixels wide`);
    const unnamed = await page.evaluate(() => [...document.querySelectorAll('button, select, input')]
        .filter((e) => !e.getAttribute('aria-label') && !e.labels?.length && !e.textContent.trim()).map((e) => e.id));
    assert.deepEqual(unnamed, [], 'every control has a label');
    await page.setViewportSize({ width: 1100, height: 720 });
    await rig.settle();
}

const picture = (page) => page.evaluate(() => thud.world.still().toDataURL());

// Every colouring draws another picture, and a legend of its own.
async function checkColours(rig, expected) {
    const { page } = rig, seen = new Map();
    await page.evaluate(() => thud.player.seek(thud.player.last));
    for (const name of ['speed', 'pressure', 'radius', 'contacts', 'material', 'gap']) {
        await page.selectOption('#colour', name);
        seen.set(name, await picture(page));
        assert.notEqual((await page.textContent('#legend')).trim(), '', `legend of ${name}`);
    }
    assert.ok(new Set(seen.values()).size >= expected, `${new Set(seen.values()).size} pictures differ`);
    await page.selectOption('#colour', 'pressure');
    assert.equal(await picture(page), seen.get('pressure'), 'a colouring is the same again');
    const plain = await picture(page);
    await page.check('#chains');
    assert.notEqual(await picture(page), plain, 'force chains are drawn');
    const { drawn, least } = await page.evaluate(() => ({
        drawn: thud.world.chains.count, least: (thud.run.scene.dim === 2 ? 0.01 : 0.03) * thud.world.chains.full(thud.player.last),
    }));
    const frame = await page.evaluate(() => thud.player.last);
    const loaded = rig.exported('contacts').filter((row) => Number(row.frame) === frame && Number(row.force) >= least);
    near(drawn, loaded.length, 0.01 * loaded.length, 'chains'); // forces of the page have 8 bits
    await page.uncheck('#chains');
}

// Click a body that is in sight, and compare what is said of it with the exact numbers.
async function checkPick(rig) {
    const { page } = rig;
    await page.evaluate(() => thud.player.seek(thud.player.last));
    await rig.settle();
    const { body, x, y, frame } = await page.evaluate(() => {
        const box = thud.world.canvas.getBoundingClientRect();
        for (let body = 0; body < thud.run.scene.bodies; body++) {
            const [x, y] = thud.world.project(body);
            if (x < box.left + 20 || x > box.right - 20 || y < box.top + 20 || y > box.bottom - 20) continue;
            let found = -1;
            const catcher = (event) => { found = event.detail; event.stopPropagation(); };
            thud.world.canvas.addEventListener('pick', catcher);
            thud.world.pick({ clientX: x, clientY: y });
            thud.world.canvas.removeEventListener('pick', catcher);
            if (found === body) return { body, x, y, frame: thud.player.last };
        }
        return {};
    });
    assert.ok(body !== undefined, 'some body is in sight');
    await page.mouse.click(x, y);
    await page.waitForFunction((b) => thud.panel.picked.body === b, body);
    const exact = rig.exported('bodies').find((row) => Number(row.frame) === frame && Number(row.id) === body);
    const { extent, speed } = await page.evaluate(() => ({ extent: thud.frames.extent, speed: thud.frames.speed }));
    const shown = await page.evaluate((b) => ({
        position: thud.frames.position(thud.player.last, b), velocity: thud.frames.velocity(thud.player.last, b),
        radius: thud.frames.radius(thud.player.last, b), mass: thud.run.mass[b],
    }), body);
    ['x', 'y', 'z'].forEach((axis, k) => {
        near(shown.position[k], Number(exact[axis]), extent[k] / 65535 * 0.5001, `position ${axis}`);
        near(shown.velocity[k], Number(exact[`v${axis}`]), speed / 32767 * 0.5001, `velocity ${axis}`);
    });
    near(shown.radius, Number(exact.radius), 1e-6 * Number(exact.radius), 'radius');
    near(shown.mass, Number(exact.mass), 1e-6 * Number(exact.mass), 'mass');
    assert.ok((await page.textContent('#picked h2')).startsWith(`Body ${body}`));
    near(number((await page.textContent('#body-radius')).split('\u00a0')[0]), Number(exact.radius), 1e-3 * Number(exact.radius), 'radius shown');
    const contacts = rig.exported('contacts').filter((row) => Number(row.frame) === frame && (Number(row.a) === body || (row.b !== '' && Number(row.b) === body)));
    assert.equal(await page.textContent('#body-contacts'), String(contacts.length));
    const force = contacts.reduce((sum, row) => sum + Number(row.force), 0);
    near(number((await page.textContent('#body-force')).split('\u00a0')[0]), force, 0.01 * force, 'force shown');
    assert.equal(await page.locator('#picked .uplot').count(), 2);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => thud.panel.picked.body === -1);
}

async function checkSpheres(rig, scene, set, pictures) {
    const info = rig.make(join(scenes, scene), set);
    await rig.open();
    await checkInfo(rig, info);
    await checkPlayback(rig);
    await checkColours(rig, pictures);
    await checkPick(rig);
    await checkTools(rig);
    rig.checkSilence();
}

// Obstacles are there, move with the frames, go with the walls; chains end on them.
async function checkObstacles(rig, scene, set) {
    const info = rig.make(join(scenes, scene), set);
    const page = await rig.open();
    await checkInfo(rig, info);
    // drawn anew in full: on slow machines what is on the screen has fewer pixels while things move
    const shot = async () => { await rig.settle(); return picture(page); };
    const frame = async (index) => { await page.evaluate((i) => thud.player.seek(i), index); await rig.settle(); };
    await frame(0);
    const first = await page.evaluate(() => thud.world.obstacles.parts.map((part) => part.matrix.elements.join()));
    const shown = await shot();
    await page.evaluate(() => thud.world.showWalls(false));
    assert.notEqual(await shot(), shown, 'obstacles are drawn');
    await page.evaluate(() => thud.world.showWalls(true));
    assert.equal(await shot(), shown, 'obstacles come back');
    const last = await page.evaluate(() => thud.run.frames.length - 1);
    await frame(last);
    const then = await page.evaluate(() => thud.world.obstacles.parts.map((part) => part.matrix.elements.join()));
    const moves = scene === 'drum.yaml';
    first.forEach((matrix, i) => assert.equal(matrix !== then[i], moves, `obstacle ${i}`));
    await page.evaluate(() => thud.world.showChains(true));
    await rig.settle();
    const feet = await page.evaluate(() => [...thud.run.frames.at(-1).contacts.feet.values()].map((p) => [...p]));
    const walls = await page.evaluate(() => thud.run.scene.walls.length);
    const rows = rig.exported('contacts').filter((row) => Number(row.frame) === last && -1 - Number(row.b) >= walls);
    assert.ok(feet.length > 0 && feet.length === rows.length, `${feet.length} contacts with obstacles`);
    feet.forEach((foot, i) => ['to_x', 'to_y', 'to_z'].forEach((name, k) =>
        near(foot[k], Number(rows[i][name]), 1e-6, 'foot of a contact')));
    rig.checkSilence();
}

// Coordinates and multipliers of every frame are exact; planes and charts are drawn and move.
async function checkInclusion(rig, scene, planes) {
    const info = rig.make(join(scenes, scene));
    const page = await rig.open();
    await checkInfo(rig, info);
    const frames = await page.evaluate(() => thud.run.frames.map(({ t, q, u }) => ({ t, q: [...q], u: [...u] })));
    const names = await page.evaluate(() => thud.run.scene.coordinates);
    rig.exported('coordinates').forEach((row, i) => {
        assert.equal(frames[i].t, Number(row.t));
        names.forEach((name, k) => {
            assert.equal(frames[i].q[k], Number(row[name]));
            assert.equal(frames[i].u[k], Number(row[`u.${name}`]));
        });
    });
    assert.equal(frames.length, info.frames);
    assert.equal(await page.locator('.planes canvas[role=img]').count(), planes);
    await page.evaluate(() => thud.player.seek(2));
    const before = await picture(page);
    await checkPlayback(rig);
    await page.evaluate(() => thud.player.seek(thud.player.last));
    assert.notEqual(await picture(page), before, 'the planes follow the time');
    assert.equal(await page.locator('#solver .uplot').count(), 0, 'what the solver did is closed');
    await page.click('#solver summary');
    await page.waitForSelector('#solver .uplot');
    const charts = await page.locator('.uplot').count();
    assert.ok(charts >= 4, `${charts} charts`);
    await page.locator('.panel .u-over').first().click({ position: { x: 60, y: 20 } });
    assert.notEqual(await page.evaluate(() => thud.player.at), frames.length - 1, 'a click goes to a time');
    await checkTools(rig);
    rig.checkSilence();
}

const attack = '</script><img src=x onerror=window.hacked=1>';

async function checkHostile(rig) {
    const name = JSON.stringify(attack);
    writeFileSync(rig.path('bad.yaml'), `thud: 1
title: ${name}
about: ${JSON.stringify(`<script>window.hacked = 1</script>${attack}`)}
kind: spheres
dim: 2
units: {length: ${name}, time: ${name}, mass: ${name}}
time: {step: 0.01, end: 0.1, frames: 10}
materials: {cell: {density: 1}}
bodies:
  - {name: ${name}, at: [0, 0], radius: 1, velocity: [1, 0], material: cell}
  - {at: [4, 0], radius: 1, material: cell}
`);
    const info = rig.make('bad.yaml');
    assert.equal(info.title, attack);
    const html = readFileSync(rig.path('a.html'), 'utf8');
    assert.ok(!html.includes('<img'), 'no tag of a scene in the page');
    const page = await rig.open();
    await checkInfo(rig, info);
    await page.evaluate(() => thud.select(0));
    assert.equal(await page.textContent('#picked h2'), `Body 0, ${attack}`);
    for (const mode of ['material', 'radius', 'speed']) await page.selectOption('#colour', mode);
    assert.deepEqual(await page.evaluate(() => [window.hacked, document.images.length]), [undefined, 0]);
    const policy = await page.getAttribute('meta[http-equiv="Content-Security-Policy"]', 'content');
    for (const rule of ["default-src 'none'", "connect-src 'none'", "script-src 'sha256-", "style-src 'sha256-"])
        assert.ok(policy.includes(rule), rule);
    assert.ok(!/unsafe|https?:/.test(policy), 'nothing else is allowed');
    rig.checkSilence();
    // even what gets in cannot get out
    const out = await page.evaluate(() => fetch('https://example.org/').then(() => 'sent', () => 'refused'));
    assert.equal(out, 'refused');
    await page.evaluate(() => document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.hacked = 2' })));
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.ok(rig.complaints.some((text) => text.includes('Content Security Policy')));
}

// What a text may try: to end its element, a string, a comment, a line; to be taken for markup,
// for code of a template, for a member of every object, or to be read from right to left.
const attacks = [
    '</script><script>window.hacked = 3</script>',
    '</SCRIPT ><svg/onload=window.hacked=4>',
    '<!--<script>',
    '--></title><iframe srcdoc="<script>parent.hacked=5</script>">',
    `";window.hacked=6;//`,
    `'+(window.hacked=7)+'`,
    '&lt;b&gt;&quot;&amp;&#x3c;',
    'line\u2028separator\u2029paragraph',
    '${window.hacked=8}`\\u003c\\',
    ']]></style><style>*{display:none}</style>',
    'javascript:window.hacked=9',
    '\u{1f4a5} é',
    '__proto__',
];

// Nothing of any text was executed, and nothing of it became an element.
async function checkInert(rig, scripts) {
    const found = await rig.page.evaluate(() => ({
        hacked: window.hacked,
        polluted: Object.keys(Object.prototype).concat(Object.keys({}.__proto__)),
        strangers: [...document.querySelectorAll('img, iframe, svg[onload], head style ~ style, body style, [onerror], [srcdoc]')].map((node) => node.outerHTML),
        scripts: document.scripts.length,
        shown: getComputedStyle(document.getElementById('title')).display,
    }));
    assert.deepEqual(found, { hacked: undefined, polluted: [], strangers: [], scripts, shown: 'block' });
    rig.checkSilence();
}

// A string of YAML.
function quote(text) {
    return JSON.stringify(text).replace(/[\u{7f}-\u{10ffff}]/gu, (c) => `\\U${c.codePointAt(0).toString(16).padStart(8, '0')}`);
}

// Free texts of a scene show as they are, in every place where one can stand.
async function checkNames(rig) {
    const isName = (text) => !/["',\u2028\u2029]/.test(text); // of a body: what a CSV file can hold
    const bodies = attacks.filter(isName), flat = attacks.join(' ').replace(/[\u2028\u2029]/g, ' ');
    let scripts = 0;
    for (const [i, attack] of [attacks[0], '__proto__', flat].entries()) {
        const name = quote(attack);
        writeFileSync(rig.path('bad.yaml'), `thud: 1
title: ${name}
about: ${quote(attacks.join(' '))}
kind: spheres
units: {length: ${name}, time: ${name}, mass: ${name}}
time: {step: 0.01, end: 0.03, frames: 3}
materials: {__proto__: {density: 1}, constructor: {density: 2}}
bodies:
${bodies.map((text, k) => `  - {name: ${quote(text)}, at: [${4 * k}, 0, 0], radius: 1, velocity: [0, 1, 0], material: ${k % 2 ? '__proto__' : 'constructor'}}`).join('\n')}
walls: {__proto__: {plane: {point: [0, 0, -3], normal: [0, 0, 1]}}, toString: {ball: {center: [0, 9, 0], radius: 1}}}
measure: {hasOwnProperty: {force_on: __proto__}}
`);
        rig.thud('run', 'bad.yaml', '--out', 'a.run', '--quiet', '--replace');
        rig.thud('view', 'a.run', '--out', 'a.html', '--quiet');
        assert.equal(JSON.parse(rig.thud('info', 'a.run', '--json')).title, attack);
        if (i === 0) await rig.open();
        else rig.requests = [];
        const { page } = rig;
        if (i > 0) await page.goto(rig.url);
        await page.waitForFunction(() => document.documentElement.dataset.ready === 'yes');
        scripts ||= await page.evaluate(() => document.scripts.length);
        assert.equal(await page.evaluate(() => thud.run.scene.title), attack);
        assert.equal(await page.textContent('#title'), attack);
        assert.ok((await page.textContent('#fact-step')).endsWith(attack), 'unit of time');
        assert.ok((await page.textContent('#about-text')).includes(attacks.join(' ').replace(/\s+/g, ' ')), 'about');
        const shown = await page.evaluate((count) => Array.from({ length: count }, (_, k) => {
            thud.select(k);
            return document.querySelector('#picked h2').textContent;
        }), bodies.length);
        assert.deepEqual(shown, bodies.map((text, k) => `Body ${k}, ${text}`));
        for (const mode of ['radius', 'speed', 'material']) await page.selectOption('#colour', mode);
        const families = await page.$$eval('.family', (list) => list.map((item) => item.textContent));
        assert.deepEqual(families.sort(), ['__proto__', 'constructor']);
        await checkInert(rig, scripts);
    }
    // names that are no free texts cannot be any of these
    for (const entry of ['materials: {NAME: {density: 1}}', 'walls: {NAME: {ball: {center: [0, 0, 0], radius: 1}}}', 'measure: {NAME: {coordination: all}}', 'growth: {NAME: 1}', 'parameters: {NAME: 1}'])
        for (const text of attacks.slice(0, -1)) {
            writeFileSync(rig.path('worse.yaml'), `thud: 1\nkind: spheres\ntime: {step: 1, end: 1}\nbodies: [{at: [0, 0, 0], radius: 1, mass: 1}]\n${entry.replace('NAME', () => quote(text))}\n`);
            const { status, stderr } = rig.attempt('check', 'worse.yaml');
            assert.equal(status, 3, `${entry} ${text}: ${stderr}`);
            assert.match(stderr, /is not a valid name|cannot be a name/);
        }
}

function expectError(rig, what, words) {
    const { status, stderr } = rig.attempt('view', 'a.run', '--out', 'b.html');
    assert.equal(status, 7, `${what}: ${stderr}`);
    assert.match(stderr, words, what);
    assert.ok(!rig.exists('b.html') && !rig.exists('b.html.part'), `${what}: no page`);
}

// A periodic cell: everything is drawn in it, and no contact spans the picture.
async function checkCell(rig) {
    const info = rig.make(join(scenes, 'shear.yaml'), ['time.end=1', 'time.frames=20']), page = await rig.open();
    await checkInfo(rig, info);
    const seen = await page.evaluate(() => {
        const { run, frames } = thud, { cell } = run.scene, last = run.frames.length - 1;
        const { contacts, shear } = run.frames[last], ends = [];
        for (let i = 0; i < contacts.count; i++) {
            const a = frames.position(last, contacts.a[i]), b = frames.image(last, contacts.b[i], a);
            const radii = frames.radius(last, contacts.a[i]) + frames.radius(last, contacts.b[i]);
            ends.push(Math.hypot(b[0] - a[0], b[1] - a[1]) - radii);
        }
        const bodies = Array.from({ length: run.scene.bodies }, (_, i) => frames.position(last, i));
        return { cell, shear, ends, bodies };
    });
    assert.deepEqual(seen.cell, { low: [0, 0, 0], period: [1, 1, 0] });
    near(seen.shear, 0.4, 1e-12, 'the shear');
    assert.ok(seen.ends.length > 10);
    for (const gap of seen.ends) near(gap, 0, 1e-4, 'the gap of a contact that carries load');
    for (const p of seen.bodies) assert.ok(p[0] > -1e-4 && p[0] < 1.0001 && p[1] > -1e-4 && p[1] < 1.0001);
    await page.check('#chains');
    await rig.settle();
    rig.checkSilence();
}

// A damaged run is an error and no page; one whose writer was stopped shows what is whole.
async function checkDamage(rig) {
    rig.make(join(scenes, 'growing.yaml'), ['time.end=0.2', 'time.frames=20']);
    const log = rig.path('a.run/frames.thud'), bytes = readFileSync(log);
    const flipped = Buffer.from(bytes);
    flipped[Math.floor(bytes.length * 0.6)] ^= 1;
    writeFileSync(log, flipped);
    expectError(rig, 'a flipped bit', /^thud: error: a\.run\/frames\.thud: /);
    writeFileSync(log, bytes.subarray(0, 40));
    expectError(rig, 'a truncated header', /^thud: error: a\.run\/frames\.thud: /);
    writeFileSync(log, bytes);
    const scene = rig.path('a.run/scene.yaml'), text = readFileSync(scene);
    truncateSync(scene, Math.floor(text.length / 2));
    expectError(rig, 'a truncated scene', /^thud: error: a\.run\/scene\.yaml/);
    writeFileSync(scene, text);
    const series = rig.path('a.run/series.csv'), lines = readFileSync(series, 'utf8');
    writeFileSync(series, lines.replace('\n2,', '\nx,'));
    expectError(rig, 'a wrong series', /^thud: error: a\.run\/series\.csv:4:1: /);
    writeFileSync(series, lines);
    truncateSync(log, statSync(log).size - 100);
    rig.thud('view', 'a.run', '--out', 'a.html', '--quiet');
    const page = await rig.open();
    assert.equal(await page.evaluate(() => thud.run.frames.length), 20);
    assert.match(await page.textContent('#fact-frames'), /the last was cut off/);
    rig.checkSilence();
    // a page that lost its end says so
    const title = await page.title();
    const html = readFileSync(rig.path('a.html'), 'utf8');
    const at = html.indexOf('id="thud-data">') + 1000;
    writeFileSync(rig.path('a.html'), html.slice(0, at) + html.slice(html.indexOf('</script>', at)));
    await page.reload();
    await page.waitForFunction(() => document.documentElement.dataset.ready === 'no');
    assert.match(await page.textContent('#message'), /could not be shown: its data are damaged/);
    // title and text do not wait for the data
    assert.equal(await page.textContent('#title'), title);
    assert.notEqual((await page.textContent('#about-text')).trim(), '');
}

const cases = {
    hopper: (rig) => checkSpheres(rig, 'hopper.yaml', ['bodies.0.fill.count=120', 'time.end=0.5', 'time.frames=25'], 5),
    drum: (rig) => checkObstacles(rig, 'drum.yaml', ['time.end=0.3', 'time.frames=15']),
    discharge: (rig) => checkObstacles(rig, 'discharge.yaml', ['bodies.0.lattice.count=[19, 12]', 'time.end=0.3', 'time.frames=15']),
    growing: (rig) => checkSpheres(rig, 'growing.yaml', [], 5),
    plate: (rig) => checkInclusion(rig, 'plate.yaml', 2),
    corner: (rig) => checkInclusion(rig, 'corner.yaml', 2),
    crowd: (rig) => checkInclusion(rig, 'crowd.yaml', 1),
    cell: checkCell,
    hostile: checkHostile,
    names: checkNames,
    damage: checkDamage,
};

await runCase(program, wanted, cases);
