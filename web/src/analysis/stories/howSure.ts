/** How sure: the interval, what it rests on, and where the one assumption behind it would turn the sign. */
import type { Knob, Report } from "../../engine";
import { formatCount, formatHalfWidth, formatKnob, formatSignedPercent, NBSP } from "../../units";
import type { Paired } from "../../base/statistics";
import { everywhere, isUnderWay, type AnalysisInput, type Values } from "../read/input";
import { listed, namesOf } from "../read/names";
import { serviceIn } from "../read/service";
import { differencesAt, isCertain, isEqual } from "../sides/differences";
import { hingeCurve, hingeOf } from "../sides/hinge";
import { comparedIn } from "./compared";
import { signedWithWidth } from "./percent";
import { serverName, serviceSure } from "./service";
import { mono, plain, strong, strongB } from "./spans";
import type { Claim, HowSure, Sentence, Story } from "./types";

const claim = (sentence: Sentence): Claim => ({ worth: 0, share: null, headline: null, sentences: [sentence] });

/** An assumption is called one, unless the value in use is the measured default. */
function statusOf(knob: Knob | undefined, here: number): string {
  if (knob === undefined || knob.status === "free") return "It hangs on one knob that nobody measured, ";
  return here === knob.default ? "It hangs on one knob, measured elsewhere, " : "It hangs on one assumption, ";
}

const counted = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** What the sign of the difference hangs on. */
const hingeStory: Story = (input) => {
  const compared = comparedIn(input);
  const hinge = hingeOf(input, hingeCurve(input, compared), compared);
  if (hinge === null) return null;
  if (hinge.even === null) {
    const unit = hinge.unit === "" ? "" : ` ${hinge.unit}`;
    const start = hinge.rightWord.endsWith("everywhere") ? "The" : "Where it is certain, the";
    return claim([
      plain(` ${start} sign is the same for every `), mono(hinge.knob),
      plain(` from ${formatKnob(hinge.from)} to ${formatKnob(hinge.to)}${unit}:`),
    ]);
  }
  const knob = input.knobs.find((one) => one.id === hinge.knob);
  return claim([plain(` ${statusOf(knob, hinge.here)}`), mono(hinge.knob), plain(":")]);
};

/** What the interval rests on. */
function restsOn(input: AnalysisInput, difference: Paired): string {
  const pairs = counted(difference.pairs, "paired replication", "paired replications");
  const from = `from ${pairs}`;
  if (difference.ci95 === null) return `, ${from}: too few for an interval.`;
  // Where no pair differs there is nothing to be 95 % sure of.
  const part = input.isStopped ? " so far, stopped," : " so far";
  if (isEqual(difference)) return `${isUnderWay(input) ? part : ""} in each of ${pairs}.`;
  if (!isUnderWay(input)) return ` at 95 %, ${from}.`;
  return ` at 95 % so far, ${from}, ${input.isStopped ? "stopped" : "narrowing"}.`;
}

/** Of which figures the precision of a report is that of the one known worst. */
function preciseIn({ ended, services, throughput }: Report, values: Values): string {
  if (ended.length > 0) return "elapsed time";
  const isIdle = throughput.lio_per_s.mean === 0;
  // How long a message takes does not count.
  const hasResponse = !isIdle && !everywhere(values, "arrivals").includes("messages");
  const figures = [
    isIdle ? "use of CPUs" : "throughput", ...(hasResponse ? ["mean response"] : []),
    ...(services.some(({ grows }) => !grows) ? ["time to answer"] : []),
  ];
  return `${figures.length > 1 ? "the widest of " : ""}${listed(figures)}`;
}

/** One scenario: how precise it is; and B, where it is compared with nothing. */
const aloneStory: Story = (input) => {
  const { fullB } = input;
  if (fullB === null || comparedIn(input) !== null) return null;
  const { precision, replications, batches } = fullB.report;
  const width = precision.reached === null
    ? "without an interval yet"
    : `${formatHalfWidth(100 * precision.reached, 1)}${NBSP}% at 95 % in ${preciseIn(fullB.report, input.b)}`;
  const from = fullB.report.ended.length > 0 ? " to their end" : ` and ${counted(batches, "batch", "batches")}`;
  const soFar = isUnderWay(input) ? ` so far, ${input.isStopped ? "stopped" : "narrowing"}` : "";
  const runs = counted(replications, "replication", "replications");
  return claim([strong(width), plain(`${soFar}, from ${runs}${from}.`)]);
};

