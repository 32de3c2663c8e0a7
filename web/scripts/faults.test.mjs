import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPatch } from "./faults.mjs";
import { knownSurvivors, lasting, readOutcomes, shardsOf } from "./mutants.mjs";
import { root, wasmWorkspace } from "./paths.mjs";

const folder = join(wasmWorkspace, "faults");
const patches = readdirSync(folder).filter((name) => name.endsWith(".patch"));

test("every kept fault says what is wrong and which tests notice, and applies", () => {
  const all = patches.map((name) => readPatch(name, readFileSync(join(folder, name), "utf8")));
  expect(all.map((patch) => patch.number)).toEqual(all.map((_, index) => index + 1));
  for (const { name, title, tests } of all) {
    expect({ name, isTold: title.length > 20 }).toEqual({ name, isTold: true });
    expect({ name, first: tests[0] }).toEqual({ name, first: "-p" });
    execFileSync("git", ["apply", "--check", join(folder, name)], { cwd: root });
  }
});

test("a fault without tests is refused", () => {
  expect(() => readPatch("07-x.patch", "A title\n--- a/x\n")).toThrow(/07-x.patch/);
});

test("three different shards by the commit's hash, the same for the same commit", () => {
  const shards = shardsOf("44e949bd3c0c43a0a5f7e39a4b8c6a4e0d7f1b2a", 82);
  expect(new Set(shards).size).toBe(3);
  expect(shards.every((shard) => shard >= 0 && shard < 82)).toBe(true);
  expect(shardsOf("44e949bd3c0c43a0a5f7e39a4b8c6a4e0d7f1b2a", 82)).toEqual(shards);
  expect(shardsOf("f".repeat(40), 82)).not.toEqual(shards);
  expect(shardsOf("0".repeat(40), 2)).toEqual([0, 1]);
});

test("survivors are known by name and reason, wherever their line went", () => {
  const known = knownSurvivors("# Title\n\n- `crates/a.rs: replace < with <= in f`: equal,\n  for both give 0\n");
  expect(known.get(lasting("crates/a.rs:17:9: replace < with <= in f"))).toBe("equal, for both give 0");
  expect(known.get(lasting("crates/b.rs:17:9: replace < with <= in f"))).toBeUndefined();
});

test("what hangs counts as caught, what does not compile does not count", () => {
  const of = (summary, name) => ({ summary, scenario: { Mutant: { name } } });
  const outcomes = [of("CaughtMutant", "a"), of("Timeout", "b"), of("MissedMutant", "c"), of("Unviable", "d")];
  const baseline = { summary: "Success", scenario: "Baseline" };
  expect(readOutcomes([baseline, ...outcomes])).toEqual({ caught: ["a", "b"], missed: ["c"], unviable: ["d"] });
});
