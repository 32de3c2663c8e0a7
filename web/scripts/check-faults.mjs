import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readPatch } from "./faults.mjs";
import { root, wasmWorkspace } from "./paths.mjs";
import { Told, main } from "./shell.mjs";
import { isMain } from "./steps.mjs";

const kept = join(wasmWorkspace, "faults");

/** Why git will not apply this patch to the sources as they stand, or nothing. */
function refusalOf(path) {
  try {
    execFileSync("git", ["apply", "--check", path], { cwd: root, stdio: "pipe" });
    return undefined;
  } catch (error) {
    return String(error.stderr).trim();
  }
}

/** A kept fault that no longer applies, or does not say what it is, plants nothing: told before anything is built. */
export function tellFaults(folder = kept) {
  const names = readdirSync(folder).filter((name) => name.endsWith(".patch"));
  const all = names.map((name) => readPatch(name, readFileSync(join(folder, name), "utf8")));
  all.sort((a, b) => a.number - b.number);
  all.forEach(({ name, number, title, tests }, index) => {
    if (number !== index + 1) throw new Told(`${name}: faults are numbered from 1 without gaps`);
    if (title.length <= 20) throw new Told(`${name}: its first line says what is wrong`);
    if (tests[0] !== "-p") throw new Told(`${name}: its tests begin with -p and a crate`);
  });
  const refused = names.map((name) => refusalOf(join(folder, name))).filter((refusal) => refusal !== undefined);
  if (refused.length > 0) throw new Told(refused.join("\n"));
  return { note: `${names.length} faults apply` };
}

if (isMain(import.meta)) await main(() => console.log(tellFaults().note));
