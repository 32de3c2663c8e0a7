import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readFigure } from "../src/analysis/read/figures";
import { builtCatalogue } from "../src/engine/browserEngine";
import { loadWasm } from "../src/engine/loadWasm";
import { openEngine } from "../src/testing/directEngine";
import { outcomesOf, task } from "../src/testing/engineContract";
import { run } from "./shell.mjs";
import { buildNativeRunner } from "./sim.mjs";

/** Of the global cache, whose runs are long, rough answers are compared. */
const precisionOf = (family) => (family === "gc" ? 0.1 : 0.01);
const options = { goal: "full", seed: 42, coarse: false, record: 0 };
/** A figure may ask for more than the others. */
const optionsOf = ({ id }, query) => ({
  ...options,
  precision:
    Number(new URLSearchParams(query.split("?")[1] ?? "").get("precision")) || precisionOf(id.split("-")[0]),
});

/**
 * To nine digits: the quantile of Student's t beyond 30 and the order of a scale and a ratio differ in the last bits.
 */
const about = (value) => (value === null ? null : Number(value.toPrecision(9)));

const told = ["validate", "--json", "--precision"];

/** Compiles the native runner where nobody has before. */
const timeout = 600_000;

/**
 * Of the message passers, which end on their budgets of many million events, the one that ends soon: all are read
 * alike.
 */
const families = [
  "slob", "six", "lpar", "db-2x24", "server", "real-time", "hackbench-unused", "gc", "access", "sequence",
];

it("the page reads every published figure as the command line does", async () => {
  const wwi = await buildNativeRunner();
  const figures = [];
  for (const only of families)
    figures.push(
      ...JSON.parse((await run(wwi, [...told, String(precisionOf(only)), "--only", only])).stdout)
        .figures,
    );
  const engine = openEngine(
    await loadWasm(readFileSync(new URL("../src/engine/wasm/sim_bg.wasm", import.meta.url))), builtCatalogue,
  );
  const texts = JSON.parse(readFileSync(new URL("../src/engine/generated/texts.json", import.meta.url), "utf8"));
  const published = texts.published.filter(({ id }) => families.some((family) => id.startsWith(family)));
  const asked = new Map(
    published.flatMap((figure) =>
      [figure.query, figure.against ?? figure.query].map((query) => [query, optionsOf(figure, query)]),
    ),
  );
  const outcomes = await outcomesOf(engine, [...asked].map(([query, told]) => task(query, told, query)));
  const reports = new Map(outcomes.flatMap((one) => (one.kind === "full" ? [[one.key, one.full.report]] : [])));
  const read = published.map((figure) => {
    const against = figure.against === null ? null : reports.get(figure.against);
    const { simulated, ci95, errorPct, isTruncated, verdict, isMet } = readFigure(
      figure, reports.get(figure.query), against,
    );
    const numbers = { simulated: about(simulated), ci95: about(ci95), error_pct: about(errorPct) };
    return { id: figure.id, role: figure.role, ...numbers, truncated: isTruncated, verdict, met: isMet };
  });
  const order = published.map(({ id }) => id);
  const printed = figures
    .toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
    .map(({ id, role, simulated, ci95, error_pct, truncated, verdict, met }) => ({
      id, role, simulated: about(simulated), ci95: about(ci95), error_pct: about(error_pct), truncated, verdict, met,
    }));
  expect(read.length).toBeGreaterThan(10);
  expect(read.filter(({ simulated }) => simulated === null)).toEqual([]);
  expect(read).toEqual(printed);
}, timeout);
