/**
 * Hosts without sessions, with the simulation itself: no sentence and no figure of the page is made of what is not
 * there.
 */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { loadWasm } from "../engine/loadWasm";
import { builtCatalogue } from "../engine/browserEngine";
import { openEngine } from "../testing/directEngine";
import { memoryLink } from "./linkPort";
import { selectPage } from "./selectors";
import { createAppStore } from "./store";
import { until } from "../testing/until";

const module = await loadWasm(readFileSync(new URL("../engine/wasm/sim_bg.wasm", import.meta.url)));

/** Every number that is none and every text that names one, with its place. */
function oddities(value: unknown, place = "page"): string[] {
  if (typeof value === "number") return Number.isFinite(value) ? [] : [`${place}: ${value}`];
  if (typeof value === "string") return /NaN|Infinity|undefined|∞/.test(value) ? [`${place}: ${value}`] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => oddities(one, `${place}.${key}`));
}

it.each([
  ["a server alone", "#v1/starved-service?sessions=0&service_per_s=100", /The server asks for 0.20 of a CPU/],
  [
    "background load alone", "#v1/instance-caging-vm?sessions=0&background_processes=4",
    /^(?=.*nobody waits).* 0 LIO\/s.*work of other processes [\d.]+ %/,
  ],
])("%s", async (_, hash, words) => {
  const store = createAppStore(openEngine(module, builtCatalogue), memoryLink(hash));
  await until(store, () => selectPage(store.getState()).stage.kind !== "empty");
  const page = selectPage(store.getState());
  expect(oddities(page)).toEqual([]);
  expect(
    [page.finding.headline, ...page.finding.why.map(({ text }) => text)].join(" ").replaceAll(/\s+/g, " "),
  ).toMatch(words);
  expect(store.getState().view.linkError).toBeNull();
  store.close();
});

it("nothing at all is refused in words", async () => {
  const store = createAppStore(openEngine(module, builtCatalogue), memoryLink("#v1/instance-caging-vm?sessions=0"));
  await until(store, () => store.getState().view.linkError !== null);
  expect(store.getState().view.linkError).toContain("nothing would run");
  store.close();
});
