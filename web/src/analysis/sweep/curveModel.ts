/** The sweep chart: curves, bound, published points, and what it says. */
import type { AnalysisInput } from "../read/input";
import { measuredOn } from "../read/measured";
import { comparesInPercent, scaleFor, type Scale } from "../read/metrics";
import { namesAlong, namesOf, rowOf } from "../read/names";
import type { DifferencePoint, Stage } from "../read/types";
import { beforeMoved, formatShort } from "../../units";
import { boundOf } from "./bound";
import { curveTitle } from "./curveTitle";
import { curveOf, endlessIn, largestOf } from "./curves";
import type { CurveModel, PublishedPoint } from "./types";

function roleOf(role: string): PublishedPoint["role"] {
  return role === "input" || role === "prediction" ? role : "consistency check";
}

/** Knobs with other values than in the published test, but for those that the chart is of. */
function movedFrom({ preset, xAxis, moved, differs, knobs }: AnalysisInput): readonly string[] {
  const isOf = (key: string): boolean =>
    key === xAxis.knob || key === preset.family?.knob || preset.compare[key] !== undefined
    || knobs.some(({ id, group }) => id === key && group === "Run");
  return [...new Set([...moved, ...differs])].filter((key) => !isOf(key));
}

/**
 * In the metric of the preset where its unit is theirs, else logical reads. They may be counted in thousands or
 * millions.
 */
function publishedOf(input: AnalysisInput, scale: Scale): PublishedPoint[] {
  const { metric, preset, xAxis } = input;
  if (xAxis.knob !== preset.sweep.knob) return [];
  const others = movedFrom(input);
  const before = beforeMoved(others);
  return preset.published.flatMap(({ x, y, label, role, unit }) => {
    const [, times = "", own = unit] = /^([kM]) (.+)$/.exec(unit) ?? [];
    const isIn =
      own === metric.unit
      && (metric.id === preset.metric
        || (own === "LIO/s" && metric.id === "throughput_lio" && preset.metric !== "lio_per_session"));
    if (!isIn) return [];
    const factor = times === "M" ? 1e6 : times === "k" ? 1e3 : 1;
    const shown = { label: `${label}${before}`, role: roleOf(role), hasMoved: others.length > 0 };
    return [{ x, y: (y * factor) / scale.divisor, ...shown }];
  });
}

/** What the reader measured, where its axes are these. */
function measuredIn({ measured, xAxis, metric }: AnalysisInput, scale: Scale): PublishedPoint[] {
  return measuredOn(measured, xAxis.knob, metric.id).map(([x, y], i) => {
    const own = y / scale.divisor;
    return { x, y: own, label: `${i === 0 ? "measured " : ""}${formatShort(own)}`, role: "measured", hasMoved: false };
  });
}

function familyOf(input: AnalysisInput, scale: Scale): CurveModel["family"] {
  const knob = input.preset.family?.knob ?? "";
  return input.family
    .filter(({ value }) => value !== Number(input.b[knob]))
    .map(({ value, answers }) => ({ label: String(value), points: curveOf(answers, input.metric.id, scale) }));
}

function domainOf(input: AnalysisInput): readonly [number, number] {
  const { from, to } = input.xAxis;
  return [Math.min(from, input.xHandle), Math.max(to, input.xHandle)];
}

/** How B − A runs along the axis, and where it is even. */
interface Compared {
  readonly difference: readonly DifferencePoint[];
  readonly even: readonly number[];
}

/** The unit that suits the larger of both curves. */
export function scaleOf({ metric, curveA, curveB }: AnalysisInput): Scale {
  return scaleFor(metric.unit, largestOf([curveA, curveB], metric.id));
}

/** A difference in nothing but the knob of the axis is two places on one curve. */
export function isCompared({ differs, xAxis }: AnalysisInput): boolean {
  return differs.some((key) => key !== xAxis.knob);
}

/** Where A stands, if not where B does: on B's own curve, where the two differ in nothing else, or on its own. */
export function placeApart(input: AnalysisInput): number | null {
  if (input.differs.length === 0 || (isCompared(input) && input.xA === input.xHandle)) return null;
  return input.xA;
}

export function curveModelOf(input: AnalysisInput, stage: Stage, scale: Scale, compared: Compared): CurveModel {
  const { metric, curveA, curveB, xAxis } = input;
  const [names, along] = [namesOf(input), namesAlong(input)];
  const xDomain = domainOf(input);
  const model = {
    metric, unit: scale.unit, differenceUnit: comparesInPercent(metric.id) ? "%" : scale.unit,
    xLabel: xAxis.knob, xWords: xAxis.words, xScale: xAxis.scale, xDomain, x: input.xHandle, xBefore: input.xBefore,
    isWhole: rowOf(input.knobs, xAxis.knob)?.kind === "integer", xA: placeApart(input),
    nameA: names.a, nameB: names.b, alongA: along.a, alongB: along.b,
    a: isCompared(input) ? curveOf(curveA, metric.id, scale) : [],
    b: curveOf(curveB, metric.id, scale),
    endlessA: isCompared(input) ? endlessIn(curveA, metric.id) : [],
    endlessB: endlessIn(curveB, metric.id),
    family: familyOf(input, scale),
    familyName: input.preset.family?.knob ?? "",
    bound: boundOf(input, scale, xDomain),
    published: [...publishedOf(input, scale), ...measuredIn(input, scale)],
    ...compared,
    stage,
  };
  return { ...model, title: curveTitle(input, model, stage) };
}
