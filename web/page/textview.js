/** textview.js: repairs, charsets, mojibake and SQL of a text. */
import { copyButton, count, h, number, save, sqlBlock, derivedName } from "./dom.js";
import { toHex } from "./hex.js";
import { SUSPECTS } from "./kinds.js";
import { visible } from "./visible.js";

const NOTES = {
  subpart: "one U+FFFD for each ill-formed subpart, as Unicode says",
  byte: "one U+FFFD for each ill-formed byte",
  run: "one U+FFFD for each run of ill-formed bytes",
  "cesu-8": "joins the surrogate pairs of Java and Oracle",
  trim: "drops a sequence that the end cuts off",
  escape: "writes \\xhh for each byte",
  "windows-1252": "reads ill-formed bytes as Western European",
};

/** One sentence about the whole text. @param {import("./text.js").Scan} scan */
export function verdict(scan) {
  const errors = Object.values(scan.kinds).reduce((sum, times) => sum + times, 0);
  const size = `${count(scan.size, "byte")}, ${count(scan.codepoints, "code point")}`;
  if (errors === 0) return `Well-formed UTF-8: ${size}.${suspectSentence(scan)}`;
  const [first] = scan.errors;
  return `Ill-formed: ${count(errors, "error")}. The first is ${first.kind} at byte ${number(first.offset)}, line ${number(first.line)}.`;
}

function suspectSentence({ suspect, codepoints, size }) {
  if (suspect)
    return ` But at byte ${number(suspect.offset)} is ${SUSPECTS[suspect.kind].meaning} (${suspect.kind}).`;
  return codepoints === size ? " It is all ASCII." : "";
}

/**
 * The repaired text by cause and under each policy.
 * @param {HTMLElement} root
 * @param {{policy: string, text: string, call: string}[]} repairs
 * @param {import("./text.js").Decided} decided
 * @param {(policy: string) => void} download saves the whole file, repaired
 */
export function showRepairs(root, repairs, decided, download) {
  root.replaceChildren(...repairs.map((repair) => repairCard(repair, decided, download)));
}

function repairNote(policy, { cause }) {
  if (policy === "auto") return `by the cause of the whole text: ${cause}`;
  return NOTES[policy] ?? "the likeliest charset, but the bytes do not decide it";
}

function repairCard({ policy, text, call }, decided, download) {
  return h(
    "article",
    { class: "card" },
    h("h3", {}, policy),
    h("p", { class: "note" }, repairNote(policy, decided)),
    h("p", { class: "sample", tabindex: 0 }, visible(text)),
    h("code", {}, call),
    h(
      "p",
      { class: "buttons" },
      copyButton(`the text repaired with ${policy}`, text),
      h(
        "button",
        {
          type: "button",
          class: "small",
          "aria-label": `Download the text repaired with ${policy}`,
          click: () => download(policy),
        },
        "Download",
      ),
    ),
  );
}

/** What happened to the text, or the charset of well-formed text, and how plausible others are. */
export function showCharsets(root, { valid, cause, candidates }, sampleNote) {
  root.replaceChildren(
    h("p", {}, `${causeSentence(valid, cause)} `, sampleNote),
    candidateList(candidates),
  );
}

function causeSentence(valid, cause) {
  if (valid) return `utf8_detect: ${cause}.`;
  return `utf8_cause: ${cause}.${CAUSES[cause] ?? ""}`;
}

/** What the causes mean that are not the name of a charset. */
const CAUSES = {
  binary: " This does not look like text.",
  overlong: " Forms with too many bytes, as in attacks.",
  cut: " UTF-8 that was cut off.",
  damaged: " UTF-8 that lost or changed bytes.",
  unclear: " Several readings are about equally likely.",
};

function candidateList(candidates) {
  return h(
    "ul",
    { class: "candidates" },
    ...candidates.map(({ name, score, text }) =>
      h(
        "li",
        {},
        h("span", { class: "name" }, name),
        h("meter", { min: 0, max: 1, value: score, "aria-label": `Plausibility as ${name}` }),
        h("span", { class: "score" }, score.toFixed(2)),
        h("span", { class: "sample" }, visible(text)),
      ),
    ),
  );
}

