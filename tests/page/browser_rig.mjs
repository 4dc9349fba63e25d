// What the tests in the browser share: a run by the program, its page in headless Chromium, and all
// that the page asked for or complained of.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const viewer = new URL('../../viewer/package.json', import.meta.url);
const { chromium } = createRequire(viewer)('playwright-core');
const browserPath = process.env.THUD_CHROMIUM ?? '/usr/bin/chromium';
const patience = Number(process.env.THUD_PATIENCE ?? 240000); // generous: a loaded machine is no fault

export class Rig {
    constructor(program) {
        this.program = program;
        this.folder = mkdtempSync(join(tmpdir(), 'thud-page-'));
    }

    path(name) { return join(this.folder, name); }
    exists(name) { return existsSync(this.path(name)); }

    thud(...words) {
        return execFileSync(this.program, words, { cwd: this.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    }

    // The same where it may fail: { status, stderr }.
    attempt(...words) {
        return spawnSync(this.program, words, { cwd: this.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    }

    // Run a scene and write its page.
    make(scene, set = []) {
        this.thud('run', scene, '--out', 'a.run', '--quiet', ...set.flatMap((value) => ['--set', value]));
        this.thud('view', 'a.run', '--out', 'a.html', '--quiet');
        return JSON.parse(this.thud('info', 'a.run', '--json'));
    }

    // The exact numbers: a list of objects for each file of the export.
    exported(file) {
        if (!this.exists('csv')) this.thud('export', 'a.run', '--format', 'csv', '--out', 'csv', '--quiet');
        const [head, ...lines] = readFileSync(this.path(`csv/${file}.csv`), 'utf8').trimEnd().split('\n');
        const names = head.split(',');
        return lines.map((line) => Object.fromEntries(line.split(',').map((x, i) => [names[i], x])));
    }

    async open(name = 'a.html', options = {}) {
        assert.ok(existsSync(browserPath), `${browserPath} is missing: these tests need Chromium`);
        this.browser = await chromium.launch({
            executablePath: browserPath,
            chromiumSandbox: process.getuid() !== 0,
            args: ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
        });
        const page = await this.browser.newPage({ viewport: { width: 1100, height: 720 }, acceptDownloads: true, reducedMotion: 'reduce', ...options });
        page.setDefaultTimeout(patience);
        this.complaints = [];
        this.requests = [];
        page.on('console', (message) => {
            // the driver of a machine without a graphics card has its own worries
            if (!/GPU stall|Automatic fallback to software/.test(message.text()))
                this.complaints.push(`${message.type()}: ${message.text()}`);
        });
        page.on('pageerror', (error) => this.complaints.push(`error: ${error.stack}`));
        page.on('request', (request) => this.requests.push(request.url()));
        this.url = pathToFileURL(this.path(name)).href;
        await page.goto(this.url);
        await page.waitForFunction(() => document.documentElement.dataset.ready);
        assert.equal(await page.evaluate(() => document.documentElement.dataset.ready), 'yes');
        this.page = page;
        return page;
    }

    // The pixels of a PNG: { width, height, data (RGBA) }.
    async pixels(name) {
        const url = `data:image/png;base64,${readFileSync(this.path(name)).toString('base64')}`;
        const { width, height, text } = await this.page.evaluate(async (source) => {
            const image = new Image();
            image.src = source;
            await image.decode();
            const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
            const context = canvas.getContext('2d');
            context.drawImage(image, 0, 0);
            const { data } = context.getImageData(0, 0, image.width, image.height);
            let letters = '';
            for (let i = 0; i < data.length; i += 4096) letters += String.fromCharCode(...data.subarray(i, i + 4096));
            return { width: image.width, height: image.height, text: btoa(letters) };
        }, url);
        return { width, height, data: Buffer.from(text, 'base64') };
    }

    // The picture on the stage, in full resolution.
    async stage() {
        const url = await this.page.evaluate(() => thud.world.still().toDataURL());
        writeFileSync(this.path('stage.png'), Buffer.from(url.split(',')[1], 'base64'));
        return this.pixels('stage.png');
    }

    // Two frames of the screen: what was asked for has been drawn.
    async settle() {
        await this.page.evaluate(() => new Promise((done) => {
            requestAnimationFrame(() => requestAnimationFrame(done));
        }));
    }

    // Nothing was said on the console, and nothing was asked of anyone.
    checkSilence() {
        assert.deepEqual(this.complaints, []);
        assert.deepEqual(this.requests.filter((url) => !url.startsWith('blob:')), [this.url]);
    }

    async close() {
        await this.browser?.close();
        rmSync(this.folder, { recursive: true, force: true });
    }
}

// Run the case `wanted` of a table of functions, each of which takes a rig.
export async function runCase(program, wanted, cases) {
    const rig = new Rig(program);
    try {
        await cases[wanted](rig);
        process.stdout.write(`${wanted}: passed\n`);
    } finally {
        await rig.close();
    }
}
