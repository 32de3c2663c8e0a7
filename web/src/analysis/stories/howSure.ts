/** How sure: the interval, what it rests on, and where the one assumption behind it would turn the sign. */
import type { Knob, Report } from "../../engine";
import { formatCount, formatKnob, formatPercent } from "../../units";
import type { Paired } from "../../base/statistics";
import { isOpen, type AnalysisInput } from "../read/input";
import { namesOf } from "../read/names";
import { serviceIn } from "../read/service";
import { differencesAt, isCertain, isEqual, signOf } from "../sides/differences";
import { hingeCurve, hingeOf } from "../sides/hinge";
import type { Hinge } from "../sides/types";
import { signedWithWidth } from "./finding";
import { serviceSure } from "./service";
import { mono, plain, strong, strongB } from "./spans";
import type { HowSure, Span } from "./types";

/** An assumption is called one, unless the value in use is the measured default. */
function statusOf(knob: Knob | undefined, here: number): string {
  if (knob === undefined || knob.status === "free") return "It hangs on one knob that nobody measured, ";
  return here === knob.default ? "It hangs on one knob, measured elsewhere, " : "It hangs on one assumption, ";
}

function hingeSpans(input: AnalysisInput, hinge: Hinge | null): Span[] {
  if (hinge === null) return [];
  const isSureAll = hingeCurve(input).every((point) => signOf(point) !== 0);
  if (hinge.even === null) {
    const unit = hinge.unit === "" ? "" : ` ${hinge.unit}`;
    return [
      plain(isSureAll ? " The sign is the same for every " : " Where it is certain, the sign is the same for every "),
      mono(hinge.knob), plain(` from ${formatKnob(hinge.from)} to ${formatKnob(hinge.to)}${unit}:`),
    ];
  }
  const knob = input.knobs.find((one) => one.id === hinge.knob);
  return [plain(` ${statusOf(knob, hinge.here)}`), mono(hinge.knob), plain(":")];
}

function restsOn(input: AnalysisInput, difference: Paired): string {
  const from = `from ${formatCount(difference.pairs)} paired `
    + (difference.pairs === 1 ? "replication" : "replications");
  if (difference.ci95 === null) return `, ${from}: too few for an interval.`;
  return input.isCoarse || input.progress !== null ? ` at 95 % so far, ${from}, narrowing.` : ` at 95 %, ${from}.`;
}

function aloneSentence(input: AnalysisInput): Span[] {
  const report = input.fullB?.report;
  if (report === undefined) return [];
  const reached = report.precision.reached;
  const width = reached === null ? "without an interval yet" : `±${formatPercent(100 * reached)} at 95 %`;
  return [
    strong(width),
    plain(`, from ${formatCount(report.replications)} replications and ${formatCount(report.batches)} batches.`),
  ];
}

/** Of the server, how well each side knows what its headline says. */
function serverSpans(input: AnalysisInput): Span[] {
  const node = input.fullB === null ? null : (serviceIn(input.fullB.report)?.node ?? null);
  const sureOf = (report: Report | undefined): string | null => {
    const row = report === undefined || node === null ? null : serviceIn(report, node);
    return row === null ? null : serviceSure(row);
  };
  const names = namesOf(input);
  const [a, b] = [sureOf(input.fullA?.report), sureOf(input.fullB?.report)];
  const server = input.preset.nodes > 1 ? `the server of host ${node ?? 1}` : "the server";
  if (b === null) return [];
  return [
    plain(
      ` Of ${server} ${a === null || input.differs.length === 0 ? "" : `with ${names.a} ${a}, with ${names.b} `}${b}.`,
    ),
  ];
}

function differenceSpans(input: AnalysisInput): Span[] {
  const { fullA, fullB } = input;
  if (fullA === null || fullB === null) return aloneSentence(input);
  const all = differencesAt(fullA.report, fullB.report);
  const isGiven = isOpen(input.a) && isOpen(input.b);
  const difference = isGiven ? all.response : all.throughput;
  const { number, width } = signedWithWidth(difference);
  const what = isGiven ? " in mean response" : serviceIn(fullB.report) === null ? "" : " in throughput of the sessions";
  const doubt =
    difference.ci95 === null || isCertain(difference) || isEqual(difference) ? "" : " The sign is not certain.";
  return [strongB(number), plain(`${width === "" ? "" : ` ${width}`}${what}${restsOn(input, difference)}${doubt}`)];
}

export function howSureOf(input: AnalysisInput): HowSure {
  if (input.fullB === null) return { sentence: [], hinge: null };
  if (input.differs.length === 0) return { sentence: [...aloneSentence(input), ...serverSpans(input)], hinge: null };
  const hinge = hingeOf(input, hingeCurve(input));
  return { sentence: [...differenceSpans(input), ...serverSpans(input), ...hingeSpans(input, hinge)], hinge };
}
