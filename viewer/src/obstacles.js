// Obstacles: solids as bodies, containers and sheets as glass with lines, moved from frame to frame.
import * as THREE from 'three';

const vertex = `
out vec3 place;
void main() {
    vec4 at = modelViewMatrix * vec4(position, 1.0);
    place = at.xyz;
    gl_Position = projectionMatrix * at;
}`;

// Flat sides, lit from the upper left of who looks.
const fragment = `
in vec3 place;
uniform vec3 tint;
uniform float opacity;
out vec4 colour;
void main() {
    vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
    float light = 0.62 + 0.38 * abs(dot(normal, normalize(vec3(-0.4, 0.65, 0.65))));
    colour = vec4(tint * light, opacity);
}`;

function glass(side, opacity) {
    return new THREE.ShaderMaterial({
        glslVersion: THREE.GLSL3, vertexShader: vertex, fragmentShader: fragment, side,
        transparent: opacity < 1, depthWrite: opacity === 1,
        uniforms: { tint: { value: new THREE.Vector3() }, opacity: { value: opacity } },
        polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
    });
}

function geometry(numbers) {
    const made = new THREE.BufferGeometry();
    made.setAttribute('position', new THREE.BufferAttribute(numbers, 3));
    return made;
}

export class Obstacles {
    constructor(run) {
        this.run = run;
        this.group = new THREE.Group();
        // of a container the far side is seen, and hides nothing
        this.fills = {
            solid: glass(THREE.DoubleSide, 1), container: glass(THREE.FrontSide, 0.45),
            sheet: glass(THREE.DoubleSide, 0.3),
        };
        this.line = new THREE.LineBasicMaterial({ transparent: true });
        this.parts = run.scene.obstacles.map(({ kind, show = 'solid' }, i) => {
            const part = new THREE.Group(), { triangles, lines } = run.surfaces[i];
            const fill = new THREE.Mesh(geometry(triangles), this.fills[kind]);
            const edge = new THREE.LineSegments(geometry(lines), this.line);
            // glass comes after all that is seen through it; in the plane the space itself is free
            fill.renderOrder = kind === 'container' ? -1 : kind === 'sheet' ? 1 : 0;
            fill.visible = show === 'solid' && (run.scene.dim === 3 || kind === 'solid');
            edge.visible = show !== 'hidden';
            part.add(fill, edge);
            part.matrixAutoUpdate = fill.frustumCulled = edge.frustumCulled = false;
            this.group.add(part);
            return part;
        });
    }

    show(index) {
        if (index === this.shown) return;
        this.shown = index;
        const { poses } = this.run.frames[index];
        this.parts.forEach((part, i) => {
            const [x, y, z, ...turn] = poses.subarray(12 * i, 12 * i + 12);
            part.matrix.set(turn[0], turn[1], turn[2], x, turn[3], turn[4], turn[5], y, turn[6], turn[7], turn[8], z, 0, 0, 0, 1);
            part.matrixWorldNeedsUpdate = true;
        });
    }

    theme(fill, line) {
        for (const material of Object.values(this.fills)) material.uniforms.tint.value.set(...fill);
        this.line.color.set(line);
    }
}
