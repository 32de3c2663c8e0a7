import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { toolCache, wasmWorkspace } from "./paths.mjs";
import { ask, main, run, say, show } from "./shell.mjs";
import { isMain } from "./steps.mjs";
import { ensureRust } from "./setup/rust.mjs";

const version = "27.1.0";
/** Mutants in a shard, about; shards in a run; share of mutants that tests must catch. */
const inShard = 20;
const shardsInRun = 3;
const wanted = 0.85;
/** Seconds that the tests of a mutant may take; beyond, it counts as caught: it hangs. */
const longest = 60;
/** Whose tests run, whichever crate the mutant is in, and which: the quick ones, some ten seconds together. */
const tested = ["wwi-kernel", "wwi-model", "wwi-scenario"];
const quick = [
  "affinity", "balance_rules", "cage", "decode", "fair", "figures", "histogram", "knob_moves", "latches", "laws",
  "looks", "lpar", "moves", "quantum", "random", "rates", "realtime", "service", "smt", "standstill", "starts",
];
const which = ["--lib", ...quick.map((name) => `--test=${name}`)];
const survivorsFile = join(wasmWorkspace, "faults/survivors.md");

/** cargo-mutants of the pinned version: the reader's own, else ours in the cache; answers with a PATH. */
async function ensureMutants() {
  ensureRust();
  if (ask("cargo", ["mutants", "--version"])?.endsWith(version)) return process.env.PATH;
  const folder = join(toolCache, `cargo-mutants-${version}`);
  if (!existsSync(join(folder, "bin"))) {
    say(`Installing cargo-mutants ${version} …`);
    await run("cargo", ["install", "cargo-mutants", "--version", version, "--locked", "--root", folder]);
  }
  return `${join(folder, "bin")}${delimiter}${process.env.PATH}`;
}

/** Which shards of so many a commit stands for: three different ones, by its hash. */
export function shardsOf(hash, of) {
  const shards = [];
  for (let at = 0; shards.length < Math.min(shardsInRun, of); at++) {
    const digits = hash.slice((at * 7) % 34, ((at * 7) % 34) + 7);
    const shard = (Number.parseInt(digits, 16) + at) % of;
    if (!shards.includes(shard)) shards.push(shard);
  }
  return shards;
}

/** A mutant's name without its line and column, so that it is the same one after the file has grown. */
export const lasting = (name) => name.replace(/^([^:]+):\d+:\d+: /, "$1: ");

/** The survivors that are known, each a line "- `name`: reason". */
export function knownSurvivors(text) {
  const all = [...text.matchAll(/^- `(.+?)`: (.+(?:\n {2}\S.*)*)/gm)];
  return new Map(all.map(([, name, reason]) => [name, reason.replace(/\n\s+/g, " ")]));
}

/** What cargo-mutants found, from its outcomes. */
export function readOutcomes(outcomes) {
  const of = (summary) =>
    outcomes.filter((o) => o.summary === summary && o.scenario.Mutant).map((o) => o.scenario.Mutant.name);
  return { caught: [...of("CaughtMutant"), ...of("Timeout")], missed: of("MissedMutant"), unviable: of("Unviable") };
}

/** cargo-mutants would try the tests of the mutated crates alone, so they are tried here first. */
async function tryTests() {
  await run("cargo", ["test", "--locked", "--quiet", ...tested.flatMap((name) => ["-p", name]), ...which], {
    cwd: wasmWorkspace,
  });
}

async function runShard(shard, of, path) {
  const folder = mkdtempSync(join(tmpdir(), "wwi-mutants-"));
  const part = [
    "--shard", `${shard}/${of}`, "--sharding", "round-robin", "--no-shuffle", "-j", "1", "--output", folder,
  ];
  const tests = [`--test-package=${tested.join(",")}`, ...which.map((arg) => `--cargo-arg=${arg}`)];
  await show("cargo", ["mutants", "--workspace", "--baseline=skip", "--timeout", String(longest), ...tests, ...part], {
    cwd: wasmWorkspace,
    env: { PATH: path, CARGO_PROFILE_TEST_DEBUG: "0" },
  });
  const found = readOutcomes(JSON.parse(readFileSync(join(folder, "mutants.out/outcomes.json"), "utf8")).outcomes);
  rmSync(folder, { recursive: true });
  return found;
}

function tell(all) {
  const known = knownSurvivors(readFileSync(survivorsFile, "utf8"));
  const caught = all.flatMap((found) => found.caught).length;
  const missed = all.flatMap((found) => found.missed);
  const unlisted = missed.filter((name) => !known.has(lasting(name)));
  for (const name of missed)
    console.log(`survives: ${name}\n    ${known.get(lasting(name)) ?? "no reason is kept in faults/survivors.md"}`);
  const share = caught / Math.max(1, caught + missed.length);
  const unviable = all.flatMap((found) => found.unviable).length;
  console.log(
    `${caught} caught of ${caught + missed.length}, ${(100 * share).toFixed(1)} %; ${unviable} did not compile`,
  );
  if (share < wanted) console.log(`At least ${100 * wanted} % are wanted.`);
  return share < wanted || unlisted.length > 0 ? 1 : 0;
}

/** Shards by the commit's hash; `-- 4 17` names them, `-- --of 400 4` cuts them smaller. */
async function mutants(args) {
  const path = await ensureMutants();
  const at = args.indexOf("--of");
  const named = args.filter((_, index) => at < 0 || (index !== at && index !== at + 1)).map(Number);
  const listed = await run("cargo", ["mutants", "--workspace", "--list"], { cwd: wasmWorkspace, env: { PATH: path } });
  const total = listed.stdout.trim().split("\n").length;
  const of = at < 0 ? Math.ceil(total / inShard) : Number(args[at + 1]);
  const hash = ask("git", ["rev-parse", "HEAD"]) ?? "0".repeat(40);
  const shards = named.length > 0 ? named : shardsOf(hash, of);
  say(`${total} mutants in ${of} shards; this run: ${shards.join(", ")}`);
  await tryTests();
  const all = [];
  for (const shard of shards) all.push(await runShard(shard, of, path));
  return tell(all);
}

if (isMain(import.meta)) await main(mutants);
