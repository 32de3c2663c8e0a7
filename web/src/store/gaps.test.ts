/** Curves with places that the scenario does not allow, on one side or on both, with the simulation itself. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { builtCatalogue } from "../engine/browserEngine";
import { loadWasm } from "../engine/loadWasm";
import { openEngine } from "../testing/directEngine";
import { until } from "../testing/until";
import { memoryLink } from "./linkPort";
import { selectInput, selectPage } from "./selectors";
import { createAppStore, type AppStore } from "./store";
import { selectIsBusy, selectWork } from "./work";

const module = await loadWasm(readFileSync(new URL("../engine/wasm/sim_bg.wasm", import.meta.url)));

/** Answers come one by one, however fast the machine is. */
function open(link: string): AppStore {
  const engine = openEngine(module, builtCatalogue);
  const submit = engine.submit.bind(engine);
  engine.submit = (tasks, deliver) => submit(tasks, (batch) => batch.forEach((one) => deliver([one])));
  return createAppStore(engine, memoryLink(`#v1/${link}`));
}

const titleOf = (store: AppStore): string => selectPage(store.getState()).curve.title;

/** Places of the axis of which B's point as precise as asked is neither there nor left out. */
function toCome(store: AppStore): number {
  const state = store.getState();
  const { xAxis: { grid }, curveB } = selectInput(state);
  const names = state.leftOut.filter((name) => name.startsWith("point fine")).map((name) => `${name} `);
  return grid.filter((x) => curveB?.fine.has(x) !== true && !names.some((name) => name.includes(` x=${x} `))).length;
}

const refusedForOne = "cpu-queue?cores_per_socket=8&a.cores_per_socket=16&precision=0.2&view.y=throughput_lio";
const refusedForA = "cpu-queue?arrivals_per_s=400&cores_per_socket=8&a.cores_per_socket=7&precision=0.2"
  + "&view.y=throughput_lio";
const refusedForBoth = "starved-service?sessions=0&background2_processes=0&a=&precision=0.2&view.y=service_mean_ms";

describe("the title of curves with places that are refused", () => {
  it.each([
    [refusedForOne, /throughput still rises at 760/],
    [refusedForA, /throughput still rises at 760/],
    ["instance-caging-vm?os_scheduler=CFS&a.os_scheduler=AIX&view.x=class&precision=0.2", /no difference .* by class/],
    [refusedForBoth, /^Mean answer grows ×\d+, nearly all past/],
  ])("tells a shape once nothing is to come, and not before: %s", async (link, words) => {
    const store = open(link);
    const early = new Set<string>();
    store.subscribe(() => void (toCome(store) > 0 && early.add(titleOf(store))));
    await until(store, () => !selectIsBusy(store.getState()));
    expect(store.getState().leftOut.length).toBeGreaterThan(0);
    expect([...early].filter((title) => words.test(title))).toEqual([]);
    expect(early.size).toBeGreaterThan(0);
    expect(titleOf(store)).toMatch(words);
    store.close();
  });
  it("tells no shape where a hand has stopped the rest", async () => {
    const store = open(refusedForBoth);
    store.subscribe(() => {
      if (toCome(store) === 1 && !store.getState().isStopped) store.dispatch({ type: "runsStopped" });
    });
    await until(store, () => store.getState().isStopped);
    expect(store.getState().leftOut.length).toBeGreaterThan(0);
    expect(toCome(store)).toBe(1);
    expect(titleOf(store)).toMatch(/ about /);
    store.close();
  });
});

it("responses have no bound where a place is refused for a queue that would grow for ever, nowhere else", async () => {
  const found = async (link: string) => {
    const store = open(`${link}&precision=0.2`);
    await until(store, () => !selectIsBusy(store.getState()));
    const { endlessA, endlessB, title } = selectPage(store.getState()).curve;
    expect(store.getState().leftOut.length).toBeGreaterThan(0);
    store.close();
    return { endlessA, endlessB, title: title.replaceAll("\u00a0", " ") };
  };
  const caged = "cpu-queue?arrivals=open&arrivals_per_s=30&cpu_count=2&resource_manager_plan=default";
  // 1 CPU for 100 of them a second.
  const { endlessA, endlessB, title } = await found(`${caged}&a.cpu_count=4&view.y=response_mean_ms`);
  expect(endlessB.slice(0, 3)).toEqual([230, 270, 310]);
  expect(endlessB.at(-1)).toBe(760);
  expect(Math.min(...endlessA)).toBeGreaterThanOrEqual(400);
  expect(title).toMatch(/^With cpu_count 2, response time grows ×[\d.]+, without bound from 230 arrivals\/s$/);
  // Throughput stays what can be done.
  expect((await found(`${caged}&a=&view.y=throughput_lio`)).endlessB).toEqual([]);
  // Classes that a system has not.
  const classes = await found("instance-caging-vm?os_scheduler=CFS&a=&view.x=class&view.y=response_mean_ms");
  expect(classes.endlessB).toEqual([]);
});

it("tells of no place without bound beyond the axis, as a link that was refused may have left", async () => {
  const store = open("cpu-queue?precision=0.2&view.y=response_mean_ms");
  await until(store, () => !selectIsBusy(store.getState()));
  const state = store.getState();
  const endlessWith = (x: number): readonly number[] => {
    const curves = new Map([...state.results.curves].map(([key, entry]) => [key, { ...entry, endless: new Set([x]) }]));
    return selectPage({ ...state, results: { ...state.results, curves } }).curve.endlessB;
  };
  expect([endlessWith(840), endlessWith(760)]).toEqual([[], [760]]);
  store.close();
});

it("leaves nothing under way where only A does not allow a place", async () => {
  const store = open(refusedForA);
  await until(store, () => selectInput(store.getState()).areCurvesOver);
  await until(store, () => selectWork(store.getState()) === null);
  expect(store.getState()).toMatchObject({ notice: null, isRefused: false });
  store.close();
});
