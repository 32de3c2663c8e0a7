/** The whole page from scenarios and answers. Pure: the same input shows the same picture. */
import { memoLast } from "../base/memo";
import type { FullAnswer } from "../engine";
import { hostOf } from "./read/host";
import { numberOf, type AnalysisInput, type Values } from "./read/input";
import { namesOf } from "./read/names";
import { stageOf } from "./read/stage";
import type { Stage } from "./read/types";
import { accountingOf } from "./sides/accounting";
import { activeSessionsOf } from "./sides/activeSessions";
import { differencesOf, evenPoints } from "./sides/differences";
import { eventTableOf } from "./sides/eventTable";
import { responseSpreadOf, serviceSpreadOf, waitSpreadOf } from "./sides/spread";
import { trustOf } from "./sides/trust";
import { findingOf, howSureOf, titlesOf } from "./stories";
import { curveModelOf, isCompared, scaleOf } from "./sweep/curveModel";
import type { CurveModel } from "./sweep/types";
import { lanesOf } from "./timeline/lanes";
import type { PageModel, SideModel } from "./types";

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

const eventsOf = memoLast((fullA: FullAnswer | null, fullB: FullAnswer | null, areTwo: boolean) =>
  fullA === null || fullB === null ? null : eventTableOf(fullA.report, fullB.report, areTwo),
);

function curveIn(input: AnalysisInput, stage: Stage): CurveModel {
  const scale = scaleOf(input);
  const difference = isCompared(input) ? differencesOf(input.curveA, input.curveB, input.metric.id, scale) : [];
  return curveModelOf(input, stage, scale, { difference, even: evenPoints(difference) });
}

export function pageOf(input: AnalysisInput): PageModel {
  const { fullA, fullB } = input;
  const names = namesOf(input);
  const stage = stageOf(input);
  const [a, b] = sidesOf(fullA, fullB, input.a, input.b, names.a, names.b);
  return {
    finding: findingOf(input),
    howSure: howSureOf(input),
    curve: curveIn(input, stage),
    titles: titlesOf(input, b),
    a,
    b,
    events: eventsOf(fullA, fullB, input.differs.length > 0),
    accounting: accountingOf(input),
    trust: trustOf(input),
    stage,
  };
}
