/**
 * B − A by cause: what each row of the ledger gives or takes of A's throughput, or of A's mean response. Parts sum to
 * the whole difference.
 */
import { pairedDifference } from "../../base/statistics";
import type { Report } from "../../engine";
import {
  hostLedgers, responseMsBy, SLOWDOWNS, workMsOf, type Cause, type HostLedger, type Spent, type Sum, type Taken,
} from "../read/ledger";

/** What is no loss of the threads: how many there are, how fast one is alone, and what a read costs. */
export type PartCause = Cause | Spent | "capacity" | "speed" | "demand";

export interface Part {
  readonly cause: PartCause;
  /** Its host, counted from 1, where there are several. */
  readonly node: number | null;
  /** What it adds to throughput or response [% of A's]. */
  readonly points: number;
  /** Half-width of the points over pairs of starts; null: too few. */
  readonly ci95: number | null;
  /** Before and now: CPUs at reference speed; of a response ms a transaction. */
  readonly before: number;
  readonly now: number;
  /** Of an idle thread's work so much is lost, for its neighbours run faster. */
  readonly eased: number;
  /** Of several hosts on which it is not the same. */
  readonly isOfUnlike: boolean;
}

const NONE: Sum = { mean: 0, reps: [] };

interface Scaling {
  readonly node: number | null;
  /** Points of a CPU. */
  readonly points: number;
}

function part(
  cause: PartCause, { node, points }: Scaling, a: Sum, b: Sum, kept = 1, eased = 1,
): Part {
  const { ci95 } = pairedDifference(a.reps, b.reps);
  return {
    cause, node, points: kept * points * (b.mean - a.mean),
    ci95: ci95 === null ? null : Math.abs(kept * points * ci95), before: a.mean, now: b.mean, eased,
    isOfUnlike: false,
  };
}

/** How much more each cause takes now, of which so much in idle threads. */
interface Change {
  readonly cause: Cause;
  busy: number;
  idle: number;
}

/** What there is more of. */
interface More {
  threads: number;
  speed: number;
}

const isSameWay = (one: number, other: number): boolean => one * other > 0;

const idleIn = (changes: readonly Change[]): number => changes.reduce((total, { idle }) => total + idle, 0);

/** Takes so much of all that go one way, in proportion. */
function cancel(changes: readonly Change[], amount: number): void {
  const sum = idleIn(changes);
  if (sum !== 0) for (const change of changes) change.idle *= 1 - amount / sum;
}

/** What two that go the same way have in common. */
const common = (one: number, other: number): number =>
  isSameWay(one, other) ? Math.sign(one) * Math.min(Math.abs(one), Math.abs(other)) : 0;

const idleOf = ({ taken }: HostLedger): number => taken.reduce((total, { idle }) => total + idle, 0);

/** Of threads more or faster others take as much as of those that there were: they are worth that much less. */
function withoutScale(a: HostLedger, changes: readonly Change[], more: More): void {
  const busy = a.capacity.mean - idleOf(a);
  for (const of of ["threads", "speed"] as const) {
    const added = more[of];
    for (const change of changes.filter(({ cause }) => SLOWDOWNS.includes(cause))) {
      const taken = (added * (takenIn(a, change.cause)?.threads.mean ?? 0)) / Math.max(1e-9, busy);
      const unused = common(change.busy, taken);
      change.busy -= unused;
      more[of] -= unused;
    }
  }
}

/**
 * Threads more that only stand idle are no gain, and threads fewer that did are no loss; nor is a speed that turbo
 * gives to a core alone, where none is; nor are other processes on threads that would else be idle. Nor is it a
 * difference what threads are idle for, where there would be no work for them otherwise. Nor is it one where threads
 * are fewer and faster, or more and slower, as far as `idle` on both sides.
 */
function withoutSwaps(changes: readonly Change[], more: More, idle: number): void {
  const turbo = changes.find(({ cause }) => cause === "turbo");
  if (turbo !== undefined) {
    const unused = common(turbo.busy, more.speed);
    turbo.busy -= unused;
    more.speed -= unused;
  }
  for (const of of ["threads", "speed"] as const) {
    const along = changes.filter(({ idle }) => isSameWay(idle, more[of]));
    const unused = common(more[of], idleIn(along));
    cancel(along, unused);
    more[of] -= unused;
  }
  const swapped = Math.sign(more.threads) * Math.min(Math.abs(common(more.threads, -more.speed)), Math.max(0, idle));
  more.threads -= swapped;
  more.speed += swapped;
  const beside = changes.find(({ cause }) => cause === "beside");
  if (beside !== undefined) {
    const freed = changes.filter(({ idle }) => isSameWay(idle, -beside.busy));
    const unused = common(beside.busy, -idleIn(freed));
    cancel(freed, -unused);
    beside.busy -= unused;
  }
  const slack = changes.filter(({ cause }) => cause === "nothing");
  swap(slack, changes.filter(({ cause, idle }) => cause !== "nothing" && isSameWay(idle, -idleIn(slack))));
  const caps = changes.filter(({ cause }) => CAPS.includes(cause));
  swap(caps.filter(({ idle }) => idle > 0), caps.filter(({ idle }) => idle < 0));
}

