import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tellFaults } from "./check-faults.mjs";
import { readPatch } from "./faults.mjs";
import { knownSurvivors, lasting, readOutcomes, shardsOf } from "./mutants.mjs";

function told(patches) {
  const folder = mkdtempSync(join(tmpdir(), "faults-"));
  try {
    for (const [name, text] of Object.entries(patches)) writeFileSync(join(folder, name), text);
    return tellFaults(folder).note;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const head = "A package that is no longer private\ntests: -p wwi-model --lib\n\n";
const hunk = "--- a/package.json\n+++ b/package.json\n@@ -1,3 +1,3 @@\n {\n";
const change = (from) => `${hunk}-${from}\n+  "name": "x",\n   "version": "0.1.0",\n`;
const fits = head + change('  "name": "wait-what-if",');

test("a fault that no longer applies is refused, one that does is counted", () => {
  expect(told({ "01-a.patch": fits })).toBe("1 faults apply");
  expect(() => told({ "01-a.patch": head + change('  "name": "another",') })).toThrow(/does not apply/);
});

test("a fault says what is wrong, which tests notice, and stands in a row", () => {
  expect(() => told({ "01-a.patch": fits, "03-b.patch": fits })).toThrow(/03-b.patch: .*gaps/);
  expect(() => told({ "01-a.patch": fits.replace(/^.*\n/, "Short\n") })).toThrow(/says what is wrong/);
  expect(() => told({ "01-a.patch": fits.replace("-p wwi", "wwi") })).toThrow(/-p and a crate/);
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
