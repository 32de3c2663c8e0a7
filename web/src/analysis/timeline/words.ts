/** What a window of the recording says, in sentences and rows. Numbers decide what is said. */
import { formatMs, formatPercent, formatShort } from "../../units";
import { allHosts } from "../read/host";
import { capital } from "../read/names";
import { threadIn, threadName } from "../read/recording";
import { histogramOf } from "./delays";
import { meanDepth, type Steps } from "./depth";
import { kindName, stayOf } from "./follow";
import { firstFrom } from "./search";
import { busyShare, type TimelineIndex } from "./timeline";

/** How often another process takes over, on the thread where that is most often. */
function busiest(
  { lanes, recording }: TimelineIndex, from: number, to: number,
): { readonly thread: number; readonly changes: number } {
  let best = { thread: 0, changes: 0 };
  for (let thread = 0; thread < recording.threads; thread++) {
    const [first, last] = [lanes.offset[thread] as number, lanes.offset[thread + 1] as number];
    let changes = 0;
    for (let p = firstFrom(lanes.start, from, first, last); p < last && (lanes.start[p] as number) < to; p++) {
      if (p > first && lanes.process[p] !== lanes.process[p - 1]) changes++;
    }
    if (changes > best.changes) best = { thread, changes };
  }
  return best;
}

/** "the service", "a session". */
export const someOf = (kind: string): string =>
  kind === "service" ? "the service" : kind.startsWith("background") ? "background work" : `a ${kind}`;

/** `grows`: more is asked of the service than it answers, so that its own queue grows without bound. */
function worstWait(index: TimelineIndex, from: number, to: number, grows: boolean): string {
  const all = index.recording.kinds
    .map((kind, k) => ({ kind, ...histogramOf(index.delays, k, from, to) }))
    .filter(({ total }) => total > 0);
  const worst =
    all.find(({ kind, worstMs }) => kind === "service" && worstMs > 0)
    ?? all.toSorted((a, b) => b.worstMs - a.worstMs)[0];
  if (worst === undefined) return "";
  const queue = grows && worst.kind === "service" ? ", and its queue grows without bound" : "";
  return worst.worstMs > 0
    ? `; ${someOf(worst.kind)} waits ${formatMs(worst.worstMs)} for a CPU at worst${queue}`
    : "; nobody waits for a CPU";
}

/** Fewer wait before a cage on average: that is none to speak of. */
const FEWEST_CAGED = 0.05;
/** So few are said as they are, not rounded to none. */
const few = (mean: number): string => (mean < 0.005 ? "fewer than 0.01" : formatShort(mean));

export function timelineFinding(index: TimelineIndex, from: number, to: number, grows = false): string {
  const { thread, changes } = busiest(index, from, to);
  const first =
    changes === 0
      ? `No thread changes hands in these ${formatMs(to - from)}`
      : changes === 1
        ? "No thread changes hands more than once"
        : `${capital(threadName(index.recording, thread))} changes hands every ${formatMs((to - from) / changes)}`;
  const caged = meanDepth(index.depth.cage, from, to);
  const queued = meanDepth(index.depth.steps[index.kinds] as Steps, from, to);
  const cage = caged >= FEWEST_CAGED ? `; ${formatShort(caged)} wait for the cage` : "";
  if (cage === "" || queued >= caged) return first + worstWait(index, from, to, grows) + cage;
  // Whom the operating system does not see is who waits for a CPU.
  return `${queued > 0 ? `${capital(few(queued))} in the run queue` : "Nobody in the run queue"}${cage}. ${first}`;
}

/** "8 threads: 88 % at work, 11.8 % lost to switches, 0.2 % idle". */
export function threadsTitle(index: TimelineIndex, from: number, to: number): string {
  const { threads, hosts } = index.recording;
  let work = 0;
  for (let thread = 0; thread < threads; thread++) work += busyShare(index, thread, from, to) / threads;
  const taken = Math.max(work, meanDepth(index.taken, from, to) / threads);
  const whose = allHosts(hosts.length) ?? hosts[0]?.name ?? null;
  const count = threads === 1 ? "1 thread" : `${threads} threads`;
  const name = whose === null ? count : `${capital(whose)}, ${count}`;
  return `${name}: ${formatPercent(work * 100)} at work, ${formatPercent((taken - work) * 100)} lost to switches, `
    + `${formatPercent(Math.max(0, 1 - taken) * 100)} idle`;
}

export type StayRow = readonly (string | number | null)[];

const hasHosts = ({ recording }: TimelineIndex): boolean => recording.hosts.some(({ name }) => name !== null);

/** Threads are counted within their hosts. */
export function stayColumns(index: TimelineIndex): readonly string[] {
  return [
    "process", "kind", "what", ...(hasHosts(index) ? ["host"] : []), "thread", "start (ms)", "length (ms)",
    "lost at its start (ms)", "waited for a CPU before (ms)",
  ];
}

/** Stays that touch a window in the order of their starts, the first `most` of them; and how many there are. */
export function staysIn(
  index: TimelineIndex, from: number, to: number, most: number,
): { readonly rows: readonly StayRow[]; readonly total: number } {
  const { startMs, endMs, activity } = index.recording;
  const all: number[] = [];
  for (let row = 0; row < startMs.length; row++) {
    if ((endMs[row] as number) > from && (startMs[row] as number) < to && activity[row] !== 0) all.push(row);
  }
  all.sort((a, b) => (startMs[a] as number) - (startMs[b] as number));
  const rows = all.slice(0, most).map((row): StayRow => {
    const stay = stayOf(index, row);
    const place = stay.thread === null ? null : threadIn(index.recording, stay.thread);
    return [
      stay.process, stay.kind, stay.what, ...(hasHosts(index) ? [place?.host ?? null] : []), place?.thread ?? null,
      stay.startMs, stay.lengthMs, stay.isRunning ? stay.lostMs : null,
      stay.delayMs,
    ];
  });
  return { rows, total: all.length };
}

export const nameOf = (index: TimelineIndex, process: number): string =>
  `${kindName(index.recording, process)} ${process}`;
