/**
 * What each panel shows, from scenarios and answers. Pure: the same input shows the same picture, and is worked out
 * once.
 */
import { memoBy, memoLast } from "../base/memo";
import type { FullAnswer } from "../engine";
import { hostOf, threadsOfCores } from "./read/host";
import type { AnalysisInput, Values } from "./read/input";
import { namesOf } from "./read/names";
import { stageOf } from "./read/stage";
import { accountingOf } from "./sides/accounting";
import { activeSessionsOf } from "./sides/activeSessions";
import { differencesOf, evenPoints } from "./sides/differences";
import { eventTableOf } from "./sides/eventTable";
import { responseSpreadOf, serviceSpreadOf, waitSpreadOf } from "./sides/spread";
import { trustOf } from "./sides/trust";
import type { EventTableModel } from "./sides/types";
import { findingOf, howSureOf, titlesOf } from "./stories";
import { curveModelOf, isCompared, scaleOf } from "./sweep/curveModel";
import type { CurveModel } from "./sweep/types";
import { lanesOf } from "./timeline/lanes";
import type { MatrixModel, PageModel, SideModel } from "./types";

function sideOf(answer: FullAnswer, values: Values, name: string, side: "A" | "B"): SideModel {
  const { threads } = hostOf(values);
  return {
    name,
    activeSessions: activeSessionsOf(answer, threads),
    lanes: lanesOf(answer, threads, threadsOfCores(values)),
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
    onOneAxis(
      fullA === null ? null : sideOf(fullA, a, nameA, "A"), fullB === null ? null : sideOf(fullB, b, nameB, "B"),
    ),
);

const eventsOf = memoLast((fullA: FullAnswer | null, fullB: FullAnswer | null, areTwo: boolean) =>
  fullA === null || fullB === null ? null : eventTableOf(fullA.report, fullB.report, areTwo),
);

function curveOf(input: AnalysisInput): CurveModel {
  const scale = scaleOf(input);
  const difference = isCompared(input) ? differencesOf(input.curveA, input.curveB, input.metric.id, scale) : [];
  return curveModelOf(input, stageOf(input), scale, { difference, even: evenPoints(difference) });
}

export const findingIn = memoBy(findingOf);
export const howSureIn = memoBy(howSureOf);
export const curveIn = memoBy(curveOf);
export const trustIn = memoBy(trustOf);

/** A beside B. */
export const matrixIn = memoBy((input: AnalysisInput): MatrixModel => {
  const names = namesOf(input);
  const [a, b] = sidesOf(input.fullA, input.fullB, input.a, input.b, names.a, names.b);
  return { a, b, accounting: accountingOf(input), titles: titlesOf(input, b) };
});

/** Null until both sides have run. */
export const eventsIn = (input: AnalysisInput): EventTableModel | null =>
  eventsOf(input.fullA, input.fullB, input.differs.length > 0);

/** What the page is about, whichever panels it shows. */
export const pageOf = memoBy((input: AnalysisInput): PageModel => ({
  finding: findingIn(input), curve: curveIn(input), trust: trustIn(input), stage: stageOf(input),
}));