/** What keeps threads idle that there is work for: of two such what the one lets go the other may keep. */
const CAPS: readonly Cause[] = ["throttled", "binding", "limit"];

/** Takes of both what the one has more and the other less. */
function swap(one: readonly Change[], other: readonly Change[]): void {
  const swapped = common(idleIn(one), -idleIn(other));
  cancel(other, -swapped);
  cancel(one, swapped);
}

/**
 * Idle threads let their neighbours run faster. So of each idle thread more that part is no loss which slowed threads
 * lose less. What of an idle thread is lost, and what of a slowdown is its own.
 */
function easing(changes: readonly Change[]): { readonly idle: number; readonly slowed: ReadonlyMap<Cause, number> } {
  const idle = changes.reduce((total, change) => total + change.idle, 0);
  const slowed = new Map<Cause, number>();
  let left = 1;
  for (const cause of SLOWDOWNS) {
    const slower = changes.find((change) => change.cause === cause)?.busy ?? 0;
    if (!isSameWay(slower, -idle)) continue;
    const share = Math.min(left, -slower / idle);
    left -= share;
    slowed.set(cause, Math.max(0, 1 + (share * idle) / slower));
  }
  return { idle: left, slowed };
}

const readsPerWork = ({ reads, work }: HostLedger): number => (work.mean > 0 ? reads.mean / work.mean : 0);

const takenIn = ({ taken }: HostLedger, cause: Cause): Taken | undefined => taken.find((one) => one.cause === cause);

/** Threads idle while background processes wait have nothing to do: what is asked of these, sessions wait for. */
function changesOf(a: HostLedger, b: HostLedger): Change[] {
  const causes = [...new Set<Cause>([...a.taken, ...b.taken].map(({ cause }) => cause)).add("nothing")];
  const more = (cause: Cause, of: (taken: Taken) => number): number => {
    const [was, is] = [takenIn(a, cause), takenIn(b, cause)];
    return (is === undefined ? 0 : of(is)) - (was === undefined ? 0 : of(was));
  };
  const background = (cause: Cause): number => more(cause, (of) => of.background);
  const all = causes.reduce((sum, cause) => sum + background(cause), 0);
  return causes.map((cause) => {
    const idle = more(cause, (of) => of.idle);
    const own = cause === "nothing" ? all : -background(cause);
    return { cause, idle: idle + own, busy: more(cause, ({ threads }) => threads.mean) - idle };
  });
}

/** One host: what everything but work takes more or less, what there is more of, and what a read costs. */
function hostParts(a: HostLedger, b: HostLedger, readsOfA: number, node: number | null): readonly Part[] {
  const before = readsPerWork(a) || readsPerWork(b);
  const points = (100 * before) / readsOfA;
  const [speedA, speedB] = [a.capacity.mean / a.threads, b.capacity.mean / b.threads];
  const more = { threads: (b.threads - a.threads) * speedA, speed: b.threads * (speedB - speedA) };
  const changes = changesOf(a, b);
  withoutSwaps(changes, more, Math.min(idleOf(a), idleOf(b)));
  withoutScale(a, changes, more);
  const { idle: eased, slowed } = easing(changes);
  const losses = changes.map(({ cause, busy, idle }) => {
    const [was, is] = [takenIn(a, cause)?.threads ?? NONE, takenIn(b, cause)?.threads ?? NONE];
    // What background processes wait for and sessions do not make up for has no name.
    const told = cause === "nothing" ? common(idle, is.mean - was.mean) : idle;
    const net = (slowed.get(cause) ?? 1) * busy + eased * told;
    const kept = is.mean === was.mean ? 1 : net / (is.mean - was.mean);
    return { ...part(cause, { node, points: -points }, was, is, kept, eased), points: -points * net };
  });
  const dearer = b.work.mean > 0 ? (100 * b.work.mean * (readsPerWork(b) - before)) / readsOfA : 0;
  const exact = { node, ci95: 0, eased: 1, isOfUnlike: false };
  return [
    ...losses,
    { ...exact, cause: "capacity", points: points * more.threads, before: a.threads, now: b.threads },
    { ...exact, cause: "speed", points: points * more.speed, before: speedA, now: speedB },
    { ...exact, cause: "demand", points: dearer, before: readsPerWork(a), now: readsPerWork(b) },
  ];
}

