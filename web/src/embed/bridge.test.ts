import { expect, it, vi } from "vitest";
import type { AppStore } from "../store";
import { openBridge } from "./bridge";

vi.mock("../store", () => ({
  selectLink: (state: { link: string }) => state.link,
  selectPage: () => ({ finding: { headline: "Nothing yet" }, stage: { kind: "empty" } }),
}));

/** A store of one link, and a frame whose parent writes down what it hears. */
function scene() {
  let state = { link: "#v1/a", inHand: null as object | null, view: { linkError: null as string | null } };
  let listener = () => {};
  const change = (part: Partial<typeof state>) => {
    state = { ...state, ...part };
    listener();
  };
  const store = {
    getState: () => state,
    subscribe: (one: () => void) => { listener = one; return () => { listener = () => {}; }; },
    dispatch: ({ hash }: { hash: string }) => change(hash === "#bad" ? { view: { linkError: "No such scenario." } } : { link: hash }),
  } as unknown as AppStore;
  const said: { data: { type: string; isUserInitiated?: boolean; message?: string }; origin: string }[] = [];
  const parent = { postMessage: (data: never, origin: string) => said.push({ data, origin }) };
  let onMessage: (event: unknown) => void = () => {};
  const self = { parent, addEventListener: (_: string, one: typeof onMessage) => { onMessage = one; }, removeEventListener: () => { onMessage = () => {}; } } as unknown as Window;
  const close = openBridge(store, self, "https://host.example");
  const send = (type: string, more = {}, origin = "https://host.example") => onMessage({ origin, source: parent, data: { ns: "wait-what-if", version: 1, id: "1", type, ...more } });
  return { said, send, change, close, types: () => said.map((one) => one.data.type) };
}

it("greets, answers, and only ever speaks to its host", () => {
  const { send, said, types } = scene();
  send("getState");
  expect(types()).toEqual(["ready", "state"]);
  expect(said.every((one) => one.origin === "https://host.example")).toBe(true);
});

it("is deaf to other origins", () => {
  const { send, types } = scene();
  send("setState", { link: "#v1/b" }, "https://evil.example");
  expect(types()).toEqual(["ready"]);
});

it("tells a person's change from the host's", () => {
  const { send, change, said } = scene();
  change({ link: "#v1/person" });
  send("setState", { link: "#v1/host" });
  expect(said.filter((one) => one.data.type === "change").map((one) => one.data.isUserInitiated)).toEqual([true, false]);
});

it("waits with its news until the knob is let go", () => {
  const { change, types } = scene();
  change({ link: "#v1/b", inHand: {} });
  change({ link: "#v1/c", inHand: {} });
  expect(types()).toEqual(["ready"]);
  change({ inHand: null });
  expect(types()).toEqual(["ready", "change"]);
});

it("passes on what was wrong with a link", () => {
  const { send, said } = scene();
  send("setState", { link: "#bad" });
  expect(said.at(-1)?.data.message).toBe("No such scenario.");
});

it("is silent once closed", () => {
  const { close, change, types } = scene();
  close();
  change({ link: "#v1/z" });
  expect(types()).toEqual(["ready"]);
});
