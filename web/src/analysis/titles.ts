/** Titles that say the finding of their chart, short enough for its column. */
import type { FullAnswer } from "../engine";
import { formatFixed, formatMs, formatShort } from "../units";
import { accountOf, type Account } from "./accounts";
import type { AnalysisInput } from "./input";
import { twoHumps } from "./spread";
import type { CurveModel, CurvePoint, PageModel, SideModel, SpreadModel, Stage } from "./types";
import { capital, namesOf, placeOf } from "./words";

/** Where a curve has its top, if it keeps falling from there: a step down to a plateau is no fall. */
export function fallsPast(points: readonly CurvePoint[]): number | null {
  const last = points.at(-1);
  if (last === undefined) return null;
  const top = points.reduce((best, point) => (point.y > best.y ? point : best), last);
  const after = points.filter((point) => point.x > top.x);
  const early = after[Math.floor(after.length / 4)];
  if (early === undefined) return null;
  const doubt = Math.max((early.ci95 ?? 0) + (last.ci95 ?? 0), 0.02 * top.y);
  return early.y - last.y > doubt ? top.x : null;
}

/** The first x from which the curve rises no more than 2 % above. */
export function flattensAt(points: readonly CurvePoint[]): number | null {
  const last = points.at(-1);
  if (last === undefined || points.length < 4) return null;
  const knee = points.find((point) => point.y >= 0.98 * last.y);
  return knee === undefined || knee.x >= (points.at(-2)?.x ?? knee.x) ? null : knee.x;
}

function throughputTitle(input: AnalysisInput, a: readonly CurvePoint[], b: readonly CurvePoint[], unit: string): string {
  const [fallA, fallB] = [input.differs.length === 0 ? null : fallsPast(a), fallsPast(b)];
  const names = namesOf(input);
  const past = (x: number): string => placeOf(input.xKnob, x);
  const withName = (name: string): string => (name === "no cage" ? "Without the cage" : `With ${name}`);
  if (fallA !== null && fallB === null) return `${withName(names.a)}, throughput falls past ${past(fallA)}`;
  if (fallB !== null && fallA === null && input.differs.length > 0) return `${withName(names.b)}, throughput falls past ${past(fallB)}`;
  if (fallB !== null) return `Throughput falls past ${past(fallB)}`;
  const flat = flattensAt(b);
  if (flat !== null) return `Throughput stays near ${formatShort(b.at(-1)?.y ?? 0)} ${unit} from ${past(flat)}`;
  return b.length === 0 ? "Throughput" : `Throughput still rises at ${past(b.at(-1)?.x ?? 0)}`;
}

function responseTitle(input: AnalysisInput, b: readonly CurvePoint[]): string {
  const [first] = b;
  const last = b.at(-1);
  if (first === undefined || last === undefined || first.y <= 0) return "Response time";
  const knee = b.find((point) => point.y > 1.25 * first.y);
  if (knee === undefined) return `Response time stays near ${formatShort(first.y)} up to ${placeOf(input.xKnob, last.x)}`;
  return `Response time grows ×${formatShort(last.y / first.y, 2)}, past ${placeOf(input.xKnob, knee.x)}`;
}

/** What a chart can say depends on how far its answer is. */
export function curveTitle(input: AnalysisInput, model: Omit<CurveModel, "title">, stage: Stage): string {
  const here = model.b.find((point) => point.x === model.x);
  const what = model.metric === "throughput" ? "Throughput" : "Response time";
  if (model.b.length === 0) return "";
  if (stage.kind === "coarse" && here !== undefined && here.ci95 !== null && here.y > 0) {
    const width = formatFixed((100 * here.ci95) / here.y, 0);
    return `${what} about ${formatShort(here.y, 2)} ${model.unit}${width === "0" ? "" : ` ±${width} %`}`;
  }
  return model.metric === "throughput" ? throughputTitle(input, model.a, model.b, model.unit) : responseTitle(input, model.b);
}

function inMs(part: number, whole: number): string {
  return part < 0.1 ? `${formatMs(part)} in ${formatMs(whole)}` : `${formatShort(part, 2)} ms in ${formatShort(whole)}`;
}

/** "0.8 ms in 6.8": what a thread or slot loses, in how long. */
function lossOf(account: Account): string | null {
  const emptyShare = account.emptyPercent / 100;
  if (emptyShare > 0.005 && account.emptyPercent > account.switchPercent) {
    const gapMs = (account.sliceMs * emptyShare) / (1 - emptyShare);
    return inMs(gapMs, account.sliceMs + gapMs);
  }
  if (account.switchPercent < 0.1) return null;
  return inMs(account.switchMs, account.sliceMs);
}

function threadsTitle(a: Account | null, b: Account): string {
  const lossB = lossOf(b);
  const lossA = a === null ? lossB : lossOf(a);
  if (lossA === null && lossB === null) return `Threads: ${formatFixed(b.busyThreads, 1)} of ${formatShort(b.threads)} busy`;
  if (a === null || lossA === lossB) return `Threads lose ${lossB ?? "next to nothing"}`;
  if (lossA === null) return `Threads lose next to nothing, or ${lossB ?? ""}`;
  return lossB === null ? `Threads lose ${lossA}, or next to nothing` : `Threads lose ${lossA}, or ${lossB.replace(/ ms in/, " in")}`;
}

function waitingTitle(input: AnalysisInput, a: Account | null, b: Account): string {
  const names = namesOf(input);
  const now = formatFixed(b.waiting, 1);
  if (a === null || input.differs.length === 0) return `Active sessions: ${now} wait`;
  return `Active sessions: ${formatFixed(a.waiting, 1)} wait, ${names.wordB === "B" ? "in B" : names.wordB} ${now}`;
}

/** The middle of a bucket; the lowest of a wide spread holds all that is next to nothing. */
function aboutBucket(spread: SpreadModel, i: number): string {
  if (i === 0 && spread.shares.length >= 10) return "next to nothing";
  const middle = (spread.edgesMs[i] ?? 0) * Math.SQRT2;
  return `about ${formatMs(Number(middle.toPrecision(1)))}`;
}

function spreadTitle(side: SideModel, answer: FullAnswer): string {
  const wait = side.waitSpread;
  const humps = wait === null ? null : twoHumps(wait.shares);
  if (wait !== null && humps !== null) return `Waits split in two: ${aboutBucket(wait, humps[0])}, or ${aboutBucket(wait, humps[1])}`;
  if (wait !== null && twoHumps(side.responseSpread.shares) !== null) return `Waits of ${wait.value} split transactions in two`;
  return `99 % of transactions end within ${formatMs(answer.report.response_ms.p99)}`;
}

export function titlesOf(input: AnalysisInput, sideB: SideModel | null): PageModel["titles"] {
  const { fullA, fullB } = input;
  if (fullB === null || sideB === null) return { activeSessions: "", threads: "", spread: "" };
  const accountA = fullA === null || input.differs.length === 0 ? null : accountOf(fullA.report);
  const accountB = accountOf(fullB.report);
  return {
    activeSessions: waitingTitle(input, accountA, accountB),
    threads: capital(threadsTitle(accountA, accountB)),
    spread: spreadTitle(sideB, fullB),
  };
}
