import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withModelInChromium } from "./bench/wasm.mjs";
import { buildWasm } from "./build-wasm.mjs";
import { loadModel } from "./node-wasm.mjs";
import { digestOf, moved } from "./parity-figures.mjs";
import { web } from "./paths.mjs";
import { Told, main, run } from "./shell.mjs";
import { buildNativeRunner } from "./sim.mjs";
import { isMain } from "./steps.mjs";

const seeds = 20;
/** Loose and bounded: what is compared is every byte of the report, not how sure it is. */
const limits = "precision=0.1&max_events=400000";
/** Runs that end are cut shorter, so that they do within the budget. */
const shorter = { executions: 1000, px_rows: 100_000 };

/** The reports of one preset, seed by seed. Runs as it stands in Node and, by its text, in a page. */
function reportsOf(model, queries) {
  return queries.map((query) => {
    const run = new model.Run(query, JSON.stringify({ goal: "full", record: 4096, histograms: true }));
    while (run.advance(100_000)[0] === 0);
    const text = run.report();
    run.free();
    return text;
  });
}

/** The command line sets its JSON in lines for people; every other byte stays. */
function inOneLine(text) {
  const lines = text.split("\n").map((line) => line.trim().replace(/^("(?:[^"\\]|\\.)*"): /, "$1:"));
  return lines.join("");
}

async function nativeReports(runner, queries) {
  const reports = [];
  for (const query of queries) {
    // Rows are the command line's alone.
    const { stdout } = await run(runner, ["run", query, "--json", "--without-rows"]);
    reports.push(inOneLine(stdout));
  }
  return reports;
}

function firstDifference(left, right) {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return `at byte ${at}: …${left.slice(Math.max(0, at - 60), at + 40)}… and `
    + `…${right.slice(Math.max(0, at - 60), at + 40)}…`;
}

function compare(preset, left, right, where) {
  left.forEach((report, index) => {
    if (report === right[index]) return;
    throw new Told(`${preset}, seed ${index + 1}: ${where} differ ${firstDifference(report, right[index])}`);
  });
}

const held = join(web, "scripts/parity-digests.json");

function presetQueries() {
  const { presets } = JSON.parse(readFileSync(join(web, "src/engine/generated/catalogue.json"), "utf8"));
  if (presets.length === 0) throw new Told("there is no preset to compare");
  const cut = (set) => Object.entries(shorter).filter(([knob, most]) => set[knob] > most);
  const all = ({ id, set }) => [`${id}?${limits}`, ...cut(set).map((pair) => pair.join("="))].join("&");
  const queries = (preset) => Array.from({ length: seeds }, (_, index) => `${all(preset)}&seed=${index + 1}`);
  return presets.map((preset) => [preset.id, queries(preset)]);
}

/** Figures may move only where that is meant: then the new digests are written, in the commit that moves them. */
function compareToHeld(found) {
  const differences = moved(found, JSON.parse(readFileSync(held, "utf8")));
  if (differences.length === 0) return;
  throw new Told(`figures moved (if they should: node web/scripts/parity.mjs --write)\n  ${differences.join("\n  ")}`);
}

/** The digest of each preset, from native runs alone. */
async function nativeDigests() {
  const runner = await buildNativeRunner();
  const found = {};
  for (const [preset, queries] of presetQueries()) found[preset] = digestOf(await nativeReports(runner, queries));
  return found;
}

/**
 * Every preset × 20 seeds: the report is the same byte for byte from the native runner, Node and Chromium, and its
 * figures are those that are kept.
 */
export async function checkParity() {
  const runner = await buildNativeRunner();
  const model = await loadModel();
  const presets = presetQueries();
  const found = await withModelInChromium(async (page) => {
    const digests = {};
    for (const [preset, queries] of presets) {
      const native = await nativeReports(runner, queries);
      const inNode = reportsOf(model, queries);
      compare(preset, native, inNode, "native and Node");
      compare(preset, inNode, reportsOf(model, queries), "two runs in Node");
      const call = `(${reportsOf.toString()})(globalThis.model, ${JSON.stringify(queries)})`;
      compare(preset, native, await page.evaluate(call), "native and Chromium");
      digests[preset] = digestOf(native);
    }
    return digests;
  });
  compareToHeld(found);
  return { passed: presets.length * seeds, note: `${presets.length} presets × ${seeds} seeds, figures as kept` };
}

if (isMain(import.meta)) {
  await main(async ([option]) => {
    if (option === "--write") return writeFileSync(held, `${JSON.stringify(await nativeDigests(), null, 2)}\n`);
    if (option === "--native") return compareToHeld(await nativeDigests());
    await buildWasm();
    console.log((await checkParity()).note);
  });
}
