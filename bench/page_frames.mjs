// How long the page takes to open and to draw a frame, by the number of spheres; in headless
// Chromium with software rendering (SwiftShader), which is far slower than any graphics card.
//
//     node page_frames.mjs PROGRAM [--quick]
import { statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Rig } from '../tests/page/browser_rig.mjs';

const [program, mode] = process.argv.slice(2);
const sizes = mode === '--quick' ? [[10, 10, 10]] : [[25, 20, 20], [50, 50, 40]];

// Spheres in free fall: what is drawn does not depend on how they move.
function scene([x, y, z]) {
    return `thud: 1
title: Spheres to draw
kind: spheres
time: {step: 0.01, end: 0.1, frames: 10}
gravity: [0, 0, -1]
materials: {glass: {density: 1}}
bodies:
  - lattice: {origin: [0, 0, 0], count: [${x}, ${y}, ${z}], spacing: 1, radius: 0.49, material: glass}
`;
}

// Milliseconds of a frame, median and worst, while the camera turns and time goes on; reading a
// pixel waits for the picture to be whole. part: of the pixels along each side, as the page itself
// chooses on slow machines while things move.
function draw([count, part]) {
    const { world, player } = thud, gl = world.renderer.getContext(), pixel = new Uint8Array(4), times = [];
    world.resolution.set(part);
    for (let i = 0; i < count; i++) {
        const begun = performance.now();
        player.at = i % player.last;
        world.view.camera.position.applyAxisAngle(world.view.up, 0.05);
        world.view.controls.update();
        world.render();
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        times.push(performance.now() - begun);
    }
    times.sort((a, b) => a - b);
    return `${times[count >> 1].toFixed(0)}, ${times[count - 1].toFixed(0)}`;
}

const columns = [['spheres', 10], ['page MB', 10], ['opened s', 11], ['pixels', 12], ['ms a frame', 14], ['at 1/3', 0]];
const print = (cells) => process.stdout.write(`${cells.map((text, i) => String(text).padEnd(columns[i][1])).join('')}\n`);

process.stdout.write('Software rendering; median and worst milliseconds of a frame.\n');
print(columns.map(([name]) => name));
for (const size of sizes) {
    const rig = new Rig(resolve(program)), count = mode === '--quick' ? 3 : 20;
    try {
        writeFileSync(rig.path('many.yaml'), scene(size));
        rig.make('many.yaml');
        const begun = performance.now(), page = await rig.open();
        const opened = (performance.now() - begun) / 1000;
        const megabytes = statSync(rig.path('a.html')).size / 1e6;
        const pixels = await page.evaluate(() => `${thud.world.canvas.width} x ${thud.world.canvas.height}`);
        await page.evaluate(draw, [2, 1]); // shaders are compiled
        const full = await page.evaluate(draw, [count, 1]), coarse = await page.evaluate(draw, [count, 1 / 3]);
        print([size[0] * size[1] * size[2], megabytes.toFixed(1), opened.toFixed(1), pixels, full, coarse]);
    } finally {
        await rig.close();
    }
}
