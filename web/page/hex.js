/** hex.js: bytes as hexadecimal text, and back. */

const DECORATION = /0x|\\x|^\s*x'|'|[\s,;:%|-]/gi;

/**
 * Reads hexadecimal text: "63 61 66 e9", "0x63, 0x61", "\x63\x61", "x'6361'".
 * @param {string} text
 * @returns {Uint8Array}
 */
export function fromHex(text) {
  const digits = text.replace(DECORATION, "");
  const wrong = digits.match(/[^0-9a-f]/i);
  if (wrong) throw new SyntaxError(`“${wrong[0]}” is not a hexadecimal digit`);
  if (digits.length % 2)
    throw new SyntaxError(`${digits.length} digits are not a whole number of bytes`);
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** @param {Uint8Array} bytes @param {string} [separator] */
export function toHex(bytes, separator = "") {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(separator);
}
