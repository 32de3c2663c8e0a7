import { expect, it, vi } from "vitest";
import type { AppStore } from "../store";
import { openBridge } from "./bridge";
import { lineTo, portLine, windowLine, type EarlyMessages, type Line } from "./lines";

vi.mock("../store", () => ({ selectSharedLink: (state: { link: string }) => state.link }));
vi.mock("./told", () => ({
  stateIn: ({ link, notice }: { link: string; notice: string | null }) => ({ link, notice }),
  answerIn: ({ answer }: { answer: object | null }) => answer,
}));

const HOST = "https://host.example";

/** A store of one link, which counts what it is asked to open. */
function fakeStore() {
  let state = {
    link: "#v1/a", notice: null as string | null, inHand: null as object | null, answer: null as object | null,
    failure: null as { error: { message: string } } | null, attempt: 0, budgetFactor: 1,
    view: { linkError: null as string | null },
  };
  let listener = () => {};
  const opened: string[] = [];
  const change = (part: Partial<typeof state>) => {
    state = { ...state, ...part };
    listener();
  };
  const store = {
    getState: () => state,
    subscribe: (one: () => void) => { listener = one; return () => { listener = () => {}; }; },
    dispatch: ({ hash }: { hash: string }) => {
      opened.push(hash);
      const linkError = hash === "#bad" ? "No such scenario." : null;
      change(
        linkError === null
          ? {
              link: hash, view: { linkError },
              notice: hash.includes("colour") ? "This page does not know “colour”." : null,
            }
          : { view: { linkError } },
      );
    },
  } as unknown as AppStore;
  return { store, change, opened };
}

interface Told {
  readonly type: string;
  readonly id?: string;
  readonly isUserInitiated?: boolean;
  readonly isSuperseded?: boolean;
  readonly message?: string;
  readonly figures?: object;
  readonly state?: { readonly link: string; readonly notice: string | null };
}

/** A bridge whose host writes down what it hears; frames come when they are called for. */
function scene(early: readonly unknown[] = [], problems: readonly string[] = []) {
  const { store, change, opened } = fakeStore();
  const said: Told[] = [];
  const frames: (() => void)[] = [];
  let hear: (data: unknown) => void = () => {};
  const line: Line = {
    send: (message) => said.push(message as Told),
    listen: (callback) => {
      hear = callback;
      return () => {
        hear = () => {};
      };
    },
  };
  const close = openBridge(store, line, (next) => void frames.push(next), early, problems);
  const send = (type: string, more = {}) => hear(message(type, more));
  const frame = () => frames.splice(0).forEach((next) => next());
  return { said, send, change, close, frame, opened, types: () => said.map((one) => one.type) };
}

const message = (type: string, more = {}) => ({ ns: "wait-what-if", version: 1, id: "1", type, ...more });

it("greets and answers", () => {
  const { send, types } = scene();
  send("getState");
  expect(types()).toEqual(["ready", "state"]);
});

it("tells a person's change from the host's", () => {
  const { send, change, said } = scene();
  change({ link: "#v1/person" });
  send("setState", { link: "#v1/host" });
  expect(said.filter((one) => one.type === "change").map((one) => one.isUserInitiated)).toEqual([true, false]);
});

it("waits with its news until the knob is let go", () => {
  const { change, types } = scene();
  change({ link: "#v1/b", inHand: {} });
  change({ link: "#v1/c", inHand: {} });
  expect(types()).toEqual(["ready"]);
  change({ inHand: null });
  expect(types()).toEqual(["ready", "change"]);
});

it("passes on what was wrong with a link, and what it does not know", () => {
  const { send, said, frame } = scene();
  send("setState", { link: "#bad" });
  expect(said.at(-1)).toMatchObject({ type: "error", message: "No such scenario." });
  frame();
  send("setState", { link: "#v1/b?colour=red" });
  expect(said.slice(-2)).toMatchObject([
    { type: "change", state: { notice: "This page does not know “colour”." } },
    { type: "state", state: { notice: "This page does not know “colour”." } },
  ]);
});

