/** The whole page from scenarios and answers. Pure: the same input shows the same picture. */
import { memoLast } from "../base/memo";
import type { FullAnswer } from "../engine";
import { activeSessionsOf } from "./activeSessions";
import { boundOf, hostOf } from "./bound";
import { curveOf, differencesOf, evenPoints, largestOf } from "./curves";
import { curveTitle } from "./curveTitle";
import { eventTableOf } from "./eventTable";
import { findingOf } from "./finding";
import { howSureOf } from "./howSure";
import { numberOf, type AnalysisInput, type Values } from "./input";
import { lanesOf } from "./lanes";
import { comparesInPercent, scaleFor, type Scale } from "./metrics";
import { accountingOf } from "./accounting";
import { responseSpreadOf, serviceSpreadOf, waitSpreadOf } from "./spread";
import { titlesOf } from "./titles";
import { stageOf, trustOf } from "./trust";
import type { CurveModel, PageModel, PublishedPoint, SideModel, Stage } from "./types";
import { namesOf } from "./words";

function roleOf(role: string): PublishedPoint["role"] {
  return role === "input" || role === "prediction" ? role : "consistency check";
}

/** In the metric of the preset where its unit is theirs, else logical reads. They may be counted in thousands or millions. */
function publishedOf(input: AnalysisInput, scale: Scale): PublishedPoint[] {
  const { metric, preset, xAxis } = input;
  if (xAxis.knob !== preset.sweep.knob) return [];
  return preset.published.flatMap(({ x, y, label, role, unit }) => {
    const [, times = "", own = unit] = /^([kM]) (.+)$/.exec(unit) ?? [];
    const isIn = own === metric.unit && (metric.id === preset.metric || (own === "LIO/s" && metric.id === "throughput_lio" && preset.metric !== "lio_per_session"));
    if (!isIn) return [];
    const factor = times === "M" ? 1e6 : times === "k" ? 1e3 : 1;
    return [{ x, y: (y * factor) / scale.divisor, label, role: roleOf(role) }];
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

function curveModel(input: AnalysisInput, stage: Stage): CurveModel {
  const { metric, curveA, curveB, xAxis } = input;
  const scale = scaleFor(metric.unit, largestOf([curveA, curveB], metric.id));
  const names = namesOf(input);
  // A difference in nothing but the knob of the axis is two places on one curve.
  const isCompared = input.differs.some((key) => key !== xAxis.knob);
  const difference = isCompared ? differencesOf(curveA, curveB, metric.id, scale) : [];
  const xDomain = domainOf(input);
  const model = {
    metric, unit: scale.unit, differenceUnit: comparesInPercent(metric.id) ? "%" : scale.unit,
    xLabel: xAxis.knob, xWords: xAxis.words, xScale: xAxis.scale, xDomain, x: input.xHandle, xBefore: input.xBefore,
    xA: isCompared || input.differs.length === 0 ? null : input.xA, nameA: names.a, nameB: names.b,
    a: isCompared ? curveOf(curveA, metric.id, scale) : [],
    b: curveOf(curveB, metric.id, scale),
    family: familyOf(input, scale),
    familyName: input.preset.family?.knob ?? "",
    bound: boundOf(input, scale, xDomain),
    published: publishedOf(input, scale),
    difference,
    even: evenPoints(difference),
    stage,
  };
  return { ...model, title: curveTitle(input, model, stage) };
}

function sideOf(answer: FullAnswer, values: Values, name: string, side: "A" | "B"): SideModel {
  const { threads } = hostOf(values);
  return {
    name,
    activeSessions: activeSessionsOf(answer, threads),
    lanes: lanesOf(answer, threads, numberOf(values, "threads_per_core", 1)),
    waitSpread: waitSpreadOf(answer),
    responseSpread: responseSpreadOf(answer, side),
    serviceSpread: serviceSpreadOf(answer, side),
  };
}

/** Both sides on the same axis. */
function onOneAxis(a: SideModel | null, b: SideModel | null): readonly [SideModel | null, SideModel | null] {
  const yMax = Math.max(a?.activeSessions.yMax ?? 0, b?.activeSessions.yMax ?? 0);
  const withMax = (side: SideModel | null): SideModel | null =>
    side === null ? null : { ...side, activeSessions: { ...side.activeSessions, yMax } };
  return [withMax(a), withMax(b)];
}

/** Remembered: while only curves come in, the matrix and the table stay the same objects. */
const sidesOf = memoLast(
  (fullA: FullAnswer | null, fullB: FullAnswer | null, a: Values, b: Values, nameA: string, nameB: string) =>
    onOneAxis(fullA === null ? null : sideOf(fullA, a, nameA, "A"), fullB === null ? null : sideOf(fullB, b, nameB, "B")),
);

const eventsOf = memoLast((fullA: FullAnswer | null, fullB: FullAnswer | null, isCompared: boolean) =>
  fullA === null || fullB === null ? null : eventTableOf(fullA.report, fullB.report, isCompared),
);

export function pageOf(input: AnalysisInput): PageModel {
  const { fullA, fullB } = input;
  const names = namesOf(input);
  const stage = stageOf(input);
  const [a, b] = sidesOf(fullA, fullB, input.a, input.b, names.a, names.b);
  return {
    finding: findingOf(input),
    howSure: howSureOf(input),
    curve: curveModel(input, stage),
    titles: titlesOf(input, b),
    a,
    b,
    events: eventsOf(fullA, fullB, input.differs.length > 0),
    accounting: accountingOf(input),
    trust: trustOf(input),
    stage,
  };
}
