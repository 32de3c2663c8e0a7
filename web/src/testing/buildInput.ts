/** Analysis input for tests: two reports as text, and what differs between their scenarios. */
import type { AnalysisInput, Values } from "../analysis";
import type { PointAnswer } from "../engine";
import { buildReport } from "./buildReport";
import { fakeCatalogue } from "./fakeCatalogue";

const defaults: Values = Object.fromEntries(fakeCatalogue.knobs.map((knob) => [knob.id, knob.default]));
export const cagedValues: Values = {
  ...defaults, resource_manager_plan: "default", switch_refill_us: 800, cpu_count: 8, sessions: 32,
};
export const uncagedValues: Values = { ...cagedValues, resource_manager_plan: "none" };

export const throughput = { id: "throughput_lio", title: "Logical reads", unit: "LIO/s", better: "up" } as const;

export function answerOf(
  text: string, columns?: Parameters<typeof buildReport>[1],
): NonNullable<AnalysisInput["fullB"]> {
  return { ...buildReport(text, columns), elapsedMs: 38 };
}

/** Knobs whose values are said in words, beside those of the small catalogue. */
const spoken = Object.entries({
  arrivals_per_s: "{} arrival/s|{} arrivals/s", class: "class {}", affinity: "{} affinity",
  executions: "{} execution|{} executions;executions without end",
}).flatMap(([id, said]) => fakeCatalogue.knobs.slice(0, 1).map((knob) => ({ ...knob, id, said })));

export function buildInput(a: string, b: string, more: Partial<AnalysisInput> = {}): AnalysisInput {
  const [preset] = fakeCatalogue.presets;
  if (preset === undefined) throw new Error("no preset");
  const values = { a: uncagedValues, b: cagedValues, ...more };
  const x = Number(values.b["sessions"]);
  return {
    preset, knobs: [...fakeCatalogue.knobs, ...spoken], differs: ["resource_manager_plan"], moved: [],
    xAxis: {
      knob: "sessions", words: null, from: preset.sweep.from, to: preset.sweep.to, scale: "linear", grid: [],
    },
    xHandle: x,
    xBefore: null, xA: null, isInHand: false, refusal: null, isBehind: false, isStopped: false, kept: null,
    metric: throughput,
    seed: 42, host: null, precisionAsked: 0.03,
    curveA: null, curveB: null, areCurvesOver: false, family: [],
    fullA: answerOf(a), fullB: answerOf(b), isCoarse: false, progress: null,
    failure: null, hinge: [], variants: [], areVariantsAsked: false, map: null, measured: null, points: 288,
    spentMs: 700,
    ...values,
  };
}

/** A point whose replications lie a given share about its throughput; the same shares for the same spread. */
export function pointOf(lioPerS: number, spread = 0.001, responseMs = 100): PointAnswer {
  const shares = [-1, 1, -0.5, 0.5, 0, 0.25, -0.25, 0];
  const about = (mean: number): number[] => shares.map((share) => mean * (1 + spread * share));
  return {
    lioPerS, lioCi95: lioPerS * spread, lioReps: about(lioPerS), responseMs, responseCi95: responseMs * spread,
    responseReps: about(responseMs), metric: null, precision: spread, events: 1_000, truncated: false, elapsedMs: 1,
  };
}

/** "1:0.6 2:1.2" in M LIO/s as a refined curve. */
export function curveFrom(text: string, spread = 0.001): NonNullable<AnalysisInput["curveA"]> {
  const points = text.trim().split(/\s+/).map((pair): [number, PointAnswer] => {
    const [x = 0, y = 0] = pair.split(":").map(Number);
    return [x, pointOf(y * 1e6, spread)];
  });
  return { coarse: new Map(), fine: new Map(points) };
}

export function textOf(spans: readonly { readonly text: string; readonly face?: string }[]): string {
  return spans.map(({ text, face }) => (face === undefined ? text : `[${text}]`)).join("").replaceAll("\u00a0", " ");
}
