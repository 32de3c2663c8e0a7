import { describe, expect, it } from "vitest";
import { buildInput, cagedValues, pointOf, textOf, uncagedValues } from "../../testing/buildInput";
import type { AnalysisInput } from "../read/input";
import { adviceOf } from "./advice";

/** A curve with a point at each place; `percents`: by how much B is better there. */
function sweep(percents: Readonly<Record<number, number>>, spread = 0.001): Partial<AnalysisInput> {
  const grid = Object.keys(percents).map(Number);
  const curve = (more: (x: number) => number, noise: number) => ({
    coarse: new Map(), fine: new Map(grid.map((x) => [x, pointOf(3e6 * (1 + more(x) / 100), noise)] as const)),
  });
  return {
    xAxis: { knob: "sessions", words: null, from: grid[0] ?? 1, to: grid.at(-1) ?? 1, scale: "linear", grid },
    curveA: curve(() => 0, 0.001), curveB: curve((x) => percents[x] ?? 0, spread),
  };
}

/** B − A where a change of process costs so much [µs]. */
function hinge(percents: Readonly<Record<number, number>>): Partial<AnalysisInput> {
  return {
    hinge: Object.entries(percents).map(([value, percent]) => ({
      value: Number(value), a: pointOf(3e6), b: pointOf(3e6 * (1 + percent / 100)),
    })),
  };
}

const crossing = { 4: 0, 8: 0, 9: -1, 12: -3, 16: -2, 18: 1, 24: 4, 32: 8, 48: 9 };
const turning = { 10: -6, 100: -4, 316: -1, 562: 2, 1000: 5 };

const told = (...more: Partial<AnalysisInput>[]): string =>
  textOf(adviceOf(buildInput("lio 3.0M ±0.1%", "lio 3.24M ±0.1%", Object.assign({}, ...more) as object)));

