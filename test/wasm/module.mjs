// module.mjs: the module under test.
import { readFileSync } from "node:fs";
import { load } from "../../build/wasm/utf8ext.js";

const binary = readFileSync(new URL("../../build/wasm/utf8ext.wasm", import.meta.url));

/** @param {string} [kernel] "scalar" or "simd128" */
export function loadKernel(kernel) {
  return load(binary, { environment: kernel ? { UTF8EXT_KERNEL: kernel } : {} });
}

export const sqlite = await loadKernel();

export function bytes(hex) {
  return Uint8Array.from(Buffer.from(hex, "hex"));
}
