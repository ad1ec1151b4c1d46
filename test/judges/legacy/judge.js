// Node's TextDecoder, asked through stdin. test/judges/legacy.py describes requests and
// answers; there is no encoder.
"use strict";
const fs = require("fs");

function readExactly(size) {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; ) {
    const n = fs.readSync(0, bytes, at, size - at, null);
    if (n === 0) process.exit(0);
    at += n;
  }
  return bytes;
}

// A record's answer: its length in one byte, and its text in UTF-8.
function answer(decoder, bytes, record) {
  if (record === 0) return Buffer.from(decoder.decode(bytes));
  const parts = [];
  for (let at = 0; at < bytes.length; at += record) {
    const text = Buffer.from(decoder.decode(bytes.subarray(at, at + record)));
    parts.push(Buffer.of(text.length), text);
  }
  return Buffer.concat(parts);
}

function write(bytes) {
  for (let at = 0; at < bytes.length; ) at += fs.writeSync(1, bytes, at);
}

for (;;) {
  const head = readExactly(8);
  const label = readExactly(head[1]).toString();
  const bytes = readExactly(head.readUInt32LE(4));
  let out;
  try {
    const decoder = new TextDecoder(label, { ignoreBOM: true });
    out = answer(decoder, bytes, head.readUInt16LE(2));
  } catch (error) {
    out = Buffer.from("unknown"); // an encoding that this Node lacks
  }
  const size = Buffer.alloc(4);
  size.writeUInt32LE(out.length);
  write(size);
  write(out);
}
