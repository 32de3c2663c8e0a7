/**
 * What each panel shows, from scenarios and answers. Pure: the same input shows the same picture, and is worked out
 * once.
 */
import { memoBy, memoLast } from "../base/memo";
import type { FullAnswer } from "../engine";
import { shapesOf } from "./read/host";
import type { AnalysisInput, Values } from "./read/input";
import { measuredOn } from "./read/measured";
import { namesOf } from "./read/names";
import { hostLanesOf } from "./read/recording";
import { stageOf } from "./read/stage";
import { accountingOf } from "./sides/accounting";
import { activeSessionsOf, shownUntilS } from "./sides/activeSessions";
import { differencesAlong, differencesOf, evenPoints } from "./sides/differences";
import { eventTableOf } from "./sides/eventTable";
import { lossTableOf } from "./sides/lossTable";
import { responseSpreadOf, serviceSpreadOf, waitSpreadOf } from "./sides/spread";
import { trustOf } from "./sides/trust";
import type { EventTableModel } from "./sides/types";
import { findingOf, hostTitlesOf, howSureOf, titlesOf } from "./stories";
import { curveModelOf, isCompared, placeApart, scaleOf } from "./sweep/curveModel";
import type { CurveModel } from "./sweep/types";
import { lanesOf } from "./timeline/lanes";
import type { MatrixModel, PageModel, SaidFinding, SideModel } from "./types";

type Spreads = Pick<SideModel, "waitSpread" | "responseSpread" | "serviceSpread">;

function spreadsOf(answer: FullAnswer, side: "A" | "B"): Spreads {
  return {
    waitSpread: waitSpreadOf(answer), responseSpread: responseSpreadOf(answer, side),
    serviceSpread: serviceSpreadOf(answer, side),
  };
}

/** One side, a model a host; histograms are of all hosts together. */
function sidesOfHosts(
  answer: FullAnswer, values: Values, name: string, side: "A" | "B", untilS: number,
): readonly SideModel[] {
  const spreads = spreadsOf(answer, side);
  const hosts = hostLanesOf(shapesOf(values));
  return hosts.map((host, i) => ({
    name, ...spreads,
    activeSessions: activeSessionsOf(answer, host.threads, hosts.length < 2 ? null : i + 1, untilS),
    lanes: lanesOf(answer, host),
  }));
}

/** Both sides and all hosts on the same axis. */
function onOneAxis(sides: readonly (readonly SideModel[])[]): readonly (readonly SideModel[])[] {
  const yMax = Math.max(0, ...sides.flat().map(({ activeSessions }) => activeSessions.yMax));
  return sides.map((hosts) => hosts.map((side) => ({ ...side, activeSessions: { ...side.activeSessions, yMax } })));
}

/** Remembered: while only curves come in, the matrix and the table stay the same objects. */
const sidesOf = memoLast(
  (fullA: FullAnswer | null, fullB: FullAnswer | null, a: Values, b: Values, nameA: string, nameB: string) => {
    const untilS = shownUntilS([fullA, fullB].filter((one) => one !== null));
    return onOneAxis([
      fullA === null ? [] : sidesOfHosts(fullA, a, nameA, "A", untilS),
      fullB === null ? [] : sidesOfHosts(fullB, b, nameB, "B", untilS),
    ]);
  },
);

const eventsOf = memoLast((fullA: FullAnswer | null, fullB: FullAnswer | null, areTwo: boolean) =>
  fullA === null || fullB === null ? null : eventTableOf(fullA.report, fullB.report, areTwo),
);

function curveOf(input: AnalysisInput): CurveModel {
  const scale = scaleOf(input);
  const { curveA, curveB, metric } = input;
  const xA = placeApart(input);
  const difference =
    xA === null
      ? differencesOf(isCompared(input) ? curveA : null, curveB, metric.id, scale)
      // Two curves at one place are not what is compared.
      : isCompared(input) ? [] : differencesAlong(curveB, xA, metric.id, scale);
  return curveModelOf(input, stageOf(input), scale, { difference, even: xA === null ? evenPoints(difference) : [] });
}

/** A refusal stands in place of what was found before. */
function saidFinding(input: AnalysisInput): SaidFinding {
  const { refusal } = input;
  if (refusal !== null) {
    // Of several reasons one is enough at a time.
    const [first = "", ...others] = refusal.split("\n");
    const text = others.length === 0 ? first : `${first}, and ${others.length} more`;
    return { headline: text, short: [{ text }], why: [], isSaid: true };
  }
  const stage = stageOf(input);
  if (stage.kind === "kept" && input.kept !== null) return input.kept.finding as SaidFinding;
  return { ...findingOf(input), isSaid: stage.kind === "settled" || stage.kind === "truncated" };
}

export const findingIn = memoBy(saidFinding);
export const howSureIn = memoBy(howSureOf);
export const curveIn = memoBy(curveOf);
export const trustIn = memoBy(trustOf);

/** A beside B, of the host looked at or of each. */
export const matrixIn = memoBy((input: AnalysisInput): MatrixModel => {
  const names = namesOf(input);
  const [allA = [], allB = []] = sidesOf(input.fullA, input.fullB, input.a, input.b, names.a, names.b);
  const hostCount = Math.max(1, input.preset.nodes);
  const hosts = Array.from({ length: hostCount }, (_, i) => {
    const [a, b] = [allA[i] ?? null, allB[i] ?? null];
    const at = hostCount < 2 ? null : i + 1;
    return {
      name: at === null ? null : `host ${at}`, a, b,
      titles: hostTitlesOf(input, at, a?.activeSessions ?? null, b?.activeSessions ?? null),
    };
  });
  return {
    a: allA[0] ?? null, b: allB[0] ?? null, hostCount,
    hosts: hostCount < 2 || input.host === null ? hosts : hosts.slice(input.host - 1, input.host),
    accounting: accountingOf(input), titles: titlesOf(input, allA[0] ?? null, allB[0] ?? null),
  };
});

/** Null until both sides have run, or were kept. */
export const eventsIn = ({ fullA, fullB, differs, kept }: AnalysisInput): EventTableModel | null =>
  eventsOf(fullA, fullB, differs.length > 0) ?? (kept === null ? null : (kept.events as EventTableModel | null));

/** What the reader measured, and whether the curve has its axes. */
export const measuredIn = memoBy(({ measured, xAxis, metric }: AnalysisInput) => ({
  points: measured, isOnCurve: measuredOn(measured, xAxis.knob, metric.id).length > 0,
}));

/** Null until both sides have run. */
export const lossesIn = memoBy(lossTableOf);

/** What the page is about, whichever panels it shows. */
export const pageOf = memoBy((input: AnalysisInput): PageModel => ({
  finding: findingIn(input), curve: curveIn(input), trust: trustIn(input), stage: stageOf(input),
}));
