/**
 * What one should do, and where: the values on the axis at which B is better for certain, and those at which A is; and
 * which side of its turn the assumption must be on. Silent unless all of it has run and the sign turns just once.
 */
import type { Knob, PointAnswer } from "../../engine";
import { formatKnob } from "../../units";
import { isCaged, isFree, type AnalysisInput, type CurveAnswers } from "../read/input";
import { isOfCage, namesOf, placeOfEach } from "../read/names";
import type { DifferencePoint } from "../read/types";
import { differencePoint, differencesAt, isCertain, signOf } from "../sides/differences";
import { evenValue, hingeCurve } from "../sides/hinge";
import { basisOf } from "./basis";
import { comparedIn } from "./compared";
import { mono, plain } from "./spans";
import type { Sentence } from "./types";

/** Two neighbouring stretches of certain signs, the first below the second. */
interface Turn {
  readonly below: readonly DifferencePoint[];
  readonly above: readonly DifferencePoint[];
}

/** Null where the sign of B − A turns never, or more than once. */
function turnOf(points: readonly DifferencePoint[]): Turn | null {
  const signs = points.map(signOf);
  const first = signs.find((sign) => sign !== 0) ?? 0;
  const start = signs.indexOf(-first);
  if (first === 0 || start < 0 || signs.slice(start).includes(first)) return null;
  const last = signs.lastIndexOf(first);
  const from = signs.findLastIndex((sign, i) => i < last && sign !== first) + 1;
  const end = signs.findIndex((sign, i) => i > start && sign !== -first);
  return { below: points.slice(from, last + 1), above: points.slice(start, end < 0 ? points.length : end) };
}

/** What changes less nobody is advised to seek, or to avoid [%]. */
const SMALLEST = 0.5;

/** Whose knobs one sets, rather than has. */
const SETTINGS: ReadonlySet<string> = new Set([
  "Instance", "Parallel query", "Redo log", "Database writers", "Process kinds", "Operating system",
]);

/** A setting, and none of the model's assumptions; what follows other knobs has another value elsewhere on the axis. */
function canBeSet(knob: Knob | undefined): boolean {
  if (knob === undefined || !SETTINGS.has(knob.group) || (knob.status ?? "constant") !== "constant") return false;
  const follows = [knob.default_cases, knob.default_product, knob.default_linear].some((given) => given !== undefined);
  return !follows && (knob.kind === "choice" || knob.kind === "integer");
}

const idOf = (key: string): string => key.split("@")[0] ?? key;

/**
 * What to do, as an order; null where the sides differ in more than the one knob that it would name, or in one that
 * nobody sets.
 */
function orderOf(input: AnalysisInput): string | null {
  const { a, b, differs, knobs, xAxis } = input;
  if (differs.every(isOfCage)) {
    if (isFree(a) && isCaged(b)) return "cage";
    if (isCaged(a) && isFree(b)) return "take the cage away";
  }
  const [key = "", ...others] = differs;
  const names = namesOf(input);
  if (others.length > 0 || !canBeSet(knobs.find(({ id }) => id === idOf(key)))) return null;
  if (`${names.a} ${names.b}`.includes(idOf(xAxis.knob))) return null;
  return `choose ${names.b} over ${names.a}`;
}

/** B − A in throughput at each place on the axis; null while one is missing. */
function sweptCurve({ xAxis, curveA, curveB }: AnalysisInput): readonly DifferencePoint[] | null {
  const points = xAxis.grid.map((x) => {
    const at = (curve: CurveAnswers | null): PointAnswer | undefined => curve?.fine.get(x);
    const [a, b] = [at(curveA), at(curveB)];
    if (a === undefined || b === undefined) return null;
    return differencePoint(x, a, b, "throughput_lio", { unit: "LIO/s", divisor: 1 });
  });
  return points.every((point) => point !== null) ? points : null;
}

/** "9 to 16 sessions", "cpu_count 1 to 4", "1 session". */
function stretch(input: AnalysisInput, points: readonly DifferencePoint[]): string {
  const [from, to] = [points[0]?.x ?? 0, points.at(-1)?.x ?? 0];
  const place = placeOfEach(input, input.xAxis.knob, to);
  if (from === to) return place;
  const number = formatKnob(to);
  if (place.startsWith(number)) return `${formatKnob(from)} to ${place}`;
  return place.replace(` ${number}`, () => ` ${formatKnob(from)} to ${number}`);
}

/** On which side of its turn the assumption must be, here. */
function onlyIf(input: AnalysisInput): Sentence {
  const { hinge } = input.preset;
  const points = hingeCurve(input, comparedIn(input));
  const isWhole = input.hinge.length > 0 && input.hinge.every(({ a, b }) => a !== null && b !== null);
  const turn = isWhole ? turnOf(points) : null;
  const even = evenValue(points);
  const [lower, upper] = [turn?.below.at(-1), turn?.above[0]];
  if (hinge === null || hinge.knob === input.xAxis.knob || lower === undefined || upper === undefined || even === null)
    return [];
  const unit = input.knobs.find(({ id }) => id === hinge.knob)?.unit ?? null;
  const side = signOf(upper) > 0 ? "over" : "under";
  const about = `${formatKnob(even)}${unit === null ? "" : ` ${unit}`}`;
  return [
    plain(` At ${placeOfEach(input, input.xAxis.knob, input.xHandle)} do so if `), mono(hinge.knob),
    plain(
      ` is ${side} about ${about}: the turn is between ${formatKnob(lower.x)} and ${formatKnob(upper.x)}.`,
    ),
  ];
}

/** Empty: there is nothing to advise. */
export function adviceOf(input: AnalysisInput): Sentence {
  const { fullA, fullB, xAxis, differs } = input;
  const isOld = input.isCoarse || input.isInHand || input.isBehind || input.refusal !== null || input.failure !== null;
  if (isOld || fullA === null || fullB === null || basisOf(input) !== "throughput") return [];
  if (comparedIn(input)?.metric !== "throughput_lio") return [];
  if (!isCertain(differencesAt(fullA.report, fullB.report).throughput)) return [];
  // The difference in nothing but the knob of the axis is two places on one curve.
  if (xAxis.words !== null || differs.every((key) => key === xAxis.knob)) return [];
  const order = orderOf(input);
  const points = sweptCurve(input);
  const turn = points === null ? null : turnOf(points);
  if (order === null || turn === null) return [];
  const isRise = turn.above.every((point) => point.value > 0);
  const [good, bad] = isRise ? [turn.above, turn.below] : [turn.below, turn.above];
  if ([good, bad].some((of) => Math.max(...of.map(({ value }) => Math.abs(value))) < SMALLEST)) return [];
  const where = `at ${stretch(input, good)}, not at ${stretch(input, bad)}`;
  return [plain(`For throughput ${order} ${where}.`), ...onlyIf(input)];
}