it("tells the host when the simulation refuses later what it set, once, and each time that it is set", () => {
  const { send, change, said, frame } = scene();
  const refused = { view: { linkError: "arrivals_per_s asks for 20 CPUs." } };
  for (const id of ["first", "second"]) {
    send("setState", { id, link: "#v1/b" });
    frame();
    change(refused);
    change({});
  }
  expect(said.filter((one) => one.type === "error")).toMatchObject([
    { id: "first", message: "arrivals_per_s asks for 20 CPUs." }, { id: "second" },
  ]);
});

it("blames no message of the host for what a person did, and no person for what the page takes back", () => {
  const { send, change, said } = scene();
  send("setState", { id: "host", link: "#v1/b" });
  change({ link: "#v1/person", view: { linkError: null } });
  change({ link: "#v1/plain", view: { linkError: "refused" } });
  expect(said.slice(-3)).toMatchObject([
    { type: "change", isUserInitiated: true }, { type: "error", id: null, message: "refused" },
    { type: "change", isUserInitiated: false },
  ]);
});

it("opens two links of two thousand that come in one frame, the first and the last, and answers all in order", () => {
  const { send, opened, said, frame, types } = scene();
  for (let count = 0; count < 2000; count++)
    send(count % 100 === 50 ? "getState" : "setState", { id: String(count), link: `#v1/${count}` });
  send("launch", { id: "wrong" });
  expect(opened).toEqual(["#v1/0"]);
  frame();
  expect(opened).toEqual(["#v1/0", "#v1/1999"]);
  const answers = said.filter((one) => one.type === "state" || one.type === "error");
  expect(answers.map((one) => one.id)).toEqual([...Array.from({ length: 2000 }, (_, count) => String(count)), "wrong"]);
  expect(answers.filter((one) => one.isSuperseded).length).toBe(2000 - 20 - 2);
  expect(answers.slice(1, -1).every((one) => one.state?.link === "#v1/1999")).toBe(true);
  frame();
  frame();
  expect(types().length).toBe(1 + 2 + 2001);
});

it("keeps no more than it can answer", () => {
  const { send, said, frame, opened } = scene();
  for (let count = 0; count < 10_100; count++) send("setState", { id: String(count), link: `#v1/${count}` });
  expect(said.filter((one) => one.type === "error").length).toBe(99);
  frame();
  expect(opened).toEqual(["#v1/0", "#v1/10000"]);
});

it("answers what came before it was ready after it was", () => {
  const { types, opened } = scene([message("getState"), { ns: "other" }, message("setState", { link: "#v1/early" })]);
  expect(types()).toEqual(["ready", "state", "change", "state"]);
  expect(opened).toEqual(["#v1/early"]);
});

it("says after each change when its answer stands, with the figures of that link, and says it once", () => {
  const { change, said, types } = scene();
  const [first, second] = [{ throughput_lio: 1 }, { throughput_lio: 2 }];
  change({ answer: first });
  change({});
  change({ link: "#v1/b", answer: null, inHand: {} });
  change({ inHand: null });
  change({ answer: second, inHand: {} });
  expect(types()).toEqual(["ready", "settled", "change"]);
  change({ inHand: null });
  // What is known already stands at once.
  change({ link: "#v1/a", answer: first });
  const told = said.filter(({ type }) => type === "settled");
  expect(types()).toEqual(["ready", "settled", "change", "settled", "change", "settled"]);
  expect(told.map(({ state, figures }) => [state?.link, figures])).toEqual([
    ["#v1/a", first], ["#v1/b", second], ["#v1/a", first],
  ]);
});

it("answers the host's link before it says what is known of it", () => {
  const { send, change, types } = scene();
  change({ answer: {} });
  send("setState", { link: "#v1/b" });
  expect(types()).toEqual(["ready", "settled", "change", "state", "settled"]);
});

it("says that a run failed, once", () => {
  const { change, said } = scene();
  const failure = { error: { message: "The run stopped." } };
  change({ failure });
  change({});
  change({ failure: null });
  expect(said.slice(1)).toMatchObject([{ type: "error", id: null, message: "The run stopped." }]);
});

