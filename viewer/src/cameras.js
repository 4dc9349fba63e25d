// The cameras: of a scene in the plane, straight from above, and of a scene in space, which orbits.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

export class FlatCamera {
    constructor(space, gravity, canvas) {
        this.camera = new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 1);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableRotate = false;
        this.controls.screenSpacePanning = true;
        this.controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
        this.controls.touches.ONE = THREE.TOUCH.PAN;
        this.controls.touches.TWO = THREE.TOUCH.DOLLY_PAN;
        this.frame(space);
    }

    // Show that space, with a margin.
    frame(space) {
        const [x, y] = space.low, [width, height] = space.extent;
        this.middle = new THREE.Vector3(x + width / 2, y + height / 2, 0);
        this.width = 1.08 * width || 1;
        this.height = 1.08 * height || 1;
        this.far = Math.max(this.width, this.height);
        this.camera.far = 4 * this.far;
        this.camera.position.copy(this.middle).setZ(2 * this.far);
        this.camera.zoom = 1;
        this.controls.target.copy(this.middle);
        if (this.sides) this.resize(...this.sides);
        this.controls.update();
    }

    resize(width, height) {
        const per = Math.max(this.width / width, this.height / height) / 2;
        this.sides = [width, height];
        Object.assign(this.camera, { left: -per * width, right: per * width, top: per * height, bottom: -per * height });
        this.camera.updateProjectionMatrix();
    }

    // The size of a pixel in units of the scene.
    get pixel() { return (this.camera.top - this.camera.bottom) / this.camera.zoom / this.sides[1]; }

    zoom(by) {
        this.camera.zoom *= by;
        this.camera.updateProjectionMatrix();
        this.controls.update();
    }

    // Parts of the picture to the right and up.
    turn(right, up) {
        const wide = (this.camera.right - this.camera.left) / this.camera.zoom, move = new THREE.Vector3(right * wide, up * wide, 0);
        this.camera.position.add(move);
        this.controls.target.add(move);
        this.controls.update();
    }
}

export class SpaceCamera {
    constructor(space, gravity, canvas) {
        this.camera = new THREE.PerspectiveCamera(26, 1, 1, 2);
        this.up = new THREE.Vector3(...gravity).negate();
        if (this.up.lengthSq() === 0) this.up.set(0, 0, 1);
        this.up.normalize();
        this.camera.up.copy(this.up);
        this.controls = new OrbitControls(this.camera, canvas);
        this.frame(space);
    }

    frame(space) {
        this.middle = new THREE.Vector3(...space.low.map((x, k) => x + space.extent[k] / 2));
        this.corners = [];
        for (let i = 0; i < 8; i++)
            this.corners.push(new THREE.Vector3(...space.low.map((x, k) => x + (i >> k & 1) * space.extent[k])));
        this.reach = 0.5 * Math.hypot(...space.extent) || 1;
        this.camera.near = this.reach / 100;
        this.camera.far = this.reach * 30;
        this.controls.minDistance = this.reach / 20;
        this.controls.maxDistance = this.reach * 12;
        this.camera.updateProjectionMatrix();
        this.home();
    }

    // From the front, somewhat from the side and above, as near as keeps everything in view.
    home() {
        const side = Math.abs(this.up.x) > 0.9 ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(1, 0, 0);
        const front = side.clone().cross(this.up).normalize();
        side.copy(this.up).cross(front).normalize();
        const way = front.addScaledVector(side, 0.45).addScaledVector(this.up, 0.24).normalize();
        const matrix = new THREE.Matrix4().lookAt(way, new THREE.Vector3(), this.up);
        const [right, up] = [0, 1].map((k) => new THREE.Vector3().setFromMatrixColumn(matrix, k));
        const tall = Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2)), wide = tall * this.camera.aspect;
        let far = 0;
        for (const corner of this.corners) {
            const p = corner.clone().sub(this.middle), near = p.dot(way);
            far = Math.max(far, near + Math.abs(p.dot(right)) / wide, near + Math.abs(p.dot(up)) / tall);
        }
        this.camera.position.copy(this.middle).addScaledVector(way, 1.05 * far);
        this.controls.target.copy(this.middle);
        this.controls.update();
    }

    resize(width, height) {
        const first = this.height === undefined;
        this.height = height;
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
        if (first) this.home();
    }

    // The size of a pixel at distance 1.
    get pixel() { return 2 * Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2)) / this.height; }

    // How far the middle of the picture is.
    get distance() { return this.camera.position.distanceTo(this.controls.target); }

    zoom(by) {
        const { camera: { position }, controls: { target } } = this;
        position.sub(target).divideScalar(by).add(target);
        this.controls.update();
    }

    // Around what is seen: parts of a turn to the right, and up.
    turn(right, up) {
        const { position } = this.camera, { target } = this.controls, eye = position.clone().sub(target);
        const side = this.up.clone().cross(eye).normalize(), lift = eye.angleTo(this.up) - up * Math.PI;
        if (lift > 0.05 && lift < Math.PI - 0.05) eye.applyAxisAngle(side, -up * Math.PI);
        position.copy(eye.applyAxisAngle(this.up, right * Math.PI)).add(target);
        this.controls.update();
    }
}
