/** The whole page from scenarios and answers. Pure: the same input shows the same picture. */
import { memoLast } from "../base/memo";
import type { FullAnswer } from "../engine";
import { activeSessionsOf } from "./activeSessions";
import { boundOf, hostOf } from "./bound";
import { curveOf, differencesOf, evenPoints, largestOf, scaleFor, type Scale } from "./curves";
import { eventTableOf } from "./eventTable";
import { findingOf } from "./finding";
import { howSureOf } from "./howSure";
import { numberOf, type AnalysisInput, type Values } from "./input";
import { lanesOf } from "./lanes";
import { responseSpreadOf, waitSpreadOf } from "./spread";
import { curveTitle, titlesOf } from "./titles";
import { stageOf, trustOf } from "./trust";
import type { CurveModel, PageModel, PublishedPoint, SideModel, Stage } from "./types";
import { namesOf } from "./words";

function roleOf(role: string): PublishedPoint["role"] {
  return role === "input" || role === "prediction" ? role : "consistency check";
}

/** Published figures are throughput in LIO/s, possibly already counted in millions. */
function publishedOf(input: AnalysisInput, scale: Scale): PublishedPoint[] {
  if (input.metric === "response") return [];
  return input.preset.published.flatMap(({ x, y, label, role, unit }) => {
    if (!unit.endsWith("LIO/s")) return [];
    const lioPerS = unit.startsWith("M") ? y * 1e6 : y;
    return [{ x, y: lioPerS / scale.divisor, label, role: roleOf(role) }];
  });
}

function familyOf(input: AnalysisInput, scale: Scale): CurveModel["family"] {
  const knob = input.preset.family?.knob ?? "";
  return input.family
    .filter(({ value }) => value !== Number(input.b[knob]))
    .map(({ value, answers }) => ({ label: String(value), points: curveOf(answers, input.metric, scale) }));
}

function domainOf(input: AnalysisInput): readonly [number, number] {
  const { from, to } = input.preset.sweep;
  return [Math.min(from, input.xHandle), Math.max(to, input.xHandle)];
}

function curveModel(input: AnalysisInput, stage: Stage): CurveModel {
  const { metric, curveA, curveB } = input;
  const scale = scaleFor(metric, largestOf([curveA, curveB], metric));
  const names = namesOf(input);
  const isCompared = input.differs.length > 0;
  const difference = isCompared ? differencesOf(curveA, curveB, metric) : [];
  const xDomain = domainOf(input);
  const model = {
    metric, unit: scale.unit, xLabel: input.xKnob, xDomain, x: input.xHandle, xBefore: input.xBefore, nameA: names.a, nameB: names.b,
    a: isCompared ? curveOf(curveA, metric, scale) : [],
    b: curveOf(curveB, metric, scale),
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
    trust: trustOf(input),
    stage,
  };
}
