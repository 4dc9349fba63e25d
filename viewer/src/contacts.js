// Force chains: a rod along every contact that carries load, as thick as its multiplier is large.
import * as THREE from 'three';
import { shader, squares, table } from './quads.js';

const vertex = `
precision highp float;
precision highp int;
uniform sampler2D begin, end;
uniform mat4 modelViewMatrix, projectionMatrix;
uniform float thin, thick;
uniform bool flat_view;
out float across;
out float share;
${shader}
void main() {
    ivec2 entry = entry_of(square_of());
    vec4 from = texelFetch(begin, entry, 0), to = texelFetch(end, entry, 0);
    vec2 corner = corner_of();
    float load = from.w;
    vec3 a = (modelViewMatrix * vec4(from.xyz, 1.0)).xyz, b = (modelViewMatrix * vec4(to.xyz, 1.0)).xyz;
    vec3 along = normalize(b - a), eye = flat_view ? vec3(0.0, 0.0, 1.0) : -normalize(a + b);
    vec3 side = normalize(cross(along, eye));
    float width = mix(thin, thick, load);
    vec3 at = mix(a, b, 0.5 + 0.5 * corner.y) + side * corner.x * width;
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
        this.count = 0;
        const sorted = Float32Array.from(run.radius).sort(), r = sorted[sorted.length >> 1] || 1;
        const vector = () => ({ value: new THREE.Vector3() });
        this.material = new THREE.RawShaderMaterial({
            glslVersion: THREE.GLSL3, vertexShader: vertex, fragmentShader: fragment,
            side: THREE.DoubleSide, transparent: isFlat, depthTest: !isFlat, depthWrite: !isFlat,
            uniforms: {
                thin: { value: 0.02 * r }, thick: { value: 0.42 * r }, flat_view: { value: isFlat },
                weak: vector(), strong: vector(), begin: { value: null }, end: { value: null },
            },
        });
        this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), this.material);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = 2;
        this.mesh.visible = false;
        this.shown = -1;
    }

    // The lists are made when they are first wanted.
    allocate() {
        this.begin = table('f32x4', this.most);
        this.end = table('f32x4', this.most);
        this.material.uniforms.begin.value = this.begin.texture;
        this.material.uniforms.end.value = this.end.texture;
        this.mesh.geometry = squares(this.most);
    }

    // The foot of a point on a wall.
    foot(walls, wall, p) {
        const n = walls.subarray(4 * wall, 4 * wall + 3), offset = walls[4 * wall + 3];
        const height = n[0] * p[0] + n[1] * p[1] + n[2] * p[2] - offset;
        return p.map((x, k) => x - height * n[k]);
    }

    show(index) {
        if (!this.mesh.visible || index === this.shown) return;
        if (!this.begin) this.allocate();
        this.shown = index;
        const { contacts, walls } = this.run.frames[index];
        for (let i = 0; i < contacts.count; i++) {
            const a = this.frames.position(index, contacts.a[i]), b = contacts.b[i];
            this.begin.array.set(a, 4 * i);
            this.begin.array[4 * i + 3] = Math.min(contacts.force[i] / this.full, 1.25);
            const end = b >= 0 ? this.frames.image(index, b, a)
                : contacts.feet.get(i) ?? this.foot(walls, -1 - b, a);
            this.end.array.set(end, 4 * i);
        }
        this.count = contacts.count;
        this.mesh.geometry.setDrawRange(0, 6 * this.count);
        this.begin.texture.needsUpdate = true;
        this.end.texture.needsUpdate = true;
    }
}
