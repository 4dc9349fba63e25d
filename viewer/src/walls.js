// Walls: each plane cut to the space of the scene and to the free side of all other walls. Seen from
// behind a wall is an outline only, so that it hides nothing.
import * as THREE from 'three';

// The part of a polygon with normal . x >= offset.
function clip(polygon, normal, offset) {
    const out = [], height = (p) => normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2] - offset;
    for (let i = 0; i < polygon.length; i++) {
        const p = polygon[i], q = polygon[(i + 1) % polygon.length], a = height(p), b = height(q);
        if (a >= 0) out.push(p);
        if (a * b < 0) out.push(p.map((x, k) => x + (q[k] - x) * a / (a - b)));
    }
    return out;
}

function square(normal, offset, middle, reach) {
    const n = new THREE.Vector3(...normal);
    const side = Math.abs(n.x) > 0.9 ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(1, 0, 0);
    const u = side.clone().cross(n).normalize(), v = n.clone().cross(u);
    const c = new THREE.Vector3(...middle);
    c.addScaledVector(n, offset - n.dot(c));
    return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) =>
        c.clone().addScaledVector(u, a * reach).addScaledVector(v, b * reach).toArray());
}

export class Walls {
    constructor(run, space) {
        this.run = run;
        // somewhat beyond the space itself, and never narrow
        const most = Math.max(...space.extent), half = space.extent.map((x) => Math.max(0.5 * x + 0.02 * most, 0.16 * most));
        this.middle = space.low.map((x, k) => x + space.extent[k] / 2);
        this.low = this.middle.map((x, k) => x - half[k]);
        this.high = this.middle.map((x, k) => x + half[k]);
        this.reach = 4 * Math.max(...this.high.map((x, k) => x - this.low[k]));
        this.group = new THREE.Group();
        this.fill = new THREE.MeshBasicMaterial({
            transparent: true, opacity: 0.5, side: THREE.FrontSide, depthWrite: false,
            polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2,
        });
        this.line = new THREE.LineBasicMaterial({ transparent: true });
        this.parts = run.scene.walls.map((name, i) => {
            const show = run.scene.shows?.[i] ?? 'solid'; // as the scene says
            const face = new THREE.Mesh(new THREE.BufferGeometry(), this.fill);
            const edge = new THREE.LineLoop(new THREE.BufferGeometry(), this.line);
            face.renderOrder = -1;
            if (show === 'solid') this.group.add(face);
            if (show !== 'hidden') this.group.add(edge);
            return { face, edge };
        });
        if (run.scene.cell) this.addCell(run.scene);
        if (run.scene.dim === 2) this.addGround();
    }

    // The edges of a periodic cell; on the other axes it is as long as the space.
    addCell({ cell, dim }) {
        const ends = cell.period.map((length, k) => (length > 0 ? [cell.low[k], cell.low[k] + length]
            : dim === 3 || k < 2 ? [this.low[k], this.high[k]] : [0, 0]));
        const points = [];
        for (let axis = 0; axis < dim; axis++)
            for (let side = 0; side < 4; side++)
                for (const end of [0, 1]) {
                    const corner = [0, 0, 0];
                    corner[axis] = ends[axis][end];
                    corner[(axis + 1) % 3] = ends[(axis + 1) % 3][side & 1];
                    corner[(axis + 2) % 3] = ends[(axis + 2) % 3][side >> 1];
                    points.push(corner);
                }
        const edges = new THREE.BufferGeometry();
        edges.setAttribute('position', new THREE.Float32BufferAttribute(points.flat(), 3));
        this.group.add(new THREE.LineSegments(edges, this.line));
    }

    // In the plane the free space itself is filled.
    addGround() {
        this.ground = new THREE.Mesh(new THREE.BufferGeometry(), this.fill);
        this.ground.renderOrder = -2;
        this.group.add(this.ground);
        for (const { face } of this.parts) this.group.remove(face);
    }

    showGround(walls) {
        const [x0, y0] = this.low, [x1, y1] = this.high;
        let polygon = [[x0, y0, 0], [x1, y0, 0], [x1, y1, 0], [x0, y1, 0]];
        for (let i = 0; i < this.parts.length; i++)
            polygon = clip(polygon, walls.subarray(4 * i, 4 * i + 3), walls[4 * i + 3]);
        this.setPolygon(this.ground, polygon);
    }

    setPolygon(mesh, polygon) {
        const fans = [];
        for (let k = 2; k < polygon.length; k++) fans.push(0, k - 1, k);
        mesh.geometry.dispose();
        mesh.geometry = new THREE.BufferGeometry();
        mesh.geometry.setAttribute('position', new THREE.Float32BufferAttribute(polygon.flat(), 3));
        if (mesh.isMesh) mesh.geometry.setIndex(fans);
        mesh.visible = polygon.length > 2;
        mesh.frustumCulled = false;
    }

    polygon(walls, i) {
        const plane = (k) => [walls.subarray(4 * k, 4 * k + 3), walls[4 * k + 3]];
        let polygon = square(...plane(i), this.middle, this.reach);
        for (let k = 0; k < 3; k++) {
            const axis = [0, 0, 0];
            axis[k] = 1;
            polygon = clip(polygon, axis, this.low[k]);
            polygon = clip(polygon, axis.map((x) => -x), -this.high[k]);
        }
        for (let k = 0; k < this.parts.length; k++)
            if (k !== i) polygon = clip(polygon, ...plane(k));
        return polygon;
    }

    show(index) {
        const { walls } = this.run.frames[index];
        const key = walls.join();
        if (key === this.key) return;
        this.key = key;
        this.parts.forEach(({ face, edge }, i) => {
            const polygon = this.polygon(walls, i);
            this.setPolygon(face, polygon);
            this.setPolygon(edge, polygon);
        });
        if (this.ground && this.parts.length > 0) this.showGround(walls);
    }

    theme(fill, line, opacity) {
        this.fill.color.set(fill);
        this.fill.opacity = opacity;
        this.line.color.set(line);
    }
}
