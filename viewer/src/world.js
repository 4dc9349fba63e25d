// The stage for spheres and disks: camera, light, and what is drawn when.
import * as THREE from 'three';
import { FlatCamera, SpaceCamera } from './cameras.js';
import { colour, element, rgb, themeName } from './dom.js';
import { Chains } from './contacts.js';
import { Obstacles } from './obstacles.js';
import { startSpace, wholeSpace } from './space.js';
import { Spheres } from './spheres.js';
import { Walls } from './walls.js';

// Fewer pixels where the machine is slow, for as long as things move.
class Resolution {
    constructor(renderer) {
        this.renderer = renderer;
        this.part = 1;
        this.slow = this.fast = 0;
    }

    set(part) {
        if (part === this.part) return false;
        this.part = part;
        this.renderer.setPixelRatio(part * Math.min(window.devicePixelRatio, 2));
        return true;
    }

    // Two pictures in a row were so many milliseconds apart.
    note(milliseconds) {
        this.slow = milliseconds > 70 ? this.slow + 1 : 0;
        this.fast = milliseconds < 24 ? this.fast + 1 : 0;
        if (this.slow >= 2 && this.part > 0.3) {
            this.slow = 0;
            this.set(this.part * 0.7);
        } else if (this.fast >= 40 && this.part < 1) {
            this.fast = 0;
            this.set(Math.min(1, this.part / 0.7));
        }
    }
}

export class World {
    constructor(run, frames, player, colours, place) {
        Object.assign(this, { run, frames, player, colours, place });
        const isFlat = run.scene.dim === 2;
        // smooth edges are for bodies that are more than a few pixels wide
        const antialias = run.scene.bodies <= 30000;
        // alpha says how much of a pixel is covered, and nothing of what is behind the canvas
        const options = { alpha: false, antialias, preserveDrawingBuffer: true };
        const canvas = element('canvas'), context = canvas.getContext('webgl2', options);
        if (!context) throw new Error('this browser has no WebGL 2');
        this.renderer = new THREE.WebGLRenderer({ canvas, context });
        this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
        THREE.ColorManagement.enabled = false;
        this.canvas = canvas;
        this.canvas.tabIndex = 0;
        this.canvas.setAttribute('role', 'img');
        this.canvas.setAttribute('aria-label', `${run.scene.title}: the ${isFlat ? 'disks' : 'spheres'} at the time shown`);
        place.append(this.canvas);
        const View = isFlat ? FlatCamera : SpaceCamera;
        this.space = startSpace(run, frames);
        this.view = new View(this.space, run.scene.gravity, this.canvas);
        this.view.controls.addEventListener('change', () => this.draw());
        this.scene = new THREE.Scene();
        this.spheres = new Spheres(run, frames, isFlat);
        this.walls = new Walls(run, this.space);
        this.obstacles = new Obstacles(run);
        this.chains = new Chains(run, frames, isFlat);
        this.scene.add(this.walls.group, this.obstacles.group, this.spheres.mesh, this.chains.mesh);
        this.resolution = new Resolution(this.renderer);
        this.isDue = true;
        this.drawn = -Infinity; // when
        this.watch();
    }

    watch() {
        new ResizeObserver(() => this.resize()).observe(this.place);
        this.player.addEventListener('move', () => this.draw());
        this.canvas.addEventListener('pointerdown', (event) => { this.pressed = [event.clientX, event.clientY]; });
        this.canvas.addEventListener('pointerup', (event) => {
            const [x, y] = this.pressed ?? [NaN, NaN];
            if (Math.hypot(event.clientX - x, event.clientY - y) < 4) this.pick(event);
        });
        this.canvas.addEventListener('webglcontextrestored', () => this.draw());
        this.resize();
    }

    resize() {
        const width = Math.max(1, this.place.clientWidth), height = Math.max(1, this.place.clientHeight);
        this.renderer.setPixelRatio(this.resolution.part * Math.min(window.devicePixelRatio, 2));
        this.renderer.setSize(width, height);
        this.view.resize(width, height);
        this.draw();
    }

