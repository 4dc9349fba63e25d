// Spheres as impostors: each a square that faces the eye, on which the fragment shader finds the
// sphere itself and its light. In two dimensions: disks with a rim.
//
// The depth of a square is that of the sphere's centre. Where two spheres lie behind each other that
// orders them rightly, because they do not overlap: along a ray the middle of one chord is before or
// behind the whole of the other. So the hardware can leave out what is hidden before it is shaded.
import * as THREE from 'three';
import { shader, squares, table } from './quads.js';

const vertex = `
precision highp float;
precision highp int;
precision highp usampler2D;
uniform usampler2D now, next;
uniform sampler2D radius, tint;
uniform mat4 modelViewMatrix, projectionMatrix;
uniform vec3 low, extent, period;
uniform float between, size, shear;
uniform int selected;
uniform bool flat_view;
out vec3 at;
flat out vec3 centre;
flat out float r;
flat out vec3 base;
flat out float chosen;
${shader}
void main() {
    int body = square_of();
    ivec2 entry = entry_of(body);
    vec2 corner = corner_of();
    vec3 here = vec3(texelFetch(now, entry, 0).xyz), there = vec3(texelFetch(next, entry, 0).xyz);
    vec3 way = extent * ((there - here) / 65535.0);
    // who left the cell came in on the other side: it goes on as it went
    if (period.y > 0.0) {
        float turns = round(way.y / period.y);
        way -= turns * vec3(shear, period.y, 0.0);
    }
    if (period.x > 0.0) way.x -= period.x * round(way.x / period.x);
    if (period.z > 0.0) way.z -= period.z * round(way.z / period.z);
    vec3 world = low + extent * (here / 65535.0) + between * way;
    centre = (modelViewMatrix * vec4(world, 1.0)).xyz;
    chosen = body == selected ? 1.0 : 0.0;
    r = texelFetch(radius, entry, 0).x * (chosen > 0.5 ? max(size, 0.6) : size);
    base = texelFetch(tint, entry, 0).rgb;
    vec3 to = flat_view ? vec3(0.0, 0.0, -1.0) : normalize(centre);
    vec3 right = normalize(cross(to, vec3(0.0, 1.0, 0.0001)));
    vec3 up = cross(right, to);
    // in perspective a sphere looks larger than its radius
    float d2 = dot(centre, centre);
    float reach = flat_view ? r : r * sqrt(d2 / max(d2 - r * r, 1e-6 * d2));
    at = centre + 1.06 * reach * (corner.x * right + corner.y * up);
    gl_Position = projectionMatrix * vec4(at, 1.0);
}`;

const fragment = `
precision highp float;
in vec3 at;
flat in vec3 centre;
flat in float r;
flat in vec3 base;
flat in float chosen;
uniform bool flat_view;
uniform vec3 accent, rim, light, ground;
uniform float fade;
out vec4 colour;

// With chains, bodies are as pale as thud render makes them, mixed in linear light.
vec3 pale() {
    return fade > 0.0 ? pow(mix(pow(base, vec3(2.2)), pow(ground, vec3(2.2)), fade), vec3(1.0 / 2.2)) : base;
}

vec4 disk() {
    float x = length(at.xy - centre.xy) / r, w = fwidth(x);
    float edge = 1.0 - smoothstep(1.0 - w, 1.0 + w * 0.2, x);
    float line = min(clamp(0.07, w, 2.5 * w), chosen > 0.5 ? 0.4 : 0.25);
    vec3 c = mix(pale(), chosen > 0.5 ? accent : 0.62 * pale(), smoothstep(1.0 - line - w, 1.0 - line, x));
    return vec4(c, edge);
}

void main() {
    if (flat_view) {
        colour = disk();
        if (colour.a < 0.02) discard;
        return;
    }
    vec3 ray = normalize(at);
    float b = dot(ray, centre);
    float away = length(centre - b * ray) / r, w = fwidth(away);
    float cover = clamp((1.0 - away) / max(w, 1e-4) + 0.5, 0.0, 1.0);
    if (cover < 0.02) discard;
    float half_chord = sqrt(max(r * r - r * r * away * away, 0.0));
    vec3 hit = (b - half_chord) * ray;
    vec3 n = (hit - centre) / r;
    float key = 0.5 + 0.5 * dot(n, light);
    float facing = max(dot(n, -ray), 0.0);
    vec3 lit = base * (0.62 + 0.52 * key * key) * mix(0.72, 1.0, smoothstep(0.0, 0.55, facing));
    lit += 0.10 * pow(max(dot(reflect(ray, n), light), 0.0), 24.0);
    if (fade > 0.0) lit = mix(mix(rim, ground, 0.72), pale(), smoothstep(0.0, 0.4, facing));
    if (chosen > 0.5) lit = mix(accent, lit + 0.08, smoothstep(0.35, 0.5, facing));
    colour = vec4(lit, cover);
}`;

