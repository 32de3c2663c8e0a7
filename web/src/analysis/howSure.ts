/** How sure: the interval, what it rests on, and where the one assumption behind it would turn the sign. */
import type { Knob } from "../engine";
import { formatCount, formatKnob, formatPercent } from "../units";
import { zeroBetween, type Paired } from "../base/statistics";
import { isCertain } from "./accounts";
import { differencePoint } from "./curves";
import { differencesAt, signedWithWidth } from "./finding";
import { isOpen, numberOf, type AnalysisInput } from "./input";
import type { HowSure, Span } from "./types";
import { mono, namesOf, plain, strong, strongB } from "./words";

type Hinge = NonNullable<HowSure["hinge"]>;

interface HingePoint {
  readonly value: number;
  readonly percent: number;
  readonly ci95: number | null;
}

/** The difference at each value of the assumption, the present one included. */
export function hingeCurve(input: AnalysisInput): HingePoint[] {
  return input.hinge.flatMap(({ value, a, b }) => {
    if (a === null || b === null) return [];
    const { percent, ci95 } = differencePoint(value, a, b, "throughput");
    return [{ value, percent, ci95 }];
  });
}

/** Where the sign turns, on a logarithmic axis where that is possible; null: nowhere in range. */
export function evenValue(points: readonly HingePoint[]): number | null {
  for (let i = 1; i < points.length; i++) {
    const [left, right] = [points[i - 1], points[i]];
    if (left === undefined || right === undefined) continue;
    const isLog = left.value > 0;
    const at = (value: number): number => (isLog ? Math.log(value) : value);
    const zero = zeroBetween(at(left.value), left.percent, at(right.value), right.percent);
    if (zero !== null) return isLog ? Math.exp(zero) : zero;
  }
  return null;
}

function endWords(input: AnalysisInput, points: readonly HingePoint[], even: number | null): readonly [string, string] {
  const { wordB } = namesOf(input);
  const who = wordB === "caged" ? "cage" : "B";
  const verdict = (point: HingePoint | undefined): string => `${who} ${(point?.percent ?? 0) > 0 ? "wins" : "loses"}`;
  if (even === null) return ["", `${verdict(points[0])} everywhere`];
  return [verdict(points[0]), verdict(points.at(-1))];
}

function hingeOf(input: AnalysisInput, points: readonly HingePoint[]): Hinge | null {
  const { hinge } = input.preset;
  if (hinge === null || points.length < 3) return null;
  const knob = input.knobs.find((one) => one.id === hinge.knob);
  const even = evenValue(points);
  const [leftWord, rightWord] = endWords(input, points, even);
  return {
    knob: hinge.knob, unit: knob?.unit ?? "", from: hinge.from, to: hinge.to, here: numberOf(input.b, hinge.knob, hinge.from), even,
    marks: hinge.marks.filter((mark) => mark.value >= hinge.from && mark.value <= hinge.to), leftWord, rightWord,
  };
}

/** An assumption is called one, unless the value in use is the measured default. */
function statusOf(knob: Knob | undefined, here: number): string {
  if (knob === undefined || knob.status === "free") return "It hangs on one knob that nobody measured, ";
  return here === knob.default ? "It hangs on one knob, measured elsewhere, " : "It hangs on one knob whose value here is assumed, ";
}

function hingeSpans(input: AnalysisInput, hinge: Hinge | null): Span[] {
  if (hinge === null) return [];
  if (hinge.even === null) {
    const unit = hinge.unit === "" ? "" : ` ${hinge.unit}`;
    return [plain(" The sign is the same for every "), mono(hinge.knob), plain(` from ${formatKnob(hinge.from)} to ${formatKnob(hinge.to)}${unit}:`)];
  }
  const knob = input.knobs.find((one) => one.id === hinge.knob);
  return [plain(` ${statusOf(knob, hinge.here)}`), mono(hinge.knob), plain(":")];
}

function restsOn(input: AnalysisInput, difference: Paired): string {
  const from = `from ${formatCount(difference.pairs)} paired replications`;
  return input.isCoarse || input.progress !== null ? ` at 95 % so far, ${from}, narrowing.` : ` at 95 %, ${from}.`;
}

function aloneSentence(input: AnalysisInput): Span[] {
  const report = input.fullB?.report;
  if (report === undefined) return [];
  const reached = report.precision.reached;
  const width = reached === null ? "without an interval yet" : `±${formatPercent(100 * reached)} at 95 %`;
  return [strong(width), plain(`, from ${formatCount(report.replications)} replications and ${formatCount(report.batches)} batches.`)];
}

function differenceSpans(input: AnalysisInput): Span[] {
  const { fullA, fullB } = input;
  if (fullA === null || fullB === null) return aloneSentence(input);
  const all = differencesAt(fullA.report, fullB.report);
  const isGiven = isOpen(input.a) && isOpen(input.b);
  const difference = isGiven ? all.response : all.throughput;
  const { number, width } = signedWithWidth(difference);
  const what = isGiven ? " in mean response" : "";
  const doubt = isCertain(difference) ? "" : " The sign is not certain.";
  return [strongB(number), plain(`${width === "" ? "" : ` ${width}`}${what}${restsOn(input, difference)}${doubt}`)];
}

export function howSureOf(input: AnalysisInput): HowSure {
  if (input.fullB === null) return { sentence: [], hinge: null };
  if (input.differs.length === 0) return { sentence: aloneSentence(input), hinge: null };
  const hinge = hingeOf(input, hingeCurve(input));
  return { sentence: [...differenceSpans(input), ...hingeSpans(input, hinge)], hinge };
}
