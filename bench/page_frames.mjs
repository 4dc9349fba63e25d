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

// Milliseconds of every frame while the camera turns and time goes on; reading a pixel waits for
// the picture to be whole.
function draw(count) {
    const { world, player } = thud, gl = world.renderer.getContext(), pixel = new Uint8Array(4), times = [];
    for (let i = 0; i < count; i++) {
        const begun = performance.now();
        player.at = i % player.last;
        world.view.camera.position.applyAxisAngle(world.view.up, 0.05);
        world.view.controls.update();
        world.still(); // with all pixels, however slow
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        times.push(performance.now() - begun);
    }
    return times.sort((a, b) => a - b);
}

process.stdout.write('spheres    page MB   opened s   frame ms (median, worst), 720 x 560 pixels, software rendering\n');
for (const size of sizes) {
    const rig = new Rig(resolve(program));
    try {
        writeFileSync(rig.path('many.yaml'), scene(size));
        rig.make('many.yaml');
        const begun = performance.now(), page = await rig.open();
        const opened = (performance.now() - begun) / 1000;
        const times = await page.evaluate(draw, mode === '--quick' ? 3 : 20);
        const megabytes = statSync(rig.path('a.html')).size / 1e6;
        const cells = [size[0] * size[1] * size[2], megabytes.toFixed(1), opened.toFixed(1),
            `${times[times.length >> 1].toFixed(0)}, ${times.at(-1).toFixed(0)}`];
        process.stdout.write(`${cells.map((text, i) => String(text).padEnd([11, 10, 11, 0][i])).join('')}\n`);
    } finally {
        await rig.close();
    }
}