/** Below this part of the largest, what a cause does on another host is not worth a word. */
const SMALLEST_SHARE = 0.06;

/** But for the noise of a run. */
const isAlike = (one: number, other: number): boolean => Math.abs(one - other) <= 0.01 * Math.abs(other);

/** Means of a host that do not add up. */
const MEANS: ReadonlySet<PartCause> = new Set(["demand", "speed"]);

/** What one cause does on several hosts is one part where it goes the same way on all of them. */
function merged(parts: readonly Part[]): readonly Part[] {
  const most = Math.max(...parts.map(({ points }) => Math.abs(points)));
  const felt = parts.filter(({ points }) => Math.abs(points) > SMALLEST_SHARE * most);
  const [first] = felt;
  if (first === undefined || felt.length < 2 || !felt.every(({ points }) => isSameWay(points, first.points)))
    return parts;
  const sum = (read: (one: Part) => number): number => parts.reduce((total, one) => total + read(one), 0);
  const ofAll = (read: (one: Part) => number): number => (MEANS.has(first.cause) ? read(first) : sum(read));
  return [{
    ...first, node: null, points: sum(({ points }) => points), before: ofAll(({ before }) => before),
    now: ofAll(({ now }) => now), eased: Math.max(...felt.map(({ eased }) => eased)),
    isOfUnlike: !felt.every((one) => isAlike(one.before, first.before) && isAlike(one.now, first.now)),
    ci95: felt.some(({ ci95 }) => ci95 === null) ? null : sum(({ ci95 }) => ci95 ?? 0),
  }];
}

/** In points of A's throughput; empty where there is no ledger, or nothing was done by A. */
export function throughputParts(a: Report, b: Report): readonly Part[] {
  const [was, is] = [hostLedgers(a), hostLedgers(b)];
  const reads = a.throughput.lio_per_s.mean;
  if (!(reads > 0) || was.length !== is.length) return [];
  const parts = was.flatMap((host, i) => hostParts(host, is[i] ?? host, reads, was.length < 2 ? null : host.node));
  if (was.length < 2) return parts;
  return [...new Set(parts.map(({ cause }) => cause))].flatMap((cause) =>
    merged(parts.filter((one) => one.cause === cause)),
  );
}

/** What work takes longer because threads are slower is the threads', less what turbo gave only to a core alone. */
function withSpeed(parts: readonly Part[], a: Report, b: Report, scale: number): readonly Part[] {
  const work = parts.find(({ cause }) => cause === "work");
  const [refA, refB] = [workMsOf(a), workMsOf(b)];
  if (work === undefined || !(work.before > 0) || !(work.now > 0)) return parts;
  const [speedA, speedB] = [refA.mean / work.before, refB.mean / work.now];
  if (isAlike(speedA, speedB)) return parts;
  const own = part("work", { node: null, points: scale / speedB }, refA, refB);
  const turbo = parts.find(({ cause }) => cause === "turbo");
  const slower = work.points - own.points;
  const unused = common(slower, -(turbo?.points ?? 0));
  return [
    ...parts.filter(({ cause }) => cause !== "work" && cause !== "turbo"),
    { ...own, before: work.before, now: work.now },
    ...(turbo === undefined ? [] : [{ ...turbo, points: turbo.points + unused }]),
    { ...own, cause: "speed", points: slower - unused, ci95: 0, before: speedA, now: speedB },
  ];
}

/** In points of A's mean response; empty where that cannot be taken apart. */
export function responseParts(a: Report, b: Report): readonly Part[] {
  const [was, is] = [responseMsBy(a), responseMsBy(b)];
  if (was === null || is === null || !(a.response_ms.mean > 0)) return [];
  const scale = 100 / a.response_ms.mean;
  const parts = [...new Set([...was.keys(), ...is.keys()])].map((cause) =>
    part(cause, { node: null, points: scale }, was.get(cause) ?? NONE, is.get(cause) ?? NONE),
  );
  return withSpeed(parts, a, b, scale);
}
