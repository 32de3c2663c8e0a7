import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { pairedDifference } from "../base/statistics";
import { builtCatalogue } from "../engine/browserEngine";
import { loadWasm } from "../engine/loadWasm";
import { createAppStore, memoryLink, selectInput, selectPage, type AppStore } from "../store";
import { openEngine } from "../testing/directEngine";
import { panelNames } from "../app/panelNames";
import { answerIn, stateIn } from "./told";
import { until } from "../testing/until";

const module = await loadWasm(readFileSync(new URL("../engine/wasm/sim_bg.wasm", import.meta.url)));

/** With the simulation itself: what it answers has all its figures. */
const open = (hash: string): AppStore => createAppStore(openEngine(module, builtCatalogue), memoryLink(hash));

const settled = (store: AppStore) => until(store, () => answerIn(store.getState()) !== null);

it("tells the figures that the page shows, of either side, and their difference with its interval", async () => {
  const store = open("#v1/instance-caging-vm?sessions=12");
  expect(answerIn(store.getState())).toBeNull();
  await settled(store);
  const figures = answerIn(store.getState());
  const throughput = figures?.["throughput_lio"];
  expect(throughput?.unit).toBe("LIO/s");
  const { curveA, curveB, xHandle } = selectInput(store.getState());
  const [a, b] = [curveA?.fine.get(xHandle), curveB?.fine.get(xHandle)];
  if (a === undefined || b === undefined) throw new Error("no point");
  expect(throughput?.a).toEqual({ mean: a.lioPerS, ci95: a.lioCi95 });
  expect(throughput?.b).toEqual({ mean: b.lioPerS, ci95: b.lioCi95 });
  const paired = pairedDifference(a.lioReps, b.lioReps);
  expect(throughput?.difference?.unit).toBe("%");
  expect(throughput?.difference?.mean).toBeCloseTo((100 * paired.mean) / a.lioPerS, 9);
  expect(throughput?.difference?.ci95).toBeCloseTo((100 * (paired.ci95 ?? 0)) / a.lioPerS, 9);
  const { finding } = selectPage(store.getState());
  expect(stateIn(store.getState(), panelNames)).toMatchObject({ stage: "settled", finding: finding.headline });
  store.close();
});

it("has no finding of the scenario before, and hands on no theme and no window of the timeline", async () => {
  const store = open("#v1/instance-caging-vm?sessions=12&view.theme=dark&view.t=1..2");
  await settled(store);
  expect(stateIn(store.getState(), panelNames).finding).not.toBe("");
  store.dispatch({ type: "knobChanged", id: "cpu_count", value: 5, phase: "commit" });
  expect(stateIn(store.getState(), panelNames)).toEqual({
    link: "#v1/instance-caging-vm?cpu_count=5&sessions=12", finding: "", stage: "empty", notice: null,
  });
  expect(answerIn(store.getState())).toBeNull();
  store.dispatch({ type: "viewChosen", view: "timeline" });
  expect(stateIn(store.getState(), panelNames).link).toContain("view.t=1..2");
  store.close();
});

it("says of a frame that would be empty that the scenario has none of its panels, once that is known", async () => {
  const store = open("#v1/instance-caging-vm?sessions=9");
  const notice = (...panels: string[]) => stateIn(store.getState(), panels).notice;
  expect(notice("tkprof")).toBeNull();
  await settled(store);
  expect(notice("tkprof")).toBe("tkprof: this scenario has none.");
  expect(notice("host", "redo", "variants")).toBe("host, redo, variants: this scenario has none.");
  expect([notice("tkprof", "curve"), notice("knobs"), notice(...panelNames)]).toEqual([null, null, null]);
  expect(notice("map")).toBe("map: this scenario has none.");
  store.dispatch({ type: "axesChosen", by: "cpu_count" });
  expect(notice("map")).toBeNull();
  store.dispatch({ type: "linkOpened", hash: "#v1/small-table-index?executions=10" });
  expect(notice("tkprof")).toBeNull();
  await settled(store);
  expect([notice("tkprof"), notice("redo")]).toEqual([null, "redo: this scenario has none."]);
  store.close();
});
