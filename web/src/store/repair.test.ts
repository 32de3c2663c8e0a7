/** With the simulation itself: what it lists when it refuses a word is offered in its place. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { builtCatalogue } from "../engine/browserEngine";
import { loadWasm } from "../engine/loadWasm";
import { openEngine } from "../testing/directEngine";
import { memoryLink } from "./linkPort";
import { reduce } from "./reducer";
import { selectRepair } from "./repair";
import { selectPage } from "./selectors";
import { createAppStore } from "./store";
import { until } from "../testing/until";

const module = await loadWasm(readFileSync(new URL("../engine/wasm/sim_bg.wasm", import.meta.url)));

it("sets A's class to one that the system has, whichever side the column turns", { timeout: 20_000 }, async () => {
  const store = createAppStore(openEngine(module, builtCatalogue), memoryLink("#v1/starved-service"));
  await until(store, () => store.getState().shown.answered !== null);
  expect(selectRepair(store.getState())).toBeNull();
  store.dispatch({ type: "knobChanged", id: "os_scheduler", value: "Solaris", phase: "commit" });
  await until(store, () => store.getState().isRefused);
  const refused = store.getState();
  expect(refused.view.linkError).toMatch(/^A: class@service is FIFO, which Solaris does not have; /);
  expect(selectRepair(refused)).toEqual({ key: "class@service", side: "A", words: ["TS", "IA", "FX", "RT"] });
  const locked = { ...refused, view: { ...refused.view, locked: ["class@service"] } };
  expect(selectRepair(locked)).toBeNull();
  store.dispatch({ type: "repaired", id: "class@service", value: "RT", side: "A" });
  const { base, ghost, view } = store.getState();
  expect([base, ghost, view.side]).toEqual([{ os_scheduler: "Solaris" }, { "class@service": "RT" }, refused.view.side]);
  await until(store, () => selectPage(store.getState()).finding.headline.includes("with class RT"));
  expect(selectRepair(store.getState())).toBeNull();
  store.close();
});

it("of B changes what both have, and leaves A what it says itself", () => {
  const store = createAppStore(openEngine(module, builtCatalogue), memoryLink("#v1/starved-service"));
  const message = "B: class@service is BATCH, which Solaris does not have; it has TS, RT";
  const at = reduce(store.getState(), { type: "knobChanged", id: "class@service", value: "BATCH", phase: "commit" });
  store.close();
  const known = { ...at, isRefused: true, view: { ...at.view, linkError: message } };
  expect(selectRepair(known)).toEqual({ key: "class@service", side: "B", words: ["TS", "RT"] });
  expect(selectRepair({ ...known, ghost: {} })?.side).toBe("both");
  const after = reduce(known, { type: "repaired", id: "class@service", value: "RT", side: "B" });
  expect([after.base, after.ghost]).toEqual([{ "class@service": "RT" }, { "class@service": "FIFO" }]);
  const other = { ...known, view: { ...known.view, linkError: "The queue would grow for ever" } };
  expect(selectRepair(other)).toBeNull();
});
