/**
 * chunks.js: a long text in chunks that can be checked and repaired one by one.
 *
 * A chunk ends after an ASCII byte, or where the text ends. No sequence, no ill-formed subpart, no
 * run of ill-formed bytes and no surrogate pair contains an ASCII byte, so errors and repairs are
 * the same as in the whole text.
 */

const CHUNK_SIZE = 4 << 20;
const LONGEST = 256 << 20;

/**
 * Yields the chunks of a text. An empty text is one chunk.
 * @param {Blob} blob
 * @param {number} [size] of a chunk, at most
 * @returns {AsyncGenerator<{at: number, bytes: Uint8Array, isLast: boolean}>}
 */
export async function* chunks(blob, size = CHUNK_SIZE) {
  for (let at = 0; at < blob.size || at === 0;) {
    const bytes = await chunkAt(blob, at, size);
    const isLast = at + bytes.length >= blob.size;
    yield { at, bytes, isLast };
    if (isLast) return;
    at += bytes.length;
  }
}

/** Reads the chunk at `at`, twice as much again as long as it has no ASCII byte. */
async function chunkAt(blob, at, size) {
  for (; size <= LONGEST; size *= 2) {
    const bytes = await read(blob, at, at + size);
    if (at + size >= blob.size) return bytes;
    const end = bytes.findLastIndex((byte) => byte < 0x80) + 1;
    if (end > 0) return bytes.subarray(0, end);
  }
  throw new RangeError("the file has 256 MB without an ASCII byte: it is not text");
}

/** @param {Blob} blob @param {number} from @param {number} to */
export async function read(blob, from, to) {
  return new Uint8Array(await blob.slice(from, to).arrayBuffer());
}