/** Of the server, how well each side knows what its headline says. */
const serverStory: Story = (input) => {
  const node = input.fullB === null ? null : (serviceIn(input.fullB.report)?.node ?? null);
  const sureOf = (report: Report | undefined, values: Values): string | null => {
    const row = report === undefined || node === null ? null : serviceIn(report, node);
    return row === null ? null : serviceSure(row, values);
  };
  const names = namesOf(input);
  const [a, b] = [sureOf(input.fullA?.report, input.a), sureOf(input.fullB?.report, input.b)];
  const server = serverName(input, node ?? 1);
  if (b === null) return null;
  const sides = a === null || input.differs.length === 0 ? b : `with ${names.a} ${a}, with ${names.b} ${b}`;
  return claim([plain(` Of ${server} ${sides}.`)]);
};

/** What is smaller than this is called no difference [%]. */
const NOTHING = 0.01;

/** That it is none is certain. */
const isNothing = (of: Paired): boolean =>
  of.ci95 !== null && !isEqual(of) && Math.abs(of.mean) + of.ci95 < NOTHING;

function toldOf(difference: Paired): { readonly number: string; readonly width: string } {
  if (isEqual(difference)) return { number: `No difference, 0${NBSP}%`, width: "" };
  return isNothing(difference)
    ? { number: "No difference", width: `to ${NOTHING}${NBSP}%` }
    : signedWithWidth(difference);
}

/** The interval of what the headline compares. */
const differenceStory: Story = (input) => {
  const compared = comparedIn(input);
  const [a, b] = [input.fullA?.report, input.fullB?.report];
  if (compared === null || b === undefined) return null;
  const { metric, difference } = compared;
  const { number, width } = toldOf(difference);
  const ofSessions = serviceIn(b) === null ? "" : " of the sessions";
  // Neither side has any.
  if (ofSessions !== "" && isEqual(difference) && b.throughput.lio_per_s.mean === 0) return null;
  // Where the chart is of transactions their difference, which is known less well, stands there.
  const areMessages = everywhere(input.b, "arrivals").includes("messages");
  const isOfReads = input.metric.id === "throughput_transactions" && !areMessages;
  const what = {
    elapsed_s: ` in elapsed time${a?.ended.length === b.ended.length ? "" : " of instances that both have"}`,
    response_mean_ms: " in mean response", throughput_lio: isOfReads ? " in logical reads" : " in throughput",
  }[metric];
  const isClear = isCertain(difference) || isEqual(difference) || isNothing(difference);
  const isSmall = difference.ci95 !== null && Math.abs(difference.mean) > difference.ci95;
  const unclear = isSmall ? " So little is called no difference." : " The sign is not certain.";
  const doubt = difference.ci95 === null || isClear ? "" : unclear;
  const rests = `${what}${ofSessions}${restsOn(input, difference)}${doubt}`;
  return claim([strongB(number), plain(`${width === "" ? "" : ` ${width}`}${rests}`)]);
};

/** Half of the last digit of a published rate, as a share of it. */
const PRINTED = 0.001;

/** What was published of the same pair, where both sides stand at places of which something was. */
const publishedStory: Story = (input) => {
  const { preset, metric, fullA, fullB, xA, xHandle, xAxis, moved, differs } = input;
  const isOther = differs.some((key) => key !== xAxis.knob) || moved.some((key) => key !== xAxis.knob);
  const at = (x: number | null) => preset.published.find((point) => point.x === x && point.unit === metric.unit);
  const [was, is] = [at(xA), at(xHandle)];
  const isTold = !isOther && xAxis.knob === preset.sweep.knob && metric.id === preset.metric && xA !== xHandle;
  if (!isTold || was === undefined || is === undefined || fullA === null || fullB === null) return null;
  const by = differencesAt(fullA.report, fullB.report, metric.id).throughput;
  if (by.ci95 === null) return null;
  const published = 100 * (is.y / was.y - 1);
  const misses = Math.abs(by.mean - published) > by.ci95 + 100 * PRINTED;
  const how =
    [was.role, is.role].includes("prediction")
      ? `the prediction ${misses ? "misses" : "holds"}.`
      : `${is.role}, ${misses ? "not met" : "met"}.`;
  return claim([plain(" Published: "), strong(formatSignedPercent(published, 1)), plain(`; ${how}`)]);
};

/** All that there is to say is said, in this order. */
const STORIES: readonly Story[] = [aloneStory, differenceStory, publishedStory, serverStory, hingeStory];

export function howSureOf(input: AnalysisInput): HowSure {
  // Of a scenario that is refused nothing is known: what stands is of the one before.
  if (input.fullB === null || input.refusal !== null) return { sentence: [], hinge: null };
  const stories = input.differs.length === 0 ? STORIES.filter((story) => story !== hingeStory) : STORIES;
  const compared = comparedIn(input);
  return {
    sentence: stories.flatMap((story) => story(input)?.sentences[0] ?? []),
    hinge: hingeOf(input, hingeCurve(input, compared), compared),
  };
}
