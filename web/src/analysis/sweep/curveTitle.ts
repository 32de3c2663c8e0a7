/** What the sweep chart says, whatever stands on its axes. */
import { formatFixed, formatMs, formatShort, unitOf } from "../../units";
import { allHostsHead, hostsOf } from "../read/host";
import { alike, wordAt, type AnalysisInput } from "../read/input";
import { hasRatios } from "../read/metrics";
import { capital, namesAlong, placeOfKey } from "../read/names";
import { isSketch } from "../read/stage";
import type { Stage } from "../read/types";
import { reached } from "./curves";
import type { CurveModel, CurvePoint } from "./types";

/** As a share of a value, what is next to it. */
const NEXT_TO = 0.02;

const topOf = (points: readonly CurvePoint[], start: CurvePoint): CurvePoint =>
  points.reduce((best, point) => (point.y > best.y ? point : best), start);

/** The last point that may be the top, if the curve keeps falling from there: a step down to a plateau does not. */
export function fallsPast(points: readonly CurvePoint[]): number | null {
  const last = points.at(-1);
  if (last === undefined) return null;
  const top = topOf(points, last);
  const after = points.filter((point) => point.x > top.x);
  const early = after[Math.floor(after.length / 4)];
  if (early === undefined) return null;
  const doubt = Math.max((early.ci95 ?? 0) + (last.ci95 ?? 0), NEXT_TO * top.y);
  if (early.y - last.y <= doubt) return null;
  return points.findLast((point) => areAlike(point, top, FLAT))?.x ?? null;
}

/** As a share of the top, what is told from it by nobody, however well it is known. */
const FLAT = 0.0025;

/** Whether it lies next to a value. */
const isNear = ({ y }: CurvePoint, value: number): boolean => Math.abs(y - value) <= NEXT_TO * value;

/** The first x from which every point is next to the last. */
export function flattensAt(points: readonly CurvePoint[]): number | null {
  const last = points.at(-1);
  if (last === undefined || points.length < 4) return null;
  const knee = points[points.findLastIndex((point) => !isNear(point, last.y)) + 1];
  return knee === undefined || knee.x >= (points.at(-2)?.x ?? knee.x) ? null : knee.x;
}

const SYNC = "log_file_sync_ms";

type Drawn = Omit<CurveModel, "title">;

const SHORT: Readonly<Record<string, string>> = {
  throughput_lio: "Throughput", throughput_transactions: "Throughput",
  response_p99_ms: "Response p99", service_mean_ms: "Mean answer", service_p99_ms: "Answer p99",
  service_backlog_growth_per_s: "Queue growth", cpu_wait_time: "CPU wait", cpu_wait_purr: "CPU wait from PURR",
  cpu_time: "CPU time", cpu_purr: "PURR", dispatch_delay_mean_us: "Dispatch delay",
  dispatch_delay_p99_us: "Dispatch delay, p99", lio_per_session: "Reads of a session",
  transactions_per_session: "Work of a session", run_queue: "Run queues", involuntary_switches_per_s: "Forced switches",
  migrations_per_s: "Migrations", switches_per_s: "Switches",
};

/** The metric as a sentence begins with it. */
export function metricWord(metric: { readonly id: string; readonly title: string }): string {
  return SHORT[metric.id] ?? metric.title.split(",")[0] ?? metric.title;
}

function placeAt(input: AnalysisInput, x: number): string {
  const place = placeOfKey(input, input.xAxis.knob, wordAt(input.xAxis, x));
  const areAlike = alike(input.b, "sessions") !== null;
  const isOfEach = input.xAxis.knob === "sessions" && input.preset.instances.length > 1 && areAlike;
  return isOfEach ? `${place} each` : place;
}

/** A step down is no such fall: where one of two sides does nothing but that, the other keeps falling. */
function fallTitle(input: AnalysisInput, a: readonly CurvePoint[], b: readonly CurvePoint[]): string | null {
  const [fallA, fallB] = [fallsPast(a), fallsPast(b)];
  const names = namesAlong(input);
  const x = Math.max(fallA ?? 0, fallB ?? 0);
  if (fallA === null && fallB === null) return null;
  const isOfOne = a.length > 0 && (fallA === null || fallB === null);
  const who = isOfOne ? `${withName(fallB === null ? names.a : names.b)}, throughput` : "Throughput";
  return `${who} keeps falling past ${placeAt(input, x)}`;
}

