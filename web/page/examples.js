/** examples.js: inputs to try, as bytes in hexadecimal. */
export const EXAMPLES = [
  { name: "pasted words", hex: "4a6f73e92c204df8726b2c204df86ec3a9" },
  { name: "overlong", hex: "2e2ec0af2e2ec0af6574632f706173737764" },
  { name: "CESU-8", hex: "4a6176613a20eda0bdedb880c0802e" },
  { name: "Cyrillic", hex: "cff0e8e2e5f22c20eae0ea20e4e5ebe03f" },
  { name: "Shift JIS", hex: "93fa967b8cea82c583658358836782b582dc82b7" },
  { name: "Trojan Source", hex: "6966202861e280ae29207b" },
];

/** The three commonest damages, which the page shows before you put something in. */
export const COMMON = [
  { hex: "6cc3a2e282ace284a2c383c2a974c383c2a920617520636166c383c2a9" },
  { hex: "536368f66e65204772fcdf6520617573204dfc6e6368656e" },
  { hex: "4372c3a86d65206272c3bb6cc3a96520362c353020e282ac2c20636166e9206372e86d6520332080" },
];
