/** An instance with redo and writers over the last seconds of a run: rate, stalls, how late the checkpoint is. */
import type { FullAnswer, Report } from "../../engine";
import { databaseFigure, momentsIn, type Moments } from "../read/database";
import type { RedoFigure, RedoPoint, RedoSide, RedoTotals } from "./types";

/** So much of the end of a run is drawn [s]. */
const WINDOW_S = 12;
const BINS = 60;
/** Points of a line that are kept apart: a column is a few hundred pixels wide. */
const LINE_POINTS = 300;

/** A sum that only grows, at any time between its moments. */
function sumAt({ timesS }: Moments, sums: Float64Array, time: number): number {
  let [low, high] = [0, timesS.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((timesS[middle] ?? 0) <= time) low = middle;
    else high = middle;
  }
  const [from = 0, to = 0] = [timesS[low], timesS[high]];
  const [before = 0, after = 0] = [sums[low], sums[high]];
  return to <= from ? before : before + (after - before) * Math.min(1, Math.max(0, (time - from) / (to - from)));
}

interface Window {
  readonly fromS: number;
  readonly toS: number;
}

/** The end of what was recorded. */
function windowOf({ timesS }: Moments): Window {
  const [first = 0, last = 0] = [timesS[0], timesS.at(-1)];
  return { fromS: Math.max(first, last - WINDOW_S), toS: last };
}

/** One that began so shortly before the end would be told as of 0 ms [s]. */
const BEGUN_S = 0.0005;

/** Stalls that end in the window, and one under way at its end. */
function stallsOf({ timesS, stalled }: Moments, { fromS, toS }: Window): RedoSide["stalls"] {
  const stalls: { fromS: number; toS: number }[] = [];
  let since: number | null = null;
  timesS.forEach((time, i) => {
    if (stalled[i] === 1) since ??= time;
    else if (since !== null) {
      stalls.push({ fromS: since, toS: time });
      since = null;
    }
  });
  if (since !== null && toS - since > BEGUN_S) stalls.push({ fromS: since, toS });
  return stalls.filter((stall) => stall.toS > fromS).map((stall) => ({
    fromS: stall.fromS - fromS, toS: stall.toS - fromS, ms: 1000 * (stall.toS - stall.fromS),
  }));
}

/** Redo [MB] within which two moments are on one slope; a switch of logs is a step. */
const STEP_MB = 0.2;

/** A line through the moments: all at which something breaks off, and of the others some. */
function lineOf({ timesS, stalled }: Moments, values: Float64Array, { fromS, toS }: Window): readonly RedoPoint[] {
  const apart = (toS - fromS) / LINE_POINTS;
  const breaks = (i: number): boolean =>
    stalled[i] !== stalled[i + 1] || Math.abs((values[i + 1] ?? 0) - (values[i] ?? 0)) > STEP_MB;
  const points: RedoPoint[] = [];
  timesS.forEach((time, i) => {
    const since = time - fromS - (points.at(-1)?.timeS ?? -1);
    if (time >= fromS && (since >= apart || breaks(i) || breaks(i - 1))) {
      points.push({ timeS: time - fromS, value: values[i] ?? 0 });
    }
  });
  return points;
}

/** Null where nothing was recorded. */
export function redoSideOf(answer: FullAnswer): RedoSide | null {
  const moments = momentsIn(answer);
  if (moments === null) return null;
  const window = windowOf(moments);
  const spanS = window.toS - window.fromS;
  const edges = Array.from({ length: BINS + 1 }, (_, i) => window.fromS + (spanS * i) / BINS);
  const grown = (sums: Float64Array): number[] =>
    edges.slice(1).map((edge, i) => sumAt(moments, sums, edge) - sumAt(moments, sums, edges[i] ?? edge));
  const [written, writes] = [grown(moments.commitsWritten), grown(moments.logWrites)];
  const each = spanS / BINS;
  return {
    spanS,
    warmupS: Math.min(spanS, Math.max(0, answer.report.warmup_s - window.fromS)),
    binS: each,
    commitsPerS: grown(moments.commits).map((count) => count / each),
    commitsPerWrite: written.map((count, i) => ((writes[i] ?? 0) < 0.5 ? null : count / (writes[i] ?? 1))),
    writersCpus: grown(moments.writersS).map((seconds) => seconds / each),
    late: lineOf(moments, moments.lateMb.map((late, i) => Math.max(0, late - (moments.roomMb[i] ?? 0))), window),
    stalls: stallsOf(moments, window),
  };
}

/** What a wait for a log switch itself lasts. Waits are those of all instances. */
function switchMsOf({ waits, instances }: Report): number | null {
  if (instances.length > 1) return null;
  const row = waits.find(({ event, process_kind: kind }) =>
    event === "log file switch completion" && kind === "session");
  return row === undefined || row.clocked_ms.reps.length === 0 ? null : row.clocked_ms.mean;
}

/** What the whole run says of the same. */
export function redoTotalsOf(report: Report): RedoTotals {
  const figure = (id: string): RedoFigure => {
    const found = databaseFigure(report, id);
    return { value: found?.mean ?? 0, ci95: found?.ci95 ?? null };
  };
  return {
    commitsPerS: figure("commits_per_s"), commitsPerWrite: figure("commits_per_log_write"),
    writersCpus: figure("writer_cpus"), stallMs: figure("stall_ms"), stallsPerS: figure("stalls_per_s"),
    switchesPerS: figure("log_switches_per_s"), switchMs: switchMsOf(report),
  };
}