const withName = (name: string): string => (name === "no cage" ? "Without the cage" : `With ${name}`);

function throughputTitle(input: AnalysisInput, { a: allA, b: all, unit }: Drawn): string {
  const [a, b] = [reached(allA), reached(all)];
  const fall = fallTitle(input, a, b);
  if (fall !== null) return fall;
  const [last, flat] = [b.at(-1), flattensAt(b)];
  if (last === undefined) return "";
  if (flat !== null) return staysTitle("Throughput", b, unit, `from ${placeAt(input, flat)}`);
  const top = topOf(b, last);
  return `Throughput ${top === last ? "still rises" : "is highest"} at ${placeAt(input, top.x)}`;
}

/** Its first or second word is in the plural. */
const PLURAL = /^(\w+ )?\w+[^s ]s\b|^buffer busy/i;

/** "switches stay", "response time stays". */
function does(what: string, verb: string): string {
  return `${what} ${PLURAL.test(what) ? verb : verb === "are" ? "is" : `${verb}s`}`;
}

/** A unit as a sentence ends with it. */
export function spelled(unit: string): string {
  return unit === "1/s" ? "a second" : /^(thousand|million)\/s$/.test(unit) ? unit.replace("/s", " a second") : unit;
}

/** A value and its unit. */
function quantity(value: number, unit: string, digits = 3): string {
  const shown = formatShort(value, digits);
  return `${shown} ${unitOf(shown, spelled(unit))}`;
}

/** Seconds in the unit that fits. */
const told = (value: number, unit: string, digits = 3): string =>
  unit === "s" ? formatMs(value * 1000) : quantity(value, unit, digits);

/** As a share of a value: what is known no better may change by so much and seem to stay. */
const VAGUE = 0.05;

function staysTitle(what: string, points: readonly CurvePoint[], unit: string, where: string): string {
  const { y = 0, ci95: half } = points.at(-1) ?? {};
  return points.some(({ ci95 }) => (ci95 ?? 0) > VAGUE * Math.abs(y))
    ? `${what}: no change shown ${where}${(half ?? 0) > y ? "" : `, about ${told(y, unit, 2)}`}`
    : `${does(what, "stay")} near ${told(y, unit)} ${where}`;
}

function isFlat(points: readonly CurvePoint[]): boolean {
  const ys = points.map(({ y }) => y);
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  return high - low <= Math.max(0.02 * Math.abs(high), points[0]?.ci95 ?? 0);
}

/** A rise that is told by its ends: as a factor it would be nearly 1. */
const SMALL_RISE = 1.1;

/** A tenth of the growth, and a quarter of the axis: what has so little until there bends, a straight line has not. */
const LITTLE = 0.1;
const FAR = 0.25;

/** The last place until which a curve has hardly grown, if that is well along the axis. */
function bendOf(points: readonly CurvePoint[], first: CurvePoint, last: CurvePoint): number | null {
  const little = first.y + LITTLE * (last.y - first.y);
  const knee = points[points.findIndex(({ y }) => y > little) - 1];
  return knee === undefined || knee.x - first.x < FAR * (last.x - first.x) ? null : knee.x;
}

const areAlike = (one: CurvePoint, other: CurvePoint, nothing: number): boolean =>
  Math.abs(one.y - other.y) <= Math.max((one.ci95 ?? 0) + (other.ci95 ?? 0), nothing * other.y);

/** Where a curve is farthest from its ends, which are alike: within their intervals, or next to nothing apart. */
function swingOf(points: readonly CurvePoint[], first: CurvePoint, last: CurvePoint): CurvePoint | null {
  if (!areAlike(first, last, 0.5 * NEXT_TO)) return null;
  const off = (point: CurvePoint) => Math.abs(point.y - last.y);
  return points.reduce((farthest, point) => (off(point) > off(farthest) ? point : farthest), last);
}

