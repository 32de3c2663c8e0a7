import { describe, expect, it } from "vitest";
import { fakeCatalogue as catalogue } from "../testing/fakeCatalogue";
import type { Action } from "./actions";
import { reduce } from "./reducer";
import { initialState, type AppState } from "./state";
import { encodeLink } from "./urlState";
import { valueIn } from "./values";

const start = initialState(catalogue);
const after = (actions: readonly Action[], from: AppState = start): AppState => actions.reduce(reduce, from);
const link = (state: AppState): string => encodeLink(catalogue, state);
const set = (id: string, value: number | string, phase: "drag" | "commit" = "commit"): Action => ({
  type: "knobChanged", id, value, phase,
});

describe("editing", () => {
  it("moves both where A follows B", () =>
    expect(link(after([set("sessions", 9)]))).toBe("#v1/instance-caging-vm?sessions=9"));
  it("moves B alone where A differs", () => {
    const state = after([set("resource_manager_plan", "none")]);
    expect(state.ghost).toEqual({ resource_manager_plan: "none" });
    expect(state.base).toEqual({ resource_manager_plan: "none" });
  });
  it("pins A at the old value when only B is edited", () => {
    expect(link(after([{ type: "sideChosen", side: "B" }, set("cpu_count", 4)]))).toBe(
      "#v1/instance-caging-vm?cpu_count=4&a.resource_manager_plan=none&a.cpu_count=8&view.side=B",
    );
  });
  it("pins A where it was before a drag, not on its way", () => {
    const state = after([
      { type: "sideChosen", side: "B" }, set("cpu_count", 6, "drag"), set("cpu_count", 5, "drag"), set("cpu_count", 4),
    ]);
    expect(state.ghost["cpu_count"]).toBe(8);
  });
  it("sets A alone when A is edited", () =>
    expect(after([{ type: "sideChosen", side: "A" }, set("sessions", 9)]).ghost["sessions"]).toBe(9));
  it("keeps values inside their range and refuses what is none", () => {
    expect(after([set("sessions", 1e9)]).base["sessions"]).toBe(1000);
    expect(after([set("sessions", Number.NaN), set("os_scheduler", "magic"), set("no_such", 1)])).toBe(start);
  });
  it.each(["A", "B", "both"] as const)("drops a value that the side has already: %s", (side) => {
    const state = after([{ type: "sideChosen", side }]);
    for (const [id, has] of [["sessions", 32], ["switch_refill_us", 800]] as const) {
      for (const drag of [[], [set(id, 20, "drag"), set(id, has, "drag")]]) {
        const released = after([...drag, set(id, has)], state);
        expect([link(released), released.past, released.inHand]).toEqual([link(state), [], null]);
      }
    }
  });
  it.each(["A", "B"] as const)("makes %s's parts alike that differ, though all of them have it by name", (side) => {
    const hash = `#v1/two-cages?cpu_count@instance2=4&view.side=${side}`;
    const state = after([{ type: "linkOpened", hash }, set("cpu_count", 8)]);
    expect([1, 2].map((part) => valueIn(catalogue, state, side, `cpu_count@instance${part}`))).toEqual([8, 8]);
  });
  it("leaves a locked knob alone", () => {
    const locked = after([{ type: "linkOpened", hash: "#v1/instance-caging-vm?view.locked=sessions" }]);
    expect(after([set("sessions", 9)], locked)).toBe(locked);
  });
});

describe("words", () => {
  it.each(["title", "note"] as const)("of a %s are cut between characters", (word) => {
    const at = { title: 120, note: 1000 }[word];
    const cut = (text: string) =>
      after([{ type: "titleChanged", title: text }, { type: "noteChanged", note: text }]).view[word];
    expect(cut(`${"x".repeat(at - 1)}🙂🙂`)).toBe(`${"x".repeat(at - 1)}🙂`);
    expect(cut("🙂".repeat(at))).toBe("🙂".repeat(at));
  });
});