    draw() { this.isDue = true; }

    theme() {
        const uniforms = this.chains.material.uniforms, sphere = this.spheres.material.uniforms;
        this.renderer.setClearColor(colour('--stage'), 1);
        this.walls.theme(colour('--wall'), colour('--wall-edge'), Number(colour('--wall-opacity')));
        this.obstacles.theme(rgb(colour('--wall-edge')), colour('--obstacle-edge'));
        this.colours.theme(themeName());
        uniforms.weak.value.set(...rgb(colour('--wall-edge')));
        uniforms.strong.value.set(...rgb(this.colours.chain));
        uniforms.ground.value.set(...rgb(colour('--stage')));
        sphere.accent.value.set(...rgb(colour('--picked')));
        sphere.ground.value.set(...rgb(colour('--wall')));
        sphere.rim.value.set(...rgb(colour('--rim')));
        this.recolour();
    }

    recolour() {
        if (this.spheres.shown >= 0) this.spheres.paint(this.colours);
        this.draw();
    }

    showChains(on) {
        this.chains.mesh.visible = on;
        this.spheres.material.uniforms.fade.value = !on ? 0 : this.run.scene.dim === 2 ? 0.55 : 0.8;
        this.draw();
    }

    // Leave out forces below that part of the largest.
    hideBelow(part) {
        this.chains.setThreshold(part);
        this.draw();
    }

    showWalls(on) {
        this.walls.group.visible = this.obstacles.group.visible = on;
        this.draw();
    }

    select(body) {
        this.spheres.material.uniforms.selected.value = body;
        this.draw();
    }

    pick(event) {
        const box = this.canvas.getBoundingClientRect(), caster = new THREE.Raycaster();
        const x = 2 * (event.clientX - box.left) / box.width - 1;
        const y = 1 - 2 * (event.clientY - box.top) / box.height;
        caster.setFromCamera(new THREE.Vector2(x, y), this.view.camera);
        const body = this.spheres.pick(caster.ray.origin, caster.ray.direction);
        this.canvas.dispatchEvent(new CustomEvent('pick', { detail: body, bubbles: true }));
    }

    // Where a body is on the page, in pixels.
    project(body) {
        const at = new THREE.Vector3(...this.frames.position(this.player.index, body));
        const box = this.canvas.getBoundingClientRect();
        at.project(this.view.camera);
        return [box.left + (at.x + 1) / 2 * box.width, box.top + (1 - at.y) / 2 * box.height];
    }

    // Draw if something has changed; with all pixels once nothing does any more.
    frame(now = 0) {
        if (!this.isDue) {
            if (now - this.drawn > 250 && this.resolution.set(1)) this.render();
            return false;
        }
        this.isDue = false;
        if (now - this.drawn < 1000) this.resolution.note(now - this.drawn);
        this.drawn = now;
        this.render();
        return true;
    }

    render() {
        this.spheres.show(this.player.index, this.player.fraction, this.colours);
        this.walls.show(this.player.index);
        this.obstacles.show(this.player.index);
        this.chains.show(this.player.index);
        this.chains.material.uniforms.pixel.value = this.view.pixel;
        this.chains.material.uniforms.far.value = this.view.distance ?? 1;
        this.renderer.render(this.scene, this.view.camera);
    }

    still() {
        this.resolution.set(1);
        this.render();
        return this.canvas;
    }

    // Show the place where the run begins, or all that any frame has.
    home() { this.move((view) => view.frame(this.space)); }
    showAll() { this.move((view) => view.frame(wholeSpace(this.run, this.frames))); }
    zoom(by) { this.move((view) => view.zoom(by)); }
    turn(right, up) { this.move((view) => view.turn(right, up)); }

    move(act) {
        act(this.view);
        this.draw();
    }
}
