import { describe, expect, it } from "vitest";
import { fakeCatalogue as catalogue } from "../testing/fakeCatalogue";
import type { Action } from "./actions";
import { placeOn, valueOn, xAxisOf } from "./axes";
import { selectAxes, selectHandle } from "./axesChoice";
import { reduce } from "./reducer";
import { initialState, type AppState } from "./state";
import { decodeLink, encodeLink, plainView } from "./urlState";
import { keysOf } from "./keys";
import { wantedOf } from "./wanted";

const after = (...actions: Action[]): AppState => actions.reduce(reduce, initialState(catalogue));
const link = (state: AppState): string => encodeLink(catalogue, state);
const start = after();

describe("the axes in the link", () => {
  it("are the preset's where nothing is said", () => {
    expect(link(after({ type: "axesChosen", y: "switches_per_s", x: "os_scheduler" }))).toBe(
      "#v1/instance-caging-vm?view.y=switches_per_s&view.x=os_scheduler",
    );
    expect(
      link(
        after({ type: "axesChosen", y: "switches_per_s" }, { type: "axesChosen", y: "throughput_lio", x: "sessions" }),
      ),
    ).toBe("#v1/instance-caging-vm");
  });
  it("may be said without their prefix, and as links of old said them", () => {
    const read = (text: string) => {
      const decoded = decodeLink(catalogue, `#v1/no-cage?${text}`);
      return decoded.ok ? [decoded.link.view.y, decoded.link.view.x] : decoded.message;
    };
    expect(read("y=switches_per_s&x=os_scheduler")).toEqual(["switches_per_s", "os_scheduler"]);
    expect(read("view.metric=response")).toEqual(["response_mean_ms", null]);
    expect(read("y=happiness")).toContain("y is a metric of this page, not “happiness”.");
    expect(read("x=smt_yield")).toContain("x is a knob with numbers or words to choose from");
  });
  it("go with their scenario", () => {
    expect(
      after({ type: "axesChosen", y: "switches_per_s" }, { type: "presetChosen", preset: "no-cage" }).view,
    ).toMatchObject({ y: null, x: null });
  });
});

describe("the knob sideways", () => {
  it("gives each word a place", () => {
    const axis = xAxisOf(catalogue, start, "os_scheduler");
    expect([axis.grid, axis.words]).toEqual([[0, 1, 2], ["CFS", "EEVDF", "fifo"]]);
    expect([placeOn(axis, "EEVDF"), valueOn(axis, 2)]).toEqual([1, "fifo"]);
  });
  it("goes in round numbers, evenly in the logarithm where the knob does", () => {
    const { grid, scale } = xAxisOf(catalogue, start, "lio_us");
    expect(scale).toBe("log");
    expect([grid[0], grid.at(-1)]).toEqual([0.1, 100]);
    expect(grid.every((value) => Number(value.toPrecision(2)) === value)).toBe(true);
    expect(xAxisOf(catalogue, start, "switch_refill_us").grid[0]).toBe(0);
  });
  it("shows less than all of a range that goes far beyond where it stands", () => {
    expect(xAxisOf(catalogue, start, "think_time_ms").to).toBeLessThan(10_000);
    expect(xAxisOf(catalogue, start, "cores_per_socket").to).toBe(64);
  });
});