describe("undo and redo", () => {
  it("go back over whole drags", () => {
    const dragged = after([
      set("sessions", 20, "drag"), set("sessions", 12, "drag"), set("sessions", 9), set("cpu_count", 4),
    ]);
    expect(link(after([{ type: "undo" }], dragged))).toBe("#v1/instance-caging-vm?sessions=9");
    expect(link(after([{ type: "undo" }, { type: "undo" }], dragged))).toBe("#v1/instance-caging-vm");
    expect(link(after([{ type: "undo" }, { type: "undo" }, { type: "redo" }, { type: "redo" }], dragged))).toBe(
      link(dragged),
    );
  });
  it("remember what a drag began with, for the ghost of the handle", () => {
    expect(after([set("sessions", 20, "drag"), set("sessions", 12, "drag")]).inHand).toMatchObject({
      id: "sessions", before: 32,
    });
  });
  it("let a cancelled drag leave no trace", () => {
    const state = after([set("sessions", 20, "drag"), { type: "dragCancelled" }]);
    expect([link(state), state.past, state.inHand]).toEqual(["#v1/instance-caging-vm", [], null]);
  });
  it("lead from the timeline to the page, and from other axes to those before, and forth again", () => {
    const state = after([
      { type: "viewChosen", view: "timeline" }, { type: "viewChosen", view: "lab" },
      { type: "axesChosen", x: "cpu_count", y: "switches_per_s" },
    ]);
    const ways: readonly ("undo" | "redo")[] = ["undo", "undo", "redo", "redo"];
    const places = [0, 1, 2, 3, 4].map((steps) => {
      const { view: { view, x, y } } = after(ways.slice(0, steps).map((type) => ({ type })), state);
      return [view, x, y];
    });
    const [page, timeline] = [["lab", null, null], ["timeline", null, null]];
    const axes = ["lab", "cpu_count", "switches_per_s"];
    expect(places).toEqual([axes, page, timeline, page, axes]);
  });
  it("stay where they are when a knob is undone, however long one looks", () => {
    const state = after([set("sessions", 9), { type: "viewChosen", view: "timeline" }, set("sessions", 5)]);
    const undone = reduce(state, { type: "undo" });
    expect([undone.view.view, undone.base]).toEqual(["timeline", { sessions: 9 }]);
  });
  const lesson = "#v1/no-cage?title=Lesson&note=Look&view.show=sessions&view.locked=cpu_count&view.panels=answer";
  const brought = { title: "Lesson", note: "Look", show: ["sessions"], locked: ["cpu_count"], panels: ["answer"] };
  const own = { title: "Mine", note: "", show: null, locked: [], panels: null };
  it("leave what a link brought with it, and find it there again", () => {
    const state = after([
      set("sessions", 12), { type: "titleChanged", title: "Mine" }, { type: "linkOpened", hash: lesson },
      { type: "themeChosen", theme: "dark" },
    ]);
    expect(state.view).toMatchObject(brought);
    const undone = reduce(state, { type: "undo" });
    expect(undone.view).toMatchObject({ ...own, theme: "dark" });
    expect(reduce(undone, { type: "redo" }).view).toMatchObject({ ...brought, theme: "dark" });
    const twice = reduce(undone, { type: "undo" });
    expect([twice.base, twice.view.title]).toEqual([{}, "Mine"]);
  });
  it("find locks and words of a link again where another preset was chosen", () => {
    const state = after([{ type: "linkOpened", hash: lesson }, { type: "presetChosen", preset: "two-cages" }]);
    expect(state.view).toMatchObject({ ...own, title: "" });
    expect(reduce(state, { type: "undo" }).view).toMatchObject(brought);
  });
  it("keep a title that was written since, though the link is opened again", () => {
    const state = after([
      { type: "linkOpened", hash: lesson }, set("sessions", 9), { type: "titleChanged", title: "Mine" },
    ]);
    const again = reduce(state, { type: "linkOpened", hash: link(state) });
    expect(reduce(again, { type: "undo" })).toMatchObject({ base: {}, view: { ...brought, title: "Mine" } });
  });
  it("take the seed along, not the theme", () => {
    const state = after([{ type: "seedChanged", seed: 7 }, { type: "themeChosen", theme: "dark" }, { type: "undo" }]);
    expect(state.view).toMatchObject({ seed: 42, theme: "dark" });
  });
});

describe("a broken link", () => {
  it("keeps the last good state and says what was wrong", () => {
    const good = after([set("sessions", 9)]);
    const state = after([{ type: "linkOpened", hash: "#v1/instance-caging-vm?sessions=zero" }], good);
    expect(state.base).toEqual({ sessions: 9 });
    expect(state.view.linkError).toMatch(/sessions is a number.* What was shown stays\.$/);
  });
  it("says so of an answer of the preset as it is, too, and names the preset where nothing was shown before", () => {
    const bad: Action = { type: "linkOpened", hash: "#v1/instance-caging-vm?sessions=zero" };
    const first = after([]);
    const { base, ghost, preset } = first;
    const shown = { ...first.shown, answered: { pair: { base, ghost, preset }, fullA: "a", fullB: "b" } };
    expect(after([bad], { ...first, shown }).view.linkError).toMatch(/ What was shown stays\.$/);
    expect(after([bad]).view.linkError).toMatch(/ Shown instead: Instance caging on a VM\.$/);
  });
});

describe("a scenario that the simulation refuses", () => {
  const refused: Action = { type: "scenarioRefused", message: "The queue would grow for ever" };
  it("gives way to its preset while there is nothing to show", () => {
    const state = after([{ type: "linkOpened", hash: "#v1/no-cage?sessions=9" }, refused]);
    expect([link(state), state.isRefused]).toEqual(["#v1/no-cage", false]);
    expect(state.view.linkError).toBe("The queue would grow for ever. Shown instead: No cage at all.");
  });
  it("waits for the next where it is the preset itself", () => {
    expect(after([refused])).toMatchObject({ isRefused: true, view: { linkError: "The queue would grow for ever" } });
  });
  it("is asked anew when its link is opened again, and only then", () => {
    const again: Action = { type: "linkOpened", hash: "#v1/instance-caging-vm" };
    const state = after([refused, again]);
    expect(state).toMatchObject({ isRefused: false, attempt: 1, view: { linkError: null } });
    expect(after([again], state).attempt).toBe(1);
  });
});

describe("where undo leads", () => {
  it("an edit after undo leaves nothing to redo", () =>
    expect(after([set("sessions", 9), { type: "undo" }, set("cpu_count", 4)]).future).toEqual([]));
  it("is the step before, however many there were", () => {
    const edits = Array.from({ length: 102 }, (_, i) => set("sessions", 100 + i));
    expect(after([...edits, { type: "undo" }]).base).toEqual({ sessions: 200 });
  });
  it("is back from a reset, which leaves no title behind", () => {
    const edits: readonly Action[] = [set("sessions", 9), { type: "titleChanged", title: "Nine" }, { type: "reset" }];
    const state = after(edits);
    expect([state.base, state.view.title]).toEqual([{}, ""]);
    expect(after([{ type: "undo" }], state).base).toEqual({ sessions: 9 });
  });
});

it("asking for the variants goes on with a run that was stopped", () => {
  expect(after([{ type: "runsStopped" }, { type: "variantsAsked" }]).isStopped).toBe(false);
});
