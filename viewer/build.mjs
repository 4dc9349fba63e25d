// Builds the viewer: one HTML page with script, style and the hashes that allow them and nothing
// else, written as a C array.
//
//     node build.mjs OUT.c
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const mark = '<!--thud:data-->'; // where thud puts a run; src/page/pager.h has it too

// The first paragraph of an entry, as plain text.
function explanation(entry) {
    const [, first] = entry.trim().split(/\n\s*\n/);
    return first?.replace(/\s+/g, ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '').trim();
}

// The words of src/terms.json with what docs/glossary.md says of them: the module 'thud:glossary'.
function glossary() {
    const entries = new Map(readFileSync('../docs/glossary.md', 'utf8').split(/^## /m).slice(1)
        .map((entry) => [entry.split('\n', 1)[0].trim(), explanation(entry)]));
    const words = JSON.parse(readFileSync('src/terms.json', 'utf8'));
    const missing = words.filter((word) => !entries.get(word));
    if (missing.length > 0) throw new Error(`docs/glossary.md does not explain: ${missing.join(', ')}`);
    const contents = JSON.stringify(Object.fromEntries(words.map((word) => [word, entries.get(word)])));
    return {
        name: 'glossary',
        setup(builder) {
            builder.onResolve({ filter: /^thud:glossary$/ }, ({ path }) => ({ path, namespace: 'glossary' }));
            builder.onLoad({ filter: /.*/, namespace: 'glossary' }, () => ({ contents, loader: 'json' }));
        },
    };
}

async function bundle(entry) {
    const result = await build({
        entryPoints: [entry],
        plugins: [glossary()],
        bundle: true,
        minify: true,
        write: false,
        format: 'iife',
        target: ['chrome109', 'firefox113', 'safari16.4'], // DecompressionStream
        charset: 'ascii',
        legalComments: 'none',
        logLevel: 'warning',
    });
    return result.outputFiles[0].text.trim();
}

function hash(text) {
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function licences() {
    return ['three', 'uplot'].map((name) => {
        const { version, license } = JSON.parse(readFileSync(`node_modules/${name}/package.json`));
        return `${name} ${version} (${license})`;
    }).join(', ');
}

async function page() {
    const script = await bundle('src/main.js');
    const style = await bundle('src/theme.css');
    const policy = [
        "default-src 'none'",
        `script-src ${hash(script)}`,
        `style-src ${hash(style)}`,
        "img-src 'self' data: blob:",
        "connect-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
    ].join('; ');
    const parts = { policy, script, style, licences: licences() };
    const html = readFileSync('src/page.html', 'utf8')
        .replace(/@(\w+)@/g, (all, name) => parts[name] ?? all);
    if (html.split(mark).length !== 2) throw new Error(`the page must hold ${mark} once`);
    if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style))
        throw new Error('a script or style would end too early');
    return Buffer.from(html);
}

function asC(bytes) {
    const lines = ['// Made by viewer/build.mjs.', '#include "page/pager.h"', '',
        `const size_t thudi_page_template_size = ${bytes.length};`,
        `const unsigned char thudi_page_template[${bytes.length}] = {`];
    for (let i = 0; i < bytes.length; i += 32)
        lines.push(`${Array.from(bytes.subarray(i, i + 32)).join(',')},`);
    lines.push('};', '');
    return lines.join('\n');
}

const out = process.argv[2];
if (!out) throw new Error('usage: node build.mjs OUT.c');
writeFileSync(`${out}.part`, asC(await page()));
renameSync(`${out}.part`, out);
