import { describe, expect, it } from "vitest";
import type { PointAnswer } from "../../engine";
import { buildInput, cagedValues, curveFrom, pointOf, uncagedValues } from "../../testing/buildInput";
import type { AnalysisInput, Values } from "../read/input";
import { scaleFor } from "../read/metrics";
import { differencesAlong, differencesOf, evenPoints } from "../sides/differences";
import { boundOf } from "./bound";
import { fallsPast, flattensAt } from "./curveTitle";
import { curveOf } from "./curves";

const lio = "throughput_lio";
const throughput = scaleFor("LIO/s", 3e6);
const twice = (values: Values): [Values, Values] => [values, values];
const round = (value: number | null): number | null => (value === null ? null : Number(value.toFixed(2)));

describe("units follow the size", () => {
  it.each([
    ["LIO/s", 3.6e6, "M LIO/s"],
    ["LIO/s", 90_000, "k LIO/s"],
    ["LIO/s", 12, "LIO/s"],
    ["ms", 340, "ms"],
    ["ms", 34_000, "s"],
    ["µs", 340, "µs"],
    ["µs", 34_000, "ms"],
    ["1/s", 900, "1/s"],
    ["1/s", 48_000, "thousand/s"],
    ["sessions", 12, "sessions"],
  ] as const)("%s up to %s is in %s", (own, largest, unit) => expect(scaleFor(own, largest).unit).toBe(unit));
});

describe("a curve", () => {
  it("takes the refined answer where there is one, left to right", () => {
    const answers = { coarse: new Map([[4, pointOf(2e6)], [1, pointOf(0.5e6)]]), fine: new Map([[4, pointOf(2.4e6)]]) };
    expect(curveOf(answers, lio, throughput).map(({ x, y }) => [x, y])).toEqual([[1, 0.5], [4, 2.4]]);
  });

  it("ends at no point that only the sketch did not reach", () => {
    const cut = { ...pointOf(2e6), truncated: true };
    const answers = { coarse: new Map([[1, cut], [4, cut]]), fine: new Map([[4, cut]]) };
    expect(curveOf(answers, lio, throughput).map(({ truncated }) => truncated)).toEqual([false, true]);
  });

  it("that has not changed keeps its points, in each unit and of each metric", () => {
    const answers = { coarse: new Map([[1, pointOf(0.5e6)]]), fine: new Map<number, PointAnswer>() };
    const drawn = curveOf(answers, lio, throughput);
    expect(curveOf(answers, lio, scaleFor("LIO/s", 12)).map(({ y }) => y)).toEqual([500_000]);
    expect(curveOf(answers, "response_mean_ms", scaleFor("ms", 5)).map(({ y }) => y)).not.toEqual([500_000]);
    expect(curveOf({ ...answers }, lio, throughput)).not.toBe(drawn);
    expect(curveOf(answers, lio, throughput)).toBe(drawn);
  });
});

describe("the difference", () => {
  it("is paired: common noise leaves no width", () => {
    const points = differencesOf(curveFrom("8:3.0 9:3.0", 0.05), curveFrom("8:3.0 9:2.7", 0.05), lio, throughput);
    expect(points.map(({ x, value, ci95 }) => [x, round(value), (ci95 ?? 1) < 0.5])).toEqual([
      [8, 0, true], [9, -10, true],
    ]);
  });
  it("compares only answers of the same fineness", () => {
    const a = { coarse: new Map([[8, pointOf(3e6)]]), fine: new Map([[8, pointOf(3e6)]]) };
    const b = { coarse: new Map([[8, pointOf(3.3e6)]]), fine: new Map() };
    expect(differencesOf(a, b, lio, throughput).map(({ value }) => round(value))).toEqual([10]);
    expect(differencesOf({ coarse: new Map(), fine: a.fine }, b, lio, throughput)).toEqual([]);
  });
});

