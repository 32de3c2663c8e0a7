import { expect, it } from "vitest";
import type { Texts } from "../engine";
import { fakeCatalogue, fakeTexts } from "../testing/fakeCatalogue";
import { openEngine } from "../testing/directEngine";
import { fakeWasm } from "../testing/fakeWasm";
import { memoryLink } from "./linkPort";
import { selectFigures, selectPresets } from "./selectors";
import { createAppStore, type AppStore } from "./store";

const figure = {
  id: "one", what: "one", query: "instance-caging-vm", against: null, reading: "lio_millions", value: 3,
  claim: { kind: "value", uncertainty: 0.5 }, unit: "×", role: "prediction", tolerance: null, unmet: null, note: "",
} as const;

/** A store whose texts come, or not, when told to. */
function open(): {
  readonly store: AppStore;
  readonly asked: () => number;
  readonly come: (texts: Texts) => Promise<void>;
  readonly fail: () => Promise<void>;
} {
  const waiting: { readonly resolve: (texts: Texts) => void; readonly reject: (error: Error) => void }[] = [];
  const texts = (): Promise<Texts> => new Promise((resolve, reject) => void waiting.push({ resolve, reject }));
  const store = createAppStore(openEngine(fakeWasm, fakeCatalogue, texts), memoryLink(""));
  const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
  return {
    store, asked: () => waiting.length, come: (found) => (waiting.at(-1)?.resolve(found), soon()),
    fail: () => (waiting.at(-1)?.reject(new Error("404")), soon()),
  };
}

const kindOf = (store: AppStore): string => store.getState().texts.kind;

it("nothing is fetched until it is to be shown, and then once", async () => {
  const { store, asked, come } = open();
  expect([kindOf(store), asked()]).toEqual(["none", 0]);
  store.dispatch({ type: "textsAsked" });
  store.dispatch({ type: "textsAsked" });
  store.dispatch({ type: "publishedOpened" });
  expect([kindOf(store), asked()]).toEqual(["loading", 1]);
  await come(fakeTexts);
  store.dispatch({ type: "textsAsked" });
  expect([kindOf(store), asked()]).toEqual(["here", 1]);
  expect(store.getState().texts.texts?.knobs["sessions"]?.help).toBe("sessions for tests.");
  store.close();
});

it("what could not be fetched is said, and tried again when it is asked for again", async () => {
  const { store, asked, come, fail } = open();
  store.dispatch({ type: "publishedOpened" });
  await fail();
  expect([kindOf(store), asked()]).toEqual(["failed", 1]);
  store.dispatch({ type: "publishedClosed" });
  expect(kindOf(store)).toBe("failed");
  store.dispatch({ type: "publishedOpened" });
  expect([kindOf(store), asked()]).toEqual(["loading", 2]);
  await come(fakeTexts);
  expect(kindOf(store)).toBe("here");
  store.close();
});

it("the list of figures fills when its texts are here", async () => {
  const { store, come } = open();
  store.dispatch({ type: "publishedOpened" });
  expect(selectFigures(store.getState()).groups).toEqual([]);
  await come({ ...fakeTexts, published: [figure] });
  expect(selectFigures(store.getState()).groups.map(({ preset, count }) => [preset, count])).toEqual([
    ["instance-caging-vm", 1],
  ]);
  store.close();
});

it("a preset has its question once it has come", async () => {
  const { store, come } = open();
  const asked = (): readonly (string | undefined)[] => selectPresets(store.getState()).map(({ question }) => question);
  expect(new Set(asked())).toEqual(new Set([undefined]));
  store.dispatch({ type: "textsAsked" });
  await come({ ...fakeTexts, questions: { "instance-caging-vm": "Does it help?" } });
  expect(asked()[0]).toBe("Does it help?");
});