/**
 * Misread and suspicious text.
 * @param {HTMLElement} root
 * @param {{charset: string | null, text: string, suspect: any} | null} found null: ill-formed
 * @param {(policy: string) => void} download
 */
export function showMojibake(root, found, download) {
  if (!found)
    return root.replaceChildren(
      h(
        "p",
        {},
        "Misread text is looked for once the text is well-formed: repair it, and look at the result.",
      ),
    );
  if (!found.charset && !found.suspect)
    return root.replaceChildren(
      h("p", {}, "None: no mojibake, no control or invisible characters."),
    );
  root.replaceChildren(
    ...[mojibakeCard(found, download), suspectCard(found.suspect)].filter((card) => card !== null),
  );
}

function mojibakeCard({ charset, text }, download) {
  if (!charset) return null;
  return h(
    "article",
    { class: "card" },
    h("h3", {}, "mojibake"),
    h("p", { class: "note" }, `UTF-8 that was read as ${charset}. Undone:`),
    h("p", { class: "sample", tabindex: 0 }, visible(text)),
    h("code", {}, "utf8_demojibake(X)"),
    h(
      "p",
      { class: "buttons" },
      copyButton("the text without mojibake", text),
      h(
        "button",
        {
          type: "button",
          class: "small",
          "aria-label": "Download the text without mojibake",
          click: () => download("demojibake"),
        },
        "Download",
      ),
    ),
  );
}

function suspectCard(suspect) {
  if (!suspect || suspect.kind === "mojibake") return null;
  const { kind, offset, text, call } = suspect;
  const place = `First at byte ${number(offset)} of this part: ${SUSPECTS[kind].meaning}.`;
  const without = [
    h("p", { class: "sample", tabindex: 0 }, visible(text ?? "")),
    h("code", {}, call),
    h("p", { class: "buttons" }, copyButton(`the text without ${kind}`, text ?? "")),
  ];
  return h(
    "article",
    { class: "card" },
    h("h3", {}, kind),
    h("p", { class: "note" }, call ? `${place} Without it:` : place),
    ...(call ? without : []),
  );
}

/**
 * The SQL that does with utf8ext what the page did.
 * @param {HTMLElement} root
 * @param {{literal: string, repair: string}} sql literal: the text as SQL; repair: a call with X
 */
export function showSql(root, { literal, repair }) {
  const x = (call) => call.replace("X", () => literal);
  const lines = [
    `SELECT ${x("utf8_valid(X)")}, ${x("utf8_error(X)")}, ${x("utf8_error_offset(X)")};`,
    `SELECT offset, bytes, notation, char, error FROM ${x("utf8_each(X)")};`,
    `SELECT ${x("utf8_detect(X)")}, ${x(repair)};`,
    "",
    "-- a whole column:",
    `UPDATE t SET c = ${repair.replace("X", "c")} WHERE ${repair.includes("demojibake") ? "utf8_mojibake(c) IS NOT NULL" : "NOT utf8_valid(c)"};`,
  ];
  root.replaceChildren(sqlBlock("SQL for this text", lines.join("\n")));
}

const LITERAL_MAX = 200;

/** A text as SQL: its bytes, or the function of the sqlite3 shell that reads its file. */
export async function literalOf(blob, name) {
  if (blob.size > LITERAL_MAX) return `readfile('${(name ?? "text.txt").replaceAll("'", "''")}')`;
  return `x'${toHex(new Uint8Array(await blob.arrayBuffer()))}'`;
}

/** The call that repairs by cause. */
export function bestRepair({ valid }, { call }) {
  return valid ? "utf8_demojibake(X)" : (call ?? "utf8_repair(X)");
}

/** Saves a repaired file. */
export function saveRepaired(blob, name, policy) {
  save(blob, derivedName(name ?? "text.txt", policy));
}