describe("the difference along one curve", () => {
  const along = (text: string, metric = lio) =>
    differencesAlong(curveFrom(text, 0.05), 1, metric, throughput).map(({ x, value }) => [x, round(value)]);

  it("is against where A stands, and none there", () => {
    expect(along("1:3.0 2:3.3 8:2.4")).toEqual([[1, 0], [2, 10], [8, -20]]);
    const [own] = differencesAlong(curveFrom("1:3.0 2:3.3", 0.05), 1, lio, throughput);
    expect(own?.ci95).toBe(0);
  });
  it("is not shown of what is plain on an axis from zero, nor of what has no ratios, nor where A is not known", () => {
    expect(along("1:3.0 2:3.7")).toEqual([[1, 0], [2, 23.33]]);
    expect(along("1:3.0 2:3.8")).toEqual([]);
    expect(along("1:3.0 2:3.3", "service_backlog_growth_per_s")).toEqual([]);
    expect(along("2:3.0 3:3.3")).toEqual([]);
    expect(differencesAlong(null, 1, lio, throughput)).toEqual([]);
  });
});

const differences = (text: string): { x: number; value: number; ci95: number }[] =>
  text.split(" ").map((word) => {
    const [x = 0, value = 0, ci95 = 0.1] = word.split(/[:±]/).map(Number);
    return { x, value, ci95 };
  });

describe("the even point", () => {
  it.each([
    ["1:0±0 8:0±0 9:-6 16:-1 18:1 32:7", [17]],
    ["1:0±0 8:0±0 9:-6 48:-3", []],
    ["9:-6 16:0.05±0.2 18:2", [15.94]],
    ["9:-6 16:-0.2±0.9 18:0.3±0.9 32:0.5±0.9", []],
    ["4:5 8:-5 12:5", [6, 10]],
  ])("%s", (text, even) => expect(evenPoints(differences(text)).map(round)).toEqual(even));
});

describe("the shape of a curve", () => {
  const points = (text: string): ReturnType<typeof curveOf> => curveOf(curveFrom(text), lio, throughput);
  it.each([
    ["1:0.6 4:2.1 8:3.6 9:3.35 16:3.35 32:3.35 48:3.35", null],
    // What is within its interval of the top may be the top, or what nobody tells from it; known to be less it is not.
    ["1:0.6 4:2.1 8:3.6 9:3.595 16:3.4 32:3.2 48:3.0", 9],
    ["1:0.6 4:2.1 8:3.6 9:3.58 16:3.4 32:3.2 48:3.0", 8],
    ["1:0.6 4:2.1 8:3.6 9:3.5 16:3.4 32:3.2 48:3.0", 8],
    ["1:0.6 4:2.1 8:3.6", null],
  ])("%s falls past %s", (text, x) => expect(fallsPast(points(text))).toBe(x));
  it.each([
    ["1:0.6 4:2.1 8:3.3 9:3.35 16:3.35 32:3.35", 8],
    // Past a peak it is near its end no sooner than from both sides.
    ["1:0.6 4:2.1 8:3.6 9:3.35 16:3.35 32:3.35", 9], ["1:0.6 2:0.542 3:0.542 4:0.542", 2],
    ["1:0.6 4:2.1 8:3.35 9:3.6 16:3.5 32:3.35 48:3.35", null], ["1:0.6 4:2.1 8:3.6", null],
  ])("%s is next to its end from %s on", (text, x) => expect(flattensAt(points(text))).toBe(x));
});

