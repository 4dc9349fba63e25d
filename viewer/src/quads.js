// Many squares in one draw: numbers of each lie in textures, from which the vertex shader takes
// them by gl_VertexID. Instances of four vertices would be slow on most hardware.
import * as THREE from 'three';

const width = 1024;

const kinds = {
    u16: { Type: Uint16Array, format: [THREE.RGBAIntegerFormat, THREE.UnsignedShortType, 'RGBA16UI'], size: 4 },
    u8: { Type: Uint8Array, format: [THREE.RGBAFormat, THREE.UnsignedByteType, 'RGBA8'], size: 4 },
    f32: { Type: Float32Array, format: [THREE.RedFormat, THREE.FloatType, 'R32F'], size: 1 },
    f32x4: { Type: Float32Array, format: [THREE.RGBAFormat, THREE.FloatType, 'RGBA32F'], size: 4 },
};

// A list of `count` entries in a texture; write to `array`, then set `texture.needsUpdate`.
export function table(kind, count) {
    const { Type, format: [format, type, internal], size } = kinds[kind];
    const height = Math.max(1, Math.ceil(count / width)), array = new Type(size * width * height);
    const texture = new THREE.DataTexture(array, width, height, format, type);
    texture.internalFormat = internal;
    texture.unpackAlignment = 1;
    texture.needsUpdate = true;
    return { array, texture };
}

// Two triangles for each of `count` squares; vertex 4 i + k is corner k of square i.
export function squares(count) {
    const index = new Uint32Array(6 * count), geometry = new THREE.BufferGeometry();
    for (let i = 0; i < count; i++) index.set([4 * i, 4 * i + 1, 4 * i + 2, 4 * i, 4 * i + 2, 4 * i + 3], 6 * i);
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    return geometry;
}

// For vertex shaders: which square this is, where its entry lies, and the corner from (-1, -1).
export const shader = `
int square_of() { return gl_VertexID / 4; }
ivec2 entry_of(int i) { return ivec2(i % ${width}, i / ${width}); }
vec2 corner_of() {
    int k = gl_VertexID % 4;
    return vec2(k == 1 || k == 2 ? 1.0 : -1.0, k >= 2 ? 1.0 : -1.0);
}
`;