/** How many times the first the last is, and past where nearly all of that comes. */
function riseTitle(input: AnalysisInput, what: string, model: Drawn): string {
  const { a, unit } = model;
  const b = reached(model.b);
  const [first] = b;
  const last = b.at(-1);
  if (first === undefined || last === undefined) return what;
  const highest = topOf(b, first);
  const lowest = b.reduce((best, point) => (point.y < best.y ? point : best), first);
  const lastA = a.at(-1);
  if (isFlat(b) && lastA !== undefined && isFlat(a) && formatShort(last.y) !== formatShort(lastA.y))
    return `${what}: ${quantity(last.y, unit)} with ${namesAlong(input).b}, ${formatShort(lastA.y)} with `
      + namesAlong(input).a;
  // Some figures there are only from some place on.
  const isLate = first.x > Math.min(first.x, ...input.xAxis.grid);
  const where = isLate ? `from ${placeAt(input, first.x)} on` : `up to ${placeAt(input, last.x)}`;
  const stays = staysTitle(what, b, unit, where);
  if (isFlat(b)) return stays;
  const isPositive = lowest.y > 0 && hasRatios(input.metric.id);
  const isTop = highest !== first && last.y < 0.6 * highest.y;
  const swing = swingOf(b, first, last) ?? (isTop ? highest : null);
  if (swing !== null)
    return areAlike(swing, last, 0)
      ? stays
      : `${does(what, "are")} ${swing.y > last.y ? "high" : "low"}est at ${placeAt(input, swing.x)}: `
        + told(swing.y, unit);
  const both = `${unit === "s" ? told(first.y, unit) : formatShort(first.y)} to ${told(last.y, unit)}`;
  // Where the curve ends before its axis does, the title says where.
  const isUnbound = model.endlessB.some((x) => x > last.x);
  const to = model.b.length === b.length ? "" : ` by ${placeAt(input, last.x)}`;
  if (last.y < first.y) return `${does(what, "fall")} from ${both}${to}`;
  if (!isPositive || last.y > 1_000 * first.y || last.y < SMALL_RISE * first.y)
    return `${does(what, "grow")} from ${both}${to}`;
  // Where it grows from the start on, no place says more.
  const bend = isUnbound ? null : bendOf(b, first, last);
  return `${does(what, "grow")} ×${formatShort(last.y / first.y, 2)}${to}`
    + (bend === null ? "" : `, nearly all past ${to === "" ? placeAt(input, bend) : formatShort(bend)}`);
}

/** The best word and the worst, or the highest and the lowest where neither is good; null: they are alike. */
function bestAndWorst(
  input: AnalysisInput, points: readonly CurvePoint[], own: string, [endless]: readonly number[],
): string | null {
  const ranked = points.toSorted((one, other) => one.y - other.y);
  const [low, high] = [ranked[0], ranked.at(-1)];
  if (low !== undefined && endless !== undefined)
    return `${quantity(low.y, own)} with ${wordAt(input.xAxis, low.x)}, no bound with ${wordAt(input.xAxis, endless)}`;
  if (low === undefined || high === undefined || low === high) return null;
  if (high.y - low.y <= Math.max((high.ci95 ?? 0) + (low.ci95 ?? 0), 0.005 * Math.abs(high.y))) return null;
  const [first, second] = input.metric.better === "down" ? [low, high] : [high, low];
  const [best, worst] = [wordAt(input.xAxis, first.x), wordAt(input.xAxis, second.x)];
  if (formatShort(first.y) === formatShort(second.y)) return null;
  return `${quantity(first.y, own)} with ${best}, ${formatShort(second.y)} with ${worst}`;
}

/** Of B, if its words differ; else of A, if that has what B has not. */
function wordsTitle(input: AnalysisInput, what: string, { a, b, unit, endlessA, endlessB }: Drawn): string {
  const [ofA, ofB] = [bestAndWorst(input, a, unit, endlessA), bestAndWorst(input, b, unit, endlessB)];
  if (ofB !== null) return `${what}: ${ofB}`;
  const names = namesAlong(input);
  if (ofA !== null) return `${what}: the same with ${names.b}; with ${names.a} ${ofA}`;
  const [first] = b;
  return first === undefined ? what : `${what}: no difference shown by ${input.xAxis.knob}, ${quantity(first.y, unit)}`;
}

/** Of several hosts a title says that it speaks of all of them; it is short enough to be read whole. */
function ofAllHosts(input: AnalysisInput, title: string): string {
  // Along the number of nodes each point has its own.
  const head = allHostsHead(input.xAxis.knob === "cluster_nodes" ? null : hostsOf(input));
  if (head === "" || title === "") return title;
  return `${head}${lowered(title.replace(/^Throughput stays near/, "Near"))}`;
}

/** As it stands within a sentence; what is written in capitals stays so. */
const lowered = (text: string): string =>
  /^[A-Z][a-z ]/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;

