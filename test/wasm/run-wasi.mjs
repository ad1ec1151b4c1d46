// run-wasi.mjs: runs a program that was compiled to WebAssembly.
//
//     node --no-warnings test/wasm/run-wasi.mjs build/wasm/kerneltest.wasm quick
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const [, , program, ...parameters] = process.argv;
const wasi = new WASI({
  version: "preview1",
  args: [program, ...parameters],
  env: process.env,
  returnOnExit: true,
});
const imports = {
  wasi_snapshot_preview1: wasi.wasiImport,
  env: { emscripten_notify_memory_growth() {} },
};
const { instance } = await WebAssembly.instantiate(readFileSync(program), imports);
process.exitCode = wasi.start(instance);