export class Spheres {
    constructor(run, frames, isFlat) {
        const count = run.scene.bodies;
        this.run = run;
        this.frames = frames;
        this.grows = run.frames.some((frame) => frame.growth.some((g, i) => g !== run.frames[0].growth[i]));
        this.now = table('u16', count);
        this.next = table('u16', count);
        this.radius = table('f32', count);
        this.tint = table('u8', count);
        this.material = this.makeMaterial(isFlat);
        this.mesh = new THREE.Mesh(squares(count), this.material);
        this.mesh.frustumCulled = false;
        this.shown = -1;
    }

    makeMaterial(isFlat) {
        return new THREE.RawShaderMaterial({
            glslVersion: THREE.GLSL3,
            vertexShader: vertex,
            fragmentShader: fragment,
            alphaToCoverage: !isFlat,
            transparent: isFlat,
            depthTest: !isFlat,
            depthWrite: !isFlat,
            uniforms: {
                now: { value: this.now.texture },
                next: { value: this.next.texture },
                radius: { value: this.radius.texture },
                tint: { value: this.tint.texture },
                low: { value: new THREE.Vector3(...this.frames.low) },
                extent: { value: new THREE.Vector3(...this.frames.extent) },
                period: { value: new THREE.Vector3(...(this.run.scene.cell?.period ?? [0, 0, 0])) },
                shear: { value: 0 },
                between: { value: 0 },
                size: { value: 1 },
                selected: { value: -1 },
                flat_view: { value: isFlat },
                accent: { value: new THREE.Vector3(1, 0.6, 0.1) },
                ground: { value: new THREE.Vector3(1, 1, 1) },
                fade: { value: 0 },
                rim: { value: new THREE.Vector3(0, 0, 0) },
                light: { value: new THREE.Vector3(-0.42, 0.74, 0.53).normalize() },
            },
        });
    }

    fill(list, index) {
        const { motion } = this.run.frames[index], { dim, bodies } = this.run.scene;
        const { array } = list;
        for (let k = 0; k < dim; k++) {
            const from = motion[k];
            for (let i = 0, to = k; i < bodies; i++, to += 4) array[to] = from[i];
        }
        list.texture.needsUpdate = true;
    }

    show(index, fraction, colours) {
        if (index !== this.shown) {
            const first = this.shown < 0;
            this.shown = index;
            this.fill(this.now, index);
            const next = Math.min(index + 1, this.run.frames.length - 1);
            this.fill(this.next, next);
            this.material.uniforms.shear.value = this.run.frames[next].shear;
            if (first || this.grows) this.fillRadii(index);
            this.paint(colours);
        }
        this.material.uniforms.between.value = fraction;
    }

    fillRadii(index) {
        for (let i = 0; i < this.run.scene.bodies; i++)
            this.radius.array[i] = this.frames.radius(index, i);
        this.radius.texture.needsUpdate = true;
    }

    paint(colours) {
        colours.paint(this.shown, this.tint.array);
        this.tint.texture.needsUpdate = true;
    }

    // The body that a ray (origin, unit direction) meets first at the frame shown, or -1.
    pick(origin, direction) {
        const size = this.material.uniforms.size.value;
        let best = -1, nearest = Infinity;
        for (let i = 0; i < this.run.scene.bodies; i++) {
            const p = this.frames.position(this.shown, i), r = this.radius.array[i] * size;
            const x = p[0] - origin.x, y = p[1] - origin.y, z = p[2] - origin.z;
            const along = x * direction.x + y * direction.y + z * direction.z;
            const left = r * r - (x * x + y * y + z * z - along * along);
            if (left < 0 || along - Math.sqrt(left) >= nearest) continue;
            nearest = along - Math.sqrt(left);
            best = i;
        }
        return best;
    }
}
