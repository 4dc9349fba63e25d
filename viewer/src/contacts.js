// Force chains: a rod along every contact that carries load, as thick as its multiplier is large.
import * as THREE from 'three';

const vertex = `
in vec2 corner;
in vec3 from, to;
in float load;
uniform mat4 modelViewMatrix, projectionMatrix;
uniform float thin, thick;
uniform bool flat_view;
out float across;
out float share;
void main() {
    vec3 a = (modelViewMatrix * vec4(from, 1.0)).xyz, b = (modelViewMatrix * vec4(to, 1.0)).xyz;
    vec3 along = normalize(b - a), eye = flat_view ? vec3(0.0, 0.0, 1.0) : -normalize(a + b);
    vec3 side = normalize(cross(along, eye));
    float width = mix(thin, thick, load);
    vec3 at = mix(a, b, corner.y) + side * corner.x * width;
    across = corner.x;
    share = load;
    gl_Position = projectionMatrix * vec4(at, 1.0);
}`;

const fragment = `
precision highp float;
in float across;
in float share;
uniform vec3 weak, strong;
out vec4 colour;
void main() {
    float round_off = sqrt(max(1.0 - across * across, 0.0));
    colour = vec4(mix(weak, strong, smoothstep(0.0, 0.9, share)) * (0.62 + 0.38 * round_off), 1.0);
}`;

// The force that most of the run's contacts stay below.
function typical(run) {
    const sample = [], step = Math.max(1, Math.floor(run.frames.length / 60));
    for (let f = 0; f < run.frames.length; f += step) {
        const { count, force } = run.frames[f].contacts, stride = Math.max(1, Math.floor(count / 1000));
        for (let i = 0; i < count; i += stride) sample.push(force[i]);
    }
    sample.sort((a, b) => a - b);
    return sample.length ? sample[Math.floor(0.98 * (sample.length - 1))] || 1 : 1;
}

export class Chains {
    constructor(run, frames, isFlat) {
        this.run = run;
        this.frames = frames;
        this.full = typical(run);
        this.most = Math.max(1, ...run.frames.map((frame) => frame.contacts.count));
        this.geometry = new THREE.InstancedBufferGeometry();
        const corners = new Float32Array([-1, 0, 1, 0, 1, 1, -1, 1]);
        this.geometry.setAttribute('corner', new THREE.BufferAttribute(corners, 2));
        this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
        const sorted = Float32Array.from(run.radius).sort(), r = sorted[sorted.length >> 1] || 1;
        const vector = () => ({ value: new THREE.Vector3() });
        this.material = new THREE.RawShaderMaterial({
            glslVersion: THREE.GLSL3, vertexShader: vertex, fragmentShader: fragment,
            side: THREE.DoubleSide, transparent: isFlat, depthTest: !isFlat, depthWrite: !isFlat,
            uniforms: {
                thin: { value: 0.02 * r }, thick: { value: 0.42 * r }, flat_view: { value: isFlat },
                weak: vector(), strong: vector(),
            },
        });
        this.mesh = new THREE.Mesh(this.geometry, this.material);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = 2;
        this.mesh.visible = false;
        this.shown = -1;
    }

    // The arrays are made when they are first wanted.
    allocate() {
        for (const [name, size] of [['from', 3], ['to', 3], ['load', 1]]) {
            const made = new THREE.InstancedBufferAttribute(new Float32Array(size * this.most), size);
            made.setUsage(THREE.DynamicDrawUsage);
            this.geometry.setAttribute(name, made);
            this[name] = made;
        }
    }

    // The foot of a point on a wall.
    foot(walls, wall, p) {
        const n = walls.subarray(4 * wall, 4 * wall + 3), offset = walls[4 * wall + 3];
        const height = n[0] * p[0] + n[1] * p[1] + n[2] * p[2] - offset;
        return p.map((x, k) => x - height * n[k]);
    }

    show(index) {
        if (!this.mesh.visible || index === this.shown) return;
        if (!this.from) this.allocate();
        this.shown = index;
        const { contacts, walls } = this.run.frames[index];
        for (let i = 0; i < contacts.count; i++) {
            const a = this.frames.position(index, contacts.a[i]), b = contacts.b[i];
            this.from.array.set(a, 3 * i);
            this.to.array.set(b >= 0 ? this.frames.position(index, b) : this.foot(walls, -1 - b, a), 3 * i);
            this.load.array[i] = Math.min(contacts.force[i] / this.full, 1.25);
        }
        this.geometry.instanceCount = contacts.count;
        for (const name of ['from', 'to', 'load']) this[name].needsUpdate = true;
    }
}