describe("the bound", () => {
  const both = (more: Values) => ({ a: { ...uncagedValues, ...more }, b: { ...cagedValues, ...more } });
  it("is the load's line, then the host's work rate, with the reason", () => {
    const bound = boundOf(buildInput("", ""), throughput, [1, 48]);
    expect(bound?.label).toBe("bound 3.60: eight threads do the work of six cores");
    expect(bound?.points.map(({ x, y }) => [round(x), round(y)])).toEqual([[0, 0], [6, 3.6], [48, 3.6]]);
  });
  it.each([
    ["0.6", "bound 3.60: six cores with one thread each"],
    ["1/1.2/0.9/0.8", "bound 4.32: six cores with some threads idle"],
    ["1", "bound 3.60: 24 threads do the work of six cores"],
  ])("is reached with fewer threads where a core does less with all: %s", (smt_yield, label) => {
    const of = both({ sockets: 1, cores_per_socket: 6, threads_per_core: 4, smt_yield });
    expect(boundOf(buildInput("", "", of), throughput, [1, 48])?.label).toBe(label);
  });
  it("bends where the host is full also where that is near the start", () => {
    const bound = boundOf(
      buildInput("", "", both({ cores_per_socket: 1, threads_per_core: 1 })), throughput, [1, 24],
    );
    expect(bound?.label).toBe("bound 0.60: one thread");
    expect(bound?.points.map(({ x, y }) => [round(x), round(y)])).toEqual([[0, 0], [1, 0.6], [24, 0.6]]);
  });
  it("is no straight line in decades", () => {
    const decades = { knob: "sessions", words: null, from: 1, to: 10_000, scale: "log", grid: [] } as const;
    const points = boundOf(buildInput("", "", { xAxis: decades }), throughput, [1, 10_000])?.points ?? [];
    expect(points.length).toBeGreaterThan(40);
    for (const { x, y } of points) expect(y / Math.min(3.6, 0.6 * x)).toBeCloseTo(1, 3);
  });
  it.each([["turbo_one_core", 1.2], ["cpu_type", "Gold_6148"]])("is none with turbo by %s", (knob, value) =>
    expect(
      boundOf(buildInput("", "", { b: { ...buildInput("", "").b, [knob]: value } }), throughput, [1, 48]),
    ).toBeNull());
  it.each<[string, Values, Values]>([
    // Sessions are no load where transactions arrive, or on one side only.
    ["arrivals", { arrivals: "open" }, { arrivals: "open" }],
    ["arrivals", { arrivals: "closed" }, { arrivals: "open" }],
    ["arrivals", { arrivals: "batch" }, { arrivals: "batch" }],
    ["lio_us", { lio_us: 0.5 }, {}],
    ["sockets", { sockets: 2 }, {}],
    ["lio_us of an instance", { "lio_us@instance1": 2, "lio_us@instance2": 1 }, {}],
    ["lio_us of an instance", ...twice({ "lio_us@instance1": 2, "lio_us@instance2": 1 })],
    ["workload", ...twice({ workload: "select" })],
    ["query_percent", ...twice({ workload: "oltp", query_percent: 50 })],
    // Of the transactions of a call only the first comes after a pause, and so does none of one execution.
    ["commits_per_call", ...twice({ workload: "oltp", commits_per_call: 100, calls_per_transaction: 1 })],
    ["executions", ...twice({ executions: 1, think_time_ms: 500 })],
  ])("is none where its line is false of a side or a part: %s", (_, ofA, ofB) => {
    const { a, b } = both({});
    const input = buildInput("", "", { a: { ...a, ...ofA }, b: { ...b, ...ofB } });
    expect(boundOf(input, throughput, [1, 48])).toBeNull();
  });
  it("is none where instances keep sessions of their own, whatever the axis says", () => {
    const bound = (more: Partial<AnalysisInput>) => boundOf(buildInput("", "", more), throughput, [1, 48]);
    expect(bound({ moved: ["sessions@instance2"] })).toBeNull();
    expect(bound({ differs: ["sessions@instance2"] })).toBeNull();
    expect(bound({ moved: ["sessions"], differs: ["sessions"] })).not.toBeNull();
  });
  it("is of all instances before there is an answer", () => {
    const { preset } = buildInput("", "");
    const bound = boundOf(
      buildInput("", "", { preset: { ...preset, instances: [1, 1] }, fullB: null }), throughput, [1, 48],
    );
    expect(bound?.points.map(({ x }) => round(x))).toEqual([0, 3, 48]);
  });
  it("is none where x is no load", () =>
    expect(
      boundOf(
        buildInput("", "", {
          ...both({ arrivals: "closed" }),
          xAxis: { knob: "cpu_count", words: null, from: 1, to: 8, scale: "linear", grid: [] },
        }),
        throughput,
        [1, 8],
      ),
    ).toBeNull());
});
