// The camera of a scene in the plane: straight from above, it pans and zooms.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

export class FlatCamera {
    constructor(space, gravity, canvas) {
        const [x, y] = space.low, [width, height] = space.extent;
        this.middle = new THREE.Vector3(x + width / 2, y + height / 2, 0);
        this.width = 1.1 * width || 1;
        this.height = 1.1 * height || 1;
        this.far = Math.max(this.width, this.height);
        this.camera = new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 4 * this.far);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableRotate = false;
        this.controls.screenSpacePanning = true;
        this.controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
        this.controls.touches.ONE = THREE.TOUCH.PAN;
        this.controls.touches.TWO = THREE.TOUCH.DOLLY_PAN;
        this.home();
    }

    home() {
        this.camera.position.copy(this.middle).setZ(2 * this.far);
        this.camera.zoom = 1;
        this.camera.updateProjectionMatrix();
        this.controls.target.copy(this.middle);
        this.controls.update();
    }

    resize(width, height) {
        const per = Math.max(this.width / width, this.height / height) / 2;
        Object.assign(this.camera, { left: -per * width, right: per * width, top: per * height, bottom: -per * height });
        this.camera.updateProjectionMatrix();
    }
}
