import { expect, it } from "vitest";
import { selectSteps, sets } from "./selection.mjs";
import { slowest } from "./steps.mjs";
import { steps } from "./test.mjs";

const planted = [
  { name: "packages", sets: ["unit", "quick"] },
  { name: "a few units", sets: ["quick"], partOf: "units" },
  { name: "cargo", sets: ["rust"] },
  { name: "units", sets: ["unit"] },
];
const names = (words, of = planted) => selectSteps(of, words).map(({ name }) => name);

it("without a word all steps run, none twice in part", () => {
  expect(names([])).toEqual(["packages", "cargo", "units"]);
});

it("words add up, in the order of the list", () => {
  expect(names(["quick"])).toEqual(["packages", "a few units"]);
  expect(names(["unit", "rust"])).toEqual(["packages", "cargo", "units"]);
  expect(names(["quick", "rust"])).toEqual(["packages", "a few units", "cargo"]);
  expect(names(["quick", "unit"])).toEqual(["packages", "units"]);
});

it("a word that is no set is refused with those that are", () => {
  expect(() => names(["rust", "fast"])).toThrow(
    "npm test knows no “fast”: it is rust, unit, page, parity, quick, or no word for all",
  );
});

it("every step of npm test is in a set, and every set has steps", () => {
  const lost = steps.filter((step) => step.sets.length === 0 || !step.sets.every((set) => sets.includes(set)));
  expect(lost).toEqual([]);
  for (const set of sets) expect(names([set], steps).length).toBeGreaterThan(1);
  const all = names([], steps);
  expect(sets.flatMap((set) => names([set], steps)).filter((name) => !all.includes(name))).toEqual([
    "unit tests of the page",
  ]);
});

it("quick builds nothing", () => {
  const builds = ["clippy", "Rust tests", "generated files are current", "model for the browser", "page"];
  expect(names(["quick"], steps).filter((name) => builds.includes(name))).toEqual([]);
});

it("what a step needs is in its set, before it", () => {
  const needs = { "unit tests": "model for the browser", "size budgets": "page", "user stories in Chromium": "page" };
  const missing = sets.flatMap((set) => {
    const own = names([set], steps);
    const isThere = ([step, need]) => !own.includes(step) || own.slice(0, own.indexOf(step)).includes(need);
    return Object.entries(needs).filter((pair) => !isThere(pair)).map(([step]) => `${set}: ${step}`);
  });
  expect(missing).toEqual([]);
});

it("the slowest are told, the slowest first", () => {
  const took = [
    ["a", 1], ["b", 90.25], ["c", 0.5], ["d", 3], ["e", 2], ["f", 7],
  ].map(([name, seconds]) => ({ name, seconds }));
  expect(slowest(took, 3)).toBe("slowest: b 90.3 s, f 7.0 s, d 3.0 s");
});