describe("advice", () => {
  it("names where to cage, where not to, and what a change of process must cost", () => {
    expect(told(sweep(crossing), hinge(turning))).toBe(
      "For throughput cage at 18 to 48 sessions, not at 9 to 16 sessions. At 32 sessions do so if [switch_refill_us] "
        + "is over about 400 µs: the turn is between 316 and 562.",
    );
  });
  it("has the value here on the side that the headline has it", () => {
    const b = { ...cagedValues, switch_refill_us: 200 };
    const input = buildInput("lio 3.0M ±0.1%", "lio 2.9M ±0.1%", { ...sweep(crossing), ...hinge(turning), b });
    const nearer = { 10: -6, 100: -1, 316: 9, 1000: 12 };
    expect(textOf(adviceOf({ ...input, ...hinge(nearer) }))).toContain("the turn is between 200 and 316.");
  });
  it("turns with the sweep and with the assumption", () => {
    const mirrored = { 1: 2, 8: 3, 12: 1, 16: -2, 48: -3 };
    const under = { 10: 6, 100: 3, 1000: -2 };
    const asked = told(sweep(mirrored), hinge(under));
    expect(asked).toMatch(/^For throughput cage at 1 to 12 sessions, not at 16 to 48 sessions\. /);
    expect(asked).toMatch(/ under about 960 µs: .* 800 and 1,000\.$/);
    const away = { a: cagedValues, b: uncagedValues };
    expect(told(sweep(crossing), away)).toBe(
      "For throughput take the cage away at 18 to 48 sessions, not at 9 to 16 sessions.",
    );
  });
  it("is silent where a stretch makes next to no difference, however certain its sign", () => {
    const sure = { 4: -0.1, 8: -0.08, 16: 0, 24: 4, 32: 8 };
    expect(told(sweep(sure, 0.0001))).toBe("");
    expect(told(sweep({ ...sure, 4: -0.6 }, 0.0001))).toMatch(/not at 4 to 8 sessions/);
  });
  it("speaks of no place of which the sign is not certain", () => {
    const doubtful = { 8: -2, 9: 0.01, 12: -3, 16: 0.02, 18: -0.01, 24: 4, 32: 8, 48: 0.02 };
    expect(told(sweep(doubtful, 0.004))).toBe("For throughput cage at 24 to 32 sessions, not at 12 sessions.");
  });
  it("says a knob of the axis that is not counted by its name", () => {
    const curves = sweep({ 1: -3, 2: -2, 4: 2, 8: 5 });
    expect(told(curves, { xAxis: { ...curves.xAxis!, knob: "lio_us" }, xHandle: 8 }, hinge(turning))).toMatch(
      /^For throughput cage at lio_us 4 to 8, not at lio_us 1 to 2\. At lio_us 8 do so if /,
    );
  });
  it("is silent where the sweep has no crossing, or more than one, or is all noise", () => {
    expect(told(sweep({ 8: 1, 16: 2, 48: 3 }), hinge(turning))).toBe("");
    expect(told(sweep({ 4: 2, 8: -1, 16: 2, 48: 3 }), hinge(turning))).toBe("");
    expect(told(sweep(crossing, 0.2), hinge(turning))).toBe("");
    expect(told(sweep({ 8: 0, 16: 0, 48: 0 }), hinge(turning))).toBe("");
  });
  it("is silent until every place has run on both sides, as precise as asked", () => {
    const whole = sweep(crossing);
    const less = (curve: AnalysisInput["curveA"]) => ({
      coarse: new Map(curve?.fine), fine: new Map([...(curve?.fine ?? [])].filter(([x]) => x !== 12)),
    });
    expect(told(whole)).not.toBe("");
    expect(told(whole, { curveB: less(whole.curveB!) })).toBe("");
    expect(told(whole, { curveA: less(whole.curveA!) })).toBe("");
    expect(told(whole, { curveA: null })).toBe("");
    const olds = [{ isCoarse: true }, { isInHand: true }, { isBehind: true }, { refusal: "no" }, { failure: "x" }];
    for (const old of olds) expect(told(whole, old)).toBe("");
  });
  it("leaves the assumption out until it has run, where it turns no sign, and where it stands on the axis", () => {
    const alone = "For throughput cage at 18 to 48 sessions, not at 9 to 16 sessions.";
    const [first, ...others] = hinge(turning).hinge!;
    expect(told(sweep(crossing), { hinge: [{ ...first!, b: null }, ...others] })).toBe(alone);
    expect(told(sweep(crossing), hinge({ 10: 1, 100: 3, 1000: 4 }))).toBe(alone);
    expect(told(sweep(crossing), hinge({ 10: -1, 100: 3, 316: -2, 1000: 4 }))).toBe(alone);
    const curves = sweep(crossing);
    const byRefill = { xAxis: { ...curves.xAxis!, knob: "switch_refill_us" } };
    expect(told(curves, byRefill, hinge(turning))).toMatch(/^For [^.]*\.$/);
  });
  it("is silent on an axis of words, and where the sides differ in more than it would name", () => {
    const curves = sweep(crossing);
    expect(told(curves, { xAxis: { ...curves.xAxis!, words: ["a", "b"] } })).toBe("");
    expect(told(curves, { differs: ["resource_manager_plan", "think_time_ms"] })).toBe("");
    expect(told(curves, { differs: ["resource_manager_plan", "cpu_count"] })).not.toBe("");
    expect(told(curves, { differs: ["sessions"], xA: 8 })).toBe("");
    expect(told(curves, { differs: [] })).toBe("");
  });
  it("names both values where the sides differ in another knob, unless the value follows the axis", () => {
    const a = { ...cagedValues, os_scheduler: "CFS" };
    const sides = { a, b: { ...a, os_scheduler: "EEVDF" }, differs: ["os_scheduler"] };
    expect(told(sweep(crossing), sides)).toBe(
      "For throughput choose EEVDF over CFS at 18 to 48 sessions, not at 9 to 16 sessions.",
    );
    const input = buildInput("lio 3.0M ±0.1%", "lio 3.24M ±0.1%", { ...sweep(crossing), ...sides });
    const knobs = input.knobs.map((knob) =>
      knob.id === "os_scheduler" ? { ...knob, default_product: ["sessions"] } : knob,
    );
    expect(adviceOf({ ...input, knobs })).toEqual([]);
  });
  it("advises nothing that nobody can set", () => {
    const sides = (key: string) => ({
      a: { ...cagedValues, [key]: 1 }, b: { ...cagedValues, [key]: 2 }, differs: [key],
    });
    for (const key of ["think_time_ms", "switch_refill_us", "cores_per_socket"])
      expect(told(sweep(crossing), sides(key))).toBe("");
  });
  it("is silent where the sessions of one side alone end", () => {
    const { fullA } = buildInput("lio 3.0M ±0.1%", "");
    const ended: readonly unknown[] = [{ instance: 1, sessions: 32 }];
    const report = { ...fullA!.report, ended: ended as NonNullable<typeof fullA>["report"]["ended"] };
    expect(told(sweep(crossing), { fullA: { ...fullA!, report } })).toBe("");
    expect(told(sweep(crossing), { fullA })).not.toBe("");
  });
  it("is silent where there is no difference here", () => {
    const same = buildInput("lio 3.0M ±1%", "lio 3.0M ±1%", { ...sweep(crossing), ...hinge(turning) });
    expect(adviceOf(same)).toEqual([]);
  });
});