describe("what is run for other axes", () => {
  const queries = (state: AppState) =>
    wantedOf({ ...state, ghost: {} }, keysOf({ ...state, ghost: {} })).filter(({ kind }) => kind === "point");
  it("sets the knob to each of its words", () => {
    const asked = new Set(
      queries(after({ type: "axesChosen", x: "os_scheduler" }))
        .map(({ query }) => query)
        .filter((query) => !query.includes("cpu_count")),
    );
    expect([...asked].toSorted()).toEqual(
      ["CFS", "EEVDF", "fifo"].map((word) => `instance-caging-vm?os_scheduler=${word}`),
    );
  });
  it("gives a percentile its budget where the handle stands, a tenth elsewhere, and what a link says", () => {
    const budgets = (state: AppState) => {
      const handle = keysOf({ ...state, ghost: {} }).x;
      const fine = queries(state).flatMap((one) => (one.kind === "point" && !one.options.coarse ? [one] : []));
      const of = (isHandle: boolean) =>
        new Set(fine.filter(({ x }) => (x === handle) === isHandle).map(({ options }) => options.maxEvents));
      const precision = new Set(fine.map(({ options }) => options.precision));
      return { handle: of(true), elsewhere: of(false), precision };
    };
    const p99 = after({ type: "axesChosen", y: "response_p99_ms" });
    const whole = { handle: new Set([undefined]), precision: new Set([0.03]) };
    expect(budgets(p99)).toEqual({ ...whole, elsewhere: new Set([2_000_000]) });
    expect(budgets({ ...p99, budgetFactor: 4 })).toEqual({
      handle: new Set([80_000_000]), elsewhere: new Set([8_000_000]), precision: new Set([0.03]),
    });
    expect(budgets({ ...p99, base: { ...p99.base, max_events: 5e6 } })).toEqual({
      ...whole, elsewhere: new Set([undefined]),
    });
    expect(budgets(after({ type: "axesChosen", y: "switches_per_s" }))).toEqual({
      ...whole, elsewhere: new Set([undefined]),
    });
  });
  it("has what all panels show before the sketch of a curve whose points cost as much", () => {
    const order = (y: string) => {
      const state = after({ type: "axesChosen", y });
      const names = wantedOf(state, keysOf(state)).map(
        ({ kind, options }) => `${kind} ${options.coarse ? "coarse" : "fine"}`,
      );
      return { full: names.lastIndexOf("full coarse"), points: names.lastIndexOf("point coarse") };
    };
    expect(order("switches_per_s").full).toBeLessThan(4);
    const { full, points } = order("throughput_lio");
    expect(full).toBeGreaterThan(10);
    expect(points).toBeGreaterThan(full);
  });
  it("asks for the mean response by name, for a point of throughput is too short to know it", () => {
    const asked = queries(after({ type: "axesChosen", y: "response_mean_ms" }));
    const points = asked.filter(({ options, query }) => options.goal === "point" && !query.includes("switch_refill"));
    expect(new Set(points.map(({ options }) => options.metric))).toEqual(new Set(["response_mean_ms"]));
    expect(asked.filter(({ options }) => options.goal === "full").every(({ options }) => options.metric === undefined))
      .toBe(true);
  });
  it("asks for the metric alone, and for none where a plain point knows it", () => {
    expect(
      new Set(
        queries(after({ type: "axesChosen", y: "switches_per_s" }))
          .filter(({ query }) => !query.includes("switch_refill_us"))
          .map(({ options }) => options.metric),
      ),
    ).toEqual(new Set(["switches_per_s"]));
    expect(queries(start).every(({ options }) => options.metric === undefined)).toBe(true);
  });
});

describe("knobs that belong together", () => {
  it("are set in one step", () => {
    const state = after({ type: "knobsSet", values: { threads_per_core: 4, smt_yield: "1/1.4/1.52/1.6" } });
    expect(link(state)).toBe("#v1/instance-caging-vm?threads_per_core=4&smt_yield=1/1.4/1.52/1.6");
    expect(link(reduce(state, { type: "undo" }))).toBe("#v1/instance-caging-vm");
  });
  it("hold for all parts when said of all", () => {
    const one = after(
      { type: "presetChosen", preset: "two-cages" },
      { type: "knobChanged", id: "sessions@instance2", value: 9, phase: "commit" },
    );
    expect(one.base).toEqual({ "sessions@instance2": 9 });
    expect(reduce(one, { type: "knobChanged", id: "sessions", value: 12, phase: "commit" }).base).toEqual({
      sessions: 12,
    });
  });
});