/** What a chart can say depends on how far its answer is. */
export function curveTitle(input: AnalysisInput, model: Drawn, stage: Stage): string {
  return ofAllHosts(input, titleOf(input, model, stage));
}

/** From a sketch, or where points are missing, nothing follows for the whole axis. */
const isWhole = ({ xAxis: { grid }, curveA, curveB, areCurvesOver }: AnalysisInput): boolean =>
  areCurvesOver || [curveA, curveB].every((curve) => curve === null || grid.every((x) => curve.fine.has(x)));

/** Of a figure that no point of B has: what it is the time or number of did not happen. */
function noneTitle(input: AnalysisInput, what: string, { a, endlessB }: Drawn): string {
  const { metric, curveB } = input;
  if (curveB === null || curveB.fine.size === 0) return "";
  if (endlessB.length > 0) return `${what} has no bound`;
  const why = metric.id === SYNC ? ": no session waits for a commit" : "";
  const none = `no ${lowered(what)} ${PLURAL.test(what) ? "are" : "is"} seen${why}`;
  return a.length === 0 ? capital(none) : `${withName(namesAlong(input).b)}, ${none}`;
}

/** On which side of a curve its figure has no bound. */
function withoutBound(input: AnalysisInput, { b, endlessB }: Drawn): string {
  const [first, last] = [b[0]?.x ?? 0, b.at(-1)?.x ?? 0];
  const x = endlessB.find((place) => place > last) ?? endlessB.findLast((place) => place < first);
  return x === undefined ? "" : `, without bound ${x > last ? "from" : "up to"} ${placeAt(input, x)}`;
}

function titleOf(input: AnalysisInput, model: Drawn, stage: Stage): string {
  const what = metricWord(input.metric);
  const here = model.b.find((point) => point.x === model.x);
  const isOver = isWhole(input);
  if (model.endlessB.includes(model.x) && !isOver) return `${what} has no bound at ${placeAt(input, model.x)}`;
  if (model.b.length === 0) return isOver ? noneTitle(input, what, model) : "";
  if ((isSketch(stage) || !isOver) && here !== undefined && here.ci95 !== null && here.y > 0) {
    // It may be anything.
    if (here.ci95 > here.y) return what;
    const width = formatFixed((100 * here.ci95) / here.y, 0);
    return `${what} about ${quantity(here.y, model.unit, 2)}${width === "0" ? "" : ` ±${width} %`}`;
  }
  if (!isOver) return what;
  // A time that is none anywhere is that of something that never happens.
  if (/^(m|µ)?s$/.test(model.unit) && model.b.every(({ y }) => y === 0)) return noneTitle(input, what, model);
  const [only, second] = reached(model.b);
  // One point is no curve.
  if (only !== undefined && second === undefined && input.xAxis.grid.length !== 1)
    return `${capital(what)}: ${told(only.y, model.unit)} at ${placeAt(input, only.x)}${withoutBound(input, model)}`;
  if (model.xWords !== null) return capital(wordsTitle(input, what, model));
  const titled = (of: Drawn): string =>
    input.metric.id === "throughput_lio" ? throughputTitle(input, of)
      : riseTitle(input, what, of) + withoutBound(input, of);
  const title = titled(model);
  if (reached(model.a).length < 2 || NAMES_SIDES.test(title)) return capital(title);
  // What another curve on the same axes does not do is told of one.
  const ofA = titled({ ...model, a: [], b: model.a, endlessB: model.endlessA });
  const isOfBoth = isNearly(ofA, titled({ ...model, a: [] }));
  return isOfBoth ? capital(title) : `${withName(namesAlong(input).b)}, ${lowered(title)}`;
}

const NUMBER = /\d[\d.,]*/g;
/** Numbers of two curves that one title tells. */
const NEARLY = 1.1;

const numbersIn = (text: string): readonly number[] =>
  (text.match(NUMBER) ?? []).map((number) => Number(number.replace(/,/g, "")));

/** The same words, and numbers next to one another. */
function isNearly(one: string, other: string): boolean {
  const others = numbersIn(other);
  const isNear = (a: number, b: number): boolean => Math.max(a, b) <= NEARLY * Math.min(a, b);
  const areNear = numbersIn(one).every((a, i) => isNear(a, others[i] ?? 0));
  return areNear && one.replace(NUMBER, "") === other.replace(NUMBER, "");
}

/** A title that says of which side it speaks, or that speaks of both. */
const NAMES_SIDES = /^With|^Throughput keeps|: .* with /;
