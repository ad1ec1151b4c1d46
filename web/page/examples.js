/** examples.js: inputs to try, as bytes in hexadecimal. */
export const EXAMPLES = [
  { name: "Latin-1", hex: "4a6f73e92c204df8726b2c204df86ec3a9" },
  { name: "cut off", hex: "e697a5e69cace8aa9ee381aee38386e382ade382b9e383" },
  { name: "overlong", hex: "2e2ec0af2e2ec0af6574632f706173737764" },
  { name: "CESU-8", hex: "4a6176613a20eda0bdedb880c0802e" },
  { name: "Cyrillic", hex: "cff0e8e2e5f22c20eae0ea20e4e5ebe03f" },
  { name: "Shift JIS", hex: "93fa967b8cea82c583658358836782b582dc82b7" },
  { name: "mojibake", hex: "6c27c383c2a974c383c2a920636166c383c2a9" },
  { name: "Trojan Source", hex: "6966202861e280ae29207b" },
];
