import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { checkImports } from "./check-imports.mjs";

let folder = null;
afterEach(() => folder && rmSync(folder, { recursive: true }));

/** Writes modules from lines of the form `file: import`, checks them, and answers with the files that break a rule. */
async function check(text) {
  folder = mkdtempSync(join(tmpdir(), "planted-"));
  for (const line of text.trim().split("\n")) {
    const [, file, code] = /^\s*(\S+): (.*)$/.exec(line);
    mkdirSync(dirname(join(folder, "src", file)), { recursive: true });
    writeFileSync(join(folder, "src", file), `${code}\nexport const here = 1;\n`);
  }
  const { files, read, outside, broken } = await checkImports(folder);
  expect(read).toBe(files);
  return [...outside, ...broken.map(({ file }) => file)].map((file) => file.replace("src/", "")).sort();
}

describe("the import rules", () => {
  it("let through what the table allows", async () => {
    const found = await check(`
      store/reducer.ts: import { a } from "../analysis/a";
      store/state.ts: import { Engine } from "../engine";
      analysis/tables.ts: import type { Report } from "../engine";
      analysis/page.ts: import { findingOf } from "./stories";
      analysis/sides/table.ts: import { readingOf } from "../read/metrics";
      analysis/stories/why.ts: import { differencesAt } from "../sides/differences";
      analysis/stories/index.ts: export { whyOf } from "./why";
      analysis/read/columns.ts: export const key = "aas/time_s";
      charts/curve/words.ts: import type { CurveModel } from "../../analysis/sweep/types";
      charts/curve/Curve.tsx: import { scaleLinear } from "d3-scale";
      charts/curve/layout.test.ts: import { it } from "vitest";
      features/knobs/Knobs.tsx: import { select } from "../../store";
      features/knobs/Row.tsx: import { Knobs } from "./Knobs";
      main.tsx: import { App } from "./app/App";
    `);
    expect(found).toEqual([]);
  });

  it.each([
    ["a store that draws", 'store/reducer.ts: import { a } from "../charts/curve/layout";'],
    ["a store that exports a view", 'store/reducer.ts: export { a } from "../features/knobs/Knobs";'],
    ["a store behind the engine's face", 'store/reducer.ts: import { pool } from "../engine/pool";'],
    ["a store with React", 'store/reducer.ts: import { useState } from "react";'],
    ["an analysis that runs the engine", 'analysis/tables.ts: import { pool } from "../engine/pool";'],
    ["a chart that knows the store", 'charts/curve/Curve.tsx: import type { State } from "../../store";'],
    ["a panel that does a chart's maths", 'features/knobs/Knobs.tsx: import { scaleLinear } from "d3-scale";'],
    ["a view that knows simulation", 'ui/Slider.tsx: import { a } from "../analysis/a";'],
    ["a panel that knows another", 'features/knobs/Knobs.tsx: import { a } from "../events/Events";'],
    ["a panel that runs the engine", 'features/knobs/Knobs.tsx: import { a } from "../../engine";'],
    ["a unit with Node", 'units/format.ts: import { readFileSync } from "node:fs";'],
    ["the wasm package outside engine", 'app/App.tsx: import init from "../engine/wasm/sim";'],
    ["product code with test data", 'app/App.tsx: import { a } from "../testing/a";'],
    ["a way around through the root", 'store/reducer.ts: import { a } from "../store/../charts/a";'],
    ["a room that knows another", 'analysis/sweep/curves.ts: import { a } from "../sides/differences";'],
    ["what is read from what is said", 'analysis/read/report.ts: import { a } from "../sides/differences";'],
    ["a table that speaks in stories", 'analysis/sides/table.ts: import { findingOf } from "../stories";'],
    ["a story about the sweep", 'analysis/stories/why.ts: import { a } from "../sweep/curves";'],
    ["a story with the timeline", 'analysis/stories/why.ts: import type { A } from "../timeline/types";'],
    ["a room that knows the whole page", 'analysis/sides/table.ts: import type { PageModel } from "../types";'],
    ["a room behind the folder's index", 'analysis/sides/table.ts: import { pageOf } from "..";'],
    ["a page behind the stories' index", 'analysis/page.ts: import { whyOf } from "./stories/why";'],
    [
      "a panel that tells a story itself",
      'features/finding/Panel.tsx: import { findingOf } from "../../analysis/stories";',
    ],
    ["a chart behind the stories' index", 'charts/curve/words.ts: import { whyOf } from "../../analysis/stories/why";'],
    ["a room that no row names", "analysis/helpers/all.ts: export const a = 2;"],
    ["a column's key outside its room", 'analysis/sides/table.ts: export const key = `histogram/${"x"}/count`;'],
    ["columns in a panel", "features/timeline/Panel.tsx: export const all = (report) => report.columns;"],
    ["a folder that no row names", "helpers/all.ts: export const a = 2;"],
    ["a circle", 'base/a.ts: import { here as b } from "./b";\nbase/b.ts: import { here as a } from "./a";'],
  ])("find %s", async (_, text) => {
    expect(await check(text)).not.toEqual([]);
  });
});
