// Force chains as thud render draws them: a line along every contact that carries load, as thick as its
// force, with the thickest at the force that the frame says.
import * as THREE from 'three';
import { shader, squares, table } from './quads.js';

const vertex = `
precision highp float;
precision highp int;
uniform sampler2D begin, end;
uniform mat4 modelViewMatrix, projectionMatrix;
uniform float thick, pixel, far;
uniform bool flat_view;
out float across;
out float share;
out float cover;
out float depth;
${shader}
void main() {
    ivec2 entry = entry_of(square_of());
    vec4 from = texelFetch(begin, entry, 0), to = texelFetch(end, entry, 0);
    vec2 corner = corner_of();
    vec3 a = (modelViewMatrix * vec4(from.xyz, 1.0)).xyz, b = (modelViewMatrix * vec4(to.xyz, 1.0)).xyz;
    vec3 along = normalize(b - a), eye = flat_view ? vec3(0.0, 0.0, 1.0) : -normalize(a + b);
    vec3 side = normalize(cross(along, eye));
    // what is thinner than a pixel is drawn as one, and as much paler
    float wanted = thick * from.w, least = 0.55 * pixel * (flat_view ? 1.0 : -0.5 * (a.z + b.z));
    float width = max(wanted, least), beyond = corner.y * (flat_view ? width : 0.0);
    vec3 at = mix(a, b, 0.5 + 0.5 * corner.y) + side * corner.x * width + along * beyond;
    across = corner.x;
    share = from.w;
    cover = clamp(wanted / least, 0.12, 1.0);
    depth = flat_view ? 0.0 : clamp(0.5 + (-0.5 * (a.z + b.z) - far) / far * 2.0, 0.0, 1.0);
    gl_Position = projectionMatrix * vec4(at, 1.0);
}`;

const fragment = `
precision highp float;
in float across;
in float share;
in float cover;
in float depth;
uniform vec3 weak, strong, ground;
uniform bool flat_view;
out vec4 colour;
void main() {
    float round_off = sqrt(max(1.0 - across * across, 0.0));
    vec3 line = flat_view ? strong : mix(weak, strong, 0.4 + 0.6 * share) * (0.7 + 0.3 * round_off);
    colour = vec4(mix(line, ground, 0.45 * depth), cover);
}`;

// Parts of the largest force below which nothing is drawn.
const least = { flat: 0.01, space: 0.03 };

export class Chains {
    constructor(run, frames, isFlat) {
        this.run = run;
        this.frames = frames;
        this.isFlat = isFlat;
        this.threshold = 0; // of the largest force
        this.most = Math.max(1, ...run.frames.map((frame) => frame.contacts.count));
        this.count = 0;
        const r = run.radius.reduce((sum, x) => sum + x, 0) / run.radius.length || 1;
        const vector = () => ({ value: new THREE.Vector3() });
        this.material = new THREE.RawShaderMaterial({
            glslVersion: THREE.GLSL3, vertexShader: vertex, fragmentShader: fragment,
            side: THREE.DoubleSide, transparent: true, depthTest: !isFlat, depthWrite: !isFlat,
            uniforms: {
                thick: { value: (isFlat ? 0.3 : 0.42) * r }, flat_view: { value: isFlat },
                pixel: { value: 0 }, far: { value: 1 }, weak: vector(), strong: vector(), ground: vector(),
                begin: { value: null }, end: { value: null },
            },
        });
        this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), this.material);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = 2;
        // bodies do not hide chains, nearer chains do
        this.mesh.onBeforeRender = (renderer) => renderer.clearDepth();
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

    // The force that the thickest lines of a frame stand for.
    full(index) { return this.run.frames[index].fullForce; }

    setThreshold(part) {
        this.threshold = part;
        this.shown = -1;
    }

    show(index) {
        if (!this.mesh.visible || index === this.shown) return;
        if (!this.begin) this.allocate();
        this.shown = index;
        this.count = 0;
        const { contacts, walls } = this.run.frames[index], full = this.full(index);
        const lowest = Math.max(this.threshold, this.isFlat ? least.flat : least.space);
        for (let i = 0; i < contacts.count; i++) {
            const part = contacts.force[i] / full;
            if (!(part >= lowest)) continue;
            const a = this.frames.position(index, contacts.a[i]), b = contacts.b[i], at = 4 * this.count++;
            this.begin.array.set(a, at);
            this.begin.array[at + 3] = Math.min(part, 1);
            const end = b >= 0 ? this.frames.image(index, b, a)
                : contacts.feet.get(i) ?? this.foot(walls, -1 - b, a);
            this.end.array.set(end, at);
        }
        this.mesh.geometry.setDrawRange(0, 6 * this.count);
        this.begin.texture.needsUpdate = true;
        this.end.texture.needsUpdate = true;
    }
}
