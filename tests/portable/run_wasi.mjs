// Runs a program of WebAssembly by Node's WASI; it sees the present folder alone.
//
//     node --no-warnings run_wasi.mjs PROGRAM ARGUMENTS...
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [program, ...words] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: [program, ...words], preopens: { ".": "." }, returnOnExit: true });
const { instance } = await WebAssembly.instantiate(await readFile(program), wasi.getImportObject());
process.exitCode = wasi.start(instance);
