import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root, wasmWorkspace } from "./paths.mjs";
import { Told, ask, main, run, say } from "./shell.mjs";
import { isMain } from "./steps.mjs";
import { ensureRust } from "./setup/rust.mjs";

const folder = join(wasmWorkspace, "faults");
/** A copy of the workspace with a target folder of its own, kept from one run to the next. */
const copy = join(tmpdir(), "wwi-faults");
const here = { cwd: join(copy, "sim-wasm") };
const env = { CARGO_PROFILE_TEST_DEBUG: "0" };

/** A patch: its number, what is wrong with it applied, and the tests of which one must fail. */
export function readPatch(name, text) {
  const [title, tests] = text.split("\n");
  const number = Number(/^(\d+)-/.exec(name)?.[1]);
  if (!number || !tests?.startsWith("tests: ")) throw new Told(`${name}: a title, then “tests: -p crate --test name”`);
  return { number, name, title, tests: tests.slice("tests: ".length).trim().split(/\s+/) };
}

const same = (from, to) => existsSync(to) && readFileSync(from).equals(readFileSync(to));

/**
 * Brings the copy to what the workspace is now; files that have not changed keep their date, so that little is built
 * anew.
 */
function refresh() {
  const listed = ask("git", ["ls-files", "--cached", "--others", "--exclude-standard", "sim-wasm"]);
  const files = listed.split("\n").filter((file) => existsSync(join(root, file)));
  const wanted = new Set(files);
  const held = existsSync(join(copy, "files")) ? readFileSync(join(copy, "files"), "utf8").split("\n") : [];
  for (const file of held) if (!wanted.has(file)) rmSync(join(copy, file), { force: true });
  for (const file of files) {
    if (same(join(root, file), join(copy, file))) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    copyFileSync(join(root, file), join(copy, file));
  }
  writeFileSync(join(copy, "files"), files.join("\n"));
}

const apply = (patch, ...how) => run("git", ["apply", ...how, join(folder, patch.name)], { cwd: copy });
const passes = (args) => run("cargo", args, { ...here, env }).then(() => true, () => false);

/** What the tests say to one fault: caught, survives, or why nothing can be said. */
async function plant(patch) {
  try {
    await apply(patch);
  } catch {
    return "no longer applies";
  }
  try {
    const test = ["test", "--locked", "--quiet", ...patch.tests];
    if (!(await passes([...test, "--no-run"]))) return "does not compile";
    return (await passes(test)) ? "survives" : "caught";
  } finally {
    await apply(patch, "--reverse");
  }
}

/** Plants every fault in turn, or those with the numbers given. Status 1 where one survives or cannot be planted. */
async function faults(args) {
  ensureRust();
  const names = readdirSync(folder).filter((name) => name.endsWith(".patch"));
  const all = names.map((name) => readPatch(name, readFileSync(join(folder, name), "utf8")));
  const asked = all.filter((patch) => args.length === 0 || args.map(Number).includes(patch.number));
  if (asked.length === 0) throw new Told("there is no fault of that number");
  mkdirSync(copy, { recursive: true });
  refresh();
  const tests = [...new Set(asked.flatMap((patch) => patch.tests.join(" ")))];
  for (const which of tests) {
    const test = ["test", "--locked", "--quiet", ...which.split(" ")];
    if (!(await passes(test))) throw new Told(`cargo ${test.join(" ")} fails without any fault`);
  }
  let bad = 0;
  for (const patch of asked.sort((a, b) => a.number - b.number)) {
    const outcome = await plant(patch);
    bad += outcome === "caught" ? 0 : 1;
    console.log(`${String(patch.number).padStart(2)} ${outcome}: ${patch.title}`);
  }
  say(`${asked.length - bad} of ${asked.length} caught`);
  return bad > 0 ? 1 : 0;
}

if (isMain(import.meta)) await main(faults);