it("names after ready what its address asks for and is not there", () => {
  const { said } = scene([message("getState")], ["no such knob", "no such panel"]);
  expect(said.map((one) => one.message ?? one.type)).toEqual(["ready", "no such knob", "no such panel", "state"]);
});

it("is silent once closed", () => {
  const { close, change, send, types } = scene();
  close();
  change({ link: "#v1/z" });
  send("getState");
  expect(types()).toEqual(["ready"]);
});

/** A frame's window and what its parent hears. */
function fakeWindow() {
  const heard: { data: unknown; origin: string; ports: readonly MessagePort[] }[] = [];
  const parent = {
    postMessage: (data: unknown, origin: string, ports: readonly MessagePort[] = []) =>
      heard.push({ data, origin, ports }),
  };
  let onMessage: (event: unknown) => void = () => {};
  const self = {
    parent,
    addEventListener: (_: string, one: typeof onMessage) => {
      onMessage = one;
    },
    removeEventListener: () => {
      onMessage = () => {};
    },
  } as unknown as Window;
  return {
    self, parent, heard, send: (event: object) => onMessage({ origin: HOST, source: parent, data: "hello", ...event }),
  };
}

it("speaks to one origin and is deaf to others, and to other windows of that origin", () => {
  const { self, heard, send } = fakeWindow();
  const got: unknown[] = [];
  const line = windowLine(self, HOST);
  const hangUp = line.listen((data) => got.push(data));
  line.send({ type: "ready" });
  send({ origin: "https://evil.example" });
  send({ source: {} });
  expect(got).toEqual([]);
  send({});
  hangUp();
  send({});
  expect(got).toEqual(["hello"]);
  expect(heard).toMatchObject([{ origin: HOST }]);
});

it("hands a port to a parent that it does not know, and tells it nothing else", async () => {
  const { self, heard } = fakeWindow();
  const line = portLine(self, new MessageChannel());
  expect(heard).toMatchObject([{ origin: "*", data: { ns: "wait-what-if", version: 1, type: "port" } }]);
  expect(Object.keys(heard[0]?.data as object).toSorted()).toEqual(["ns", "type", "version"]);
  const port = heard[0]?.ports[0];
  const asked = new Promise((resolve) => void line.listen(resolve));
  port?.postMessage("from the host");
  expect(await asked).toBe("from the host");
  const answered = new Promise((resolve) => { if (port) port.onmessage = ({ data }) => resolve(data); });
  line.send({ type: "ready" });
  expect(await answered).toEqual({ type: "ready" });
  port?.close();
});

it("takes over what was said early, if its host said it", () => {
  const { self, parent } = fakeWindow();
  let isStopped = false;
  const early: EarlyMessages = {
    messages: [
      { origin: HOST, source: parent, data: 1 },
      { origin: "https://evil.example", source: parent, data: 2 },
      { origin: HOST, source: self, data: 3 },
    ],
    stop: () => {
      isStopped = true;
    },
  };
  expect(lineTo({ kind: "origin", origin: HOST }, self, early)?.before).toEqual([1]);
  expect(isStopped).toBe(true);
  expect(lineTo({ kind: "nobody" }, self, early)).toBeNull();
  expect(lineTo({ kind: "origin", origin: HOST }, self, undefined)?.before).toEqual([]);
  const alone = {} as { parent: unknown };
  alone.parent = alone;
  expect(lineTo({ kind: "origin", origin: HOST }, alone as unknown as Window, undefined)).toBeNull();
});

it("says again what was run once more, or longer", () => {
  const { change, said } = scene();
  const [first, second, third] = [{ throughput_lio: 1 }, { throughput_lio: 2 }, { throughput_lio: 3 }];
  change({ answer: first });
  change({ answer: second, budgetFactor: 4 });
  change({ answer: third, attempt: 1 });
  expect(said.filter(({ type }) => type === "settled").map(({ figures }) => figures)).toEqual([first, second, third]);
});