it("offers metrics and knobs, the chosen ones named", () => {
  const { y, x, metrics, knobs } = selectAxes(start);
  expect([y, x, metrics.length]).toEqual(["throughput_lio", "sessions", 5]);
  expect(knobs.map(({ id }) => id)).toContain("os_scheduler");
  expect(knobs.map(({ id }) => id)).not.toContain("smt_yield");
});

describe("a lock", () => {
  const framed = (held: AppState["view"]["held"], hash = ""): AppState => {
    const state = initialState(catalogue, { ...plainView, held });
    return reduce(state, { type: "linkOpened", hash: `#v1/instance-caging-vm${hash}` });
  };
  const offered = (state: AppState): readonly string[] => selectAxes(state).knobs.map(({ id }) => id);

  it.each([
    ["a frame's", framed({ locked: ["cpu_count"], areAxesLocked: false })],
    ["a link's", framed(plainView.held, "?view.locked=cpu_count")],
  ])("%s keeps the knob off the axis, and leaves the others free", (_, state) => {
    expect(offered(state)).not.toContain("cpu_count");
    expect(offered(state)).toContain("think_time_ms");
    expect(reduce(state, { type: "axesChosen", x: "cpu_count" })).toBe(state);
    expect(keysOf(reduce(state, { type: "axesChosen", x: "think_time_ms" })).axis.knob).toBe("think_time_ms");
  });
  it("lets a locked knob stand where its preset or the host's link put it, and holds it fast there", () => {
    const state = framed({ locked: ["sessions", "cpu_count"], areAxesLocked: false }, "?view.x=cpu_count");
    expect([keysOf(state).axis.knob, selectHandle(state).isLocked]).toEqual(["cpu_count", true]);
    expect(offered(state)).toContain("cpu_count");
    expect(offered(state)).not.toContain("sessions");
  });
  it("says of each knob that is offered whether it changes anything on either side", () => {
    const acts = (state: AppState): Readonly<Record<string, boolean>> =>
      Object.fromEntries(selectAxes(state).knobs.map((one) => [one.id, one.acts]));
    const state = framed({ locked: [], areAxesLocked: false });
    expect(acts(state)).toMatchObject({ sessions: true, cpu_count: true });
    const uncaged = reduce(state, { type: "linkOpened", hash: "#v1/instance-caging-vm?resource_manager_plan=none" });
    expect(acts(uncaged)).toMatchObject({ cpu_count: false });
    const other = "#v1/instance-caging-vm?resource_manager_plan=none&a.resource_manager_plan=default";
    expect(acts(reduce(state, { type: "linkOpened", hash: other }))).toMatchObject({ cpu_count: true });
  });
  it("of the axes holds both, whatever stands on them", () => {
    const state = framed({ locked: [], areAxesLocked: true });
    expect(selectAxes(state).areFixed).toBe(true);
    expect(reduce(state, { type: "axesChosen", y: "switches_per_s" })).toBe(state);
    expect(reduce(state, { type: "axesChosen", x: "cpu_count" })).toBe(state);
  });
  it("of a frame is no way past for undo", () => {
    const state = framed({ locked: ["cpu_count"], areAxesLocked: false });
    const set = reduce(state, { type: "linkOpened", hash: "#v1/instance-caging-vm?cpu_count=5" });
    expect(reduce(set, { type: "undo" })).toBe(set);
    const moved = reduce(set, { type: "knobChanged", id: "sessions", value: 9, phase: "commit" });
    expect(reduce(moved, { type: "undo" }).base).toEqual({ cpu_count: 5 });
  });
  it("of the axes is none either", () => {
    const link = "#v1/instance-caging-vm?view.y=response_mean_ms";
    const state = reduce(framed({ locked: [], areAxesLocked: true }), { type: "linkOpened", hash: link });
    expect(reduce(state, { type: "undo" }).view.y).toBe("response_mean_ms");
    expect(reduce(framed(plainView.held), { type: "linkOpened", hash: link }).past).not.toEqual([]);
  });
});
