/** databaseresult.js: the audit of a database, and its repair. */
import {
  auditVerdict,
  focusReadings,
  repairSentence,
  showFindings,
  showGroups,
} from "./auditview.js";
import { byId, derivedName, h, number, save, sqlBlock } from "./dom.js";
import { engine, page, run, say } from "./session.js";

export async function showDatabase(wal, progress) {
  byId("wal").hidden = !wal;
  byId("found").hidden = true;
  byId("database-result").hidden = false;
  await showAudit(progress);
}

function auditOptions() {
  return {
    policy: /** @type {HTMLSelectElement} */ (byId("policy")).value,
    suspects: /** @type {HTMLInputElement} */ (byId("suspects")).checked,
  };
}

async function showAudit(progress) {
  const options = auditOptions();
  enableRepair(false);
  page.audit = await engine.call("audit", options, progress);
  showFound(options);
  byId("audit-sql").replaceChildren(sqlBlock("SQL for this audit", auditSql(options)));
}

function showFound(options) {
  const { groups, findings, found } = page.audit;
  say(`${page.name}: ${auditVerdict(page.audit, options)}`);
  showGroups(byId("groups"), groups);
  showFindings(byId("findings"), findings, found, choose);
  byId("found").hidden = found.rows === 0;
  enableRepair(found.restored + found.lost > 0);
}

function choose(choice) {
  return run("Choosing", async (progress) => {
    Object.assign(page.audit, await engine.call("choose", choice, progress));
    showFound(auditOptions());
    focusReadings(choice.id);
  });
}

function enableRepair(isEnabled) {
  for (const id of ["repair-database", "repair-script", "undo-script"]) {
    byId(id).toggleAttribute("disabled", !isEnabled);
  }
}

function auditSql({ policy, suspects }) {
  const call = `utf8_audit('main', '${policy}'${suspects || policy === "auto" ? ", 1" : ""})`;
  return [
    ".load ./utf8ext",
    `SELECT table_name, column_name, key, offset, error, cause, repaired, repair_sql FROM temp.${call};`,
    `SELECT repair_sql FROM temp.${call} WHERE repair_sql IS NOT NULL;`,
  ].join("\n");
}

function auditAgain() {
  return run("Auditing", showAudit);
}

function downloadDatabase() {
  return run("Repairing", async (progress) => {
    const result = await engine.call("repairDatabase", {}, progress);
    save(result.blob, derivedName(page.name, "repaired"));
    say(repairSentence(result));
  });
}

function downloadScript(what) {
  return run("Writing SQL", async (progress) => {
    const blob = await engine.call("script", { what }, progress);
    save(blob, `${page.name}.${what}.sql`);
    say(`${page.name}.${what}.sql: ${number(blob.size)} bytes.`);
  });
}

/** Fills the list of policies with all charsets. */
export async function fillPolicies() {
  const charsets = await engine.call("charsets");
  const options = charsets.map((name) => h("option", { value: name }, name));
  byId("policy").append(h("optgroup", { label: "charsets" }, ...options));
}

export function listenToDatabase() {
  byId("audit").addEventListener("click", auditAgain);
  byId("policy").addEventListener("change", auditAgain);
  byId("suspects").addEventListener("change", auditAgain);
  byId("repair-database").addEventListener("click", downloadDatabase);
  byId("repair-script").addEventListener("click", () => downloadScript("repair"));
  byId("undo-script").addEventListener("click", () => downloadScript("undo"));
}
