/** The host that is looked at, and knobs of one host or of all: links, history, locks. */
import { expect, it } from "vitest";
import { builtCatalogue as catalogue } from "../engine/browserEngine";
import type { Engine } from "../engine";
import { memoryLink } from "./linkPort";
import { reduce } from "./reducer";
import { selectInput, selectKnobs } from "./selectors";
import { initialState, type AppState } from "./state";
import { createAppStore } from "./store";
import { decodeLink, encodeLink } from "./urlState";

const opened = (hash: string): AppState => reduce(initialState(catalogue), { type: "linkOpened", hash });
const written = (state: AppState): string => encodeLink(catalogue, state);

function wrongIn(hash: string): string {
  const read = decodeLink(catalogue, hash);
  return read.ok ? "" : read.message;
}

/** Runs nothing. */
const idle: Engine = {
  catalogue,
  texts: () => Promise.reject(new Error("not asked")),
  kept: () => Promise.resolve(null),
  describe: () => Promise.reject(new Error("not asked")),
  submit: () => ({ cancel: () => undefined }),
  setHand: () => undefined,
  close: () => undefined,
};

it("the host looked at stands in the link; all of them need no word", () => {
  const state = opened("#v1/two-hosts?view.host=2");
  expect([state.view.host, selectInput(state).host]).toEqual([2, 2]);
  expect(written(state)).toBe("#v1/two-hosts?view.host=2");
  expect(written(reduce(state, { type: "hostChosen", host: null }))).toBe("#v1/two-hosts");
});

it("a host that is not there is refused", () => {
  expect(wrongIn("#v1/two-hosts?view.host=3")).toBe("view.host is a host from 1 to 2, not “3”.");
  expect(wrongIn("#v1/two-hosts?view.host=0")).toContain("from 1 to 2");
  expect(wrongIn("#v1/two-hosts?view.host=1.5")).toContain("from 1 to 2");
  expect(wrongIn("#v1/instance-caging-vm?view.host=1")).toBe("view.host: this scenario has one host.");
});

it("a choice is an entry of the history, and Back leads out of it", () => {
  const link = memoryLink("#v1/two-hosts");
  const store = createAppStore(idle, link);
  store.dispatch({ type: "hostChosen", host: 1 });
  store.dispatch({ type: "hostChosen", host: 2 });
  expect(link.entries).toEqual(["#v1/two-hosts", "#v1/two-hosts?view.host=1", "#v1/two-hosts?view.host=2"]);
  link.back();
  expect(store.getState().view.host).toBe(1);
  link.back();
  expect(store.getState().view.host).toBeNull();
  store.close();
});

it("another scenario begins with all of its hosts", () => {
  const state = reduce(opened("#v1/two-hosts?view.host=2"), { type: "presetChosen", preset: "cpu-queue" });
  expect([state.view.host, written(state)]).toEqual([null, "#v1/cpu-queue"]);
});

const moved = (state: AppState, id: string, value: number): AppState =>
  reduce(state, { type: "knobChanged", id, value, phase: "commit" });

it("what is set for all of them holds for each, what is set for one for that one", () => {
  const one = moved(opened("#v1/two-hosts?a="), "cpu_count@instance2", 16);
  expect(written(one)).toBe("#v1/two-hosts?cpu_count@instance2=16&a=");
  const values = (state: AppState): unknown[] =>
    selectKnobs(state).filter(({ id }) => id.startsWith("cpu_count@")).map(({ value }) => value);
  expect(values(one)).toEqual([8, 16]);
  const all = moved(one, "cpu_count", 12);
  expect([written(all), ...values(all)]).toEqual(["#v1/two-hosts?cpu_count=12&a=", 12, 12]);
  const sockets = moved(opened("#v1/two-hosts?a="), "sockets", 3);
  expect(selectKnobs(sockets).filter(({ id }) => id.startsWith("sockets@")).map(({ value }) => value)).toEqual([3, 3]);
});

it("a locked knob is locked in every host, and a locked host's with all", () => {
  const whole = opened("#v1/two-hosts?a=&view.locked=cpu_count");
  expect(written(moved(whole, "cpu_count@instance2", 16))).toBe(written(whole));
  const part = opened("#v1/two-hosts?a=&view.locked=cpu_count@instance2");
  expect(written(moved(part, "cpu_count", 16))).toBe(written(part));
  expect(written(moved(part, "cpu_count@instance1", 16))).toContain("cpu_count@instance1=16");
  const locked = selectKnobs(part).filter(({ knob, isLocked }) => knob.id === "cpu_count" && isLocked);
  expect(locked.map(({ id }) => id)).toEqual(["cpu_count", "cpu_count@instance2"]);
});

it("A and B differ where one host alone does", () => {
  const state = opened("#v1/two-hosts?cpu_count@instance2=16&a.cpu_count=8");
  expect(selectInput(state).differs).toEqual(["cpu_count"]);
  const rows = selectKnobs(state).filter(({ knob }) => knob.id === "cpu_count");
  expect(rows.map(({ id, differs }) => `${id} ${differs}`)).toEqual([
    "cpu_count true", "cpu_count@instance1 false", "cpu_count@instance2 true",
  ]);
});

it("so are the timeline and other axes", () => {
  const link = memoryLink("#v1/two-hosts");
  const store = createAppStore(idle, link);
  store.dispatch({ type: "viewChosen", view: "timeline" });
  store.dispatch({ type: "viewChosen", view: "lab" });
  store.dispatch({ type: "axesChosen", x: "cpu_count" });
  store.dispatch({ type: "axesChosen", y: "response_mean_ms" });
  expect(link.entries).toHaveLength(5);
  [0, 1, 2].forEach(() => link.back());
  expect([store.getState().view.view, store.getState().view.x, store.getState().view.y]).toEqual([
    "timeline", null, null,
  ]);
  store.close();
});
