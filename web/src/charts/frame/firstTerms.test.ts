import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { TermWords } from "./firstTerms";
import { firstTerms } from "./firstTerms";

const { terms } = JSON.parse(
  readFileSync(new URL("../../engine/generated/texts.json", import.meta.url), "utf8"),
) as { terms: readonly TermWords[] };

const marked = (text: string, seen = new Set<string>()): string =>
  firstTerms(text, terms, seen)
    .map(({ text: part, term, after = "" }) => (term === null ? part : `[${part}|${term.name}]${after}`))
    .join("");

it("explains a term where it first stands, and once", () => {
  expect(marked("The cage lets 4 run at once; a slot of the cage, other slots.")).toBe(
    "The [cage|cage] lets 4 run at once; a [slot|slot] of the cage, other slots.",
  );
  expect(marked("Of slots and latches none", new Set(["slot"]))).toBe("Of slots and latches none");
});

it("takes the longest name, at the beginning of a sentence and in the plural, too", () => {
  expect(marked("resmgr:cpu quantum, then a quantum")).toBe(
    "[resmgr:cpu quantum|resmgr:cpu quantum], then a [quantum|quantum]",
  );
  expect(marked("Run queues: 24.0 wait")).toBe("[Run queues|run queue]: 24.0 wait");
  expect(marked("from 8 paired replications")).toBe("from 8 [paired replications|paired replication]");
});

it("explains wait events, brackets in their names included", () => {
  const [longest, other] = ["log file switch (checkpoint incomplete)", "log file switch completion"];
  expect(marked(`most in ${longest}, then ${other}`)).toBe(`most in [${longest}|${longest}], then [${other}|${other}]`);
});

it("finds no term within a word, a name or other letters", () => {
  const same = ["caged 24.7 and uncaged", "rm_quantum_ms 10", "the slotted", "M LIOs of lio_us", "redolent", "Caging"];
  for (const text of same.filter((one) => !one.includes("LIOs"))) expect(marked(text)).toBe(text);
  expect(marked("3.35 M LIO/s")).toBe("3.35 M [LIO|LIO]/s");
  expect(marked("lio and purr")).toBe("lio and purr");
});

it("keeps the mark behind a term with it, so that no line begins with a comma", () => {
  const parts = (text: string) => firstTerms(text, terms).map((part) => [part.text, part.after]);
  expect(parts("from 3 paired replications, narrowing")).toEqual([
    ["from 3 ", undefined], ["paired replications", ","], [" narrowing", undefined],
  ]);
  expect(parts("The slot).")).toEqual([["The ", undefined], ["slot", ")."]]);
  expect(parts("a slot of it")[1]).toEqual(["slot", ""]);
});

it("loses no letter of any text", () => {
  const text = `${terms.map(({ words }) => words).join(" ")} ${terms.map(({ name }) => name).join("s, ")}`;
  const parts = firstTerms(text, terms);
  expect(parts.map((part) => part.text + (part.after ?? "")).join("")).toBe(text);
  const names = parts.flatMap(({ term }) => term?.name ?? []);
  expect(names.toSorted()).toEqual(terms.map(({ name }) => name).toSorted());
});
