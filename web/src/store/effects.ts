/** What a change of state sets going: runs on the engine (nobody else calls it) and the address bar. */
import { figureQueries } from "../analysis";
import type { Engine, FullAnswer, Job, Outcome, PointAnswer, Report, RunOptions, RunTask } from "../engine";
import type { Action } from "./actions";
import type { LinkPort } from "./linkPort";
import type { ResultItem } from "./results";
import type { AppState } from "./state";
import { DEFAULT_SEED, encodeLink } from "./urlState";
import { valueIn } from "./values";
import { keysOf } from "./keys";
import { isKnown, nameOf, wantedOf, type Wanted } from "./wanted";

export interface Clock {
  now(): number;
  /** Calls back after so many milliseconds; the answer stops it. */
  after(ms: number, callback: () => void): () => void;
}

export const realClock: Clock = {
  now: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

type Failure = Extract<Outcome, { kind: "failed" }>;

/** The page or the timeline, the axes, the host looked at: places to come back to, as scenarios are. */
const PLACES = ["view", "y", "x", "host"] as const;
/** While dragging, the runs of one knob value may take so long before a newer value pushes them aside. */
const PATIENCE_MS = 36;
/** What is worth that patience: two points, two full runs, two sketches. */
const HEAD = 18;
/** Browsers count address changes (Safari: 100 in 30 s). */
const LINK_EVERY_MS = 320;

/** Keeps the engine at what the state wants: one job at a time, the most wanted first. */
export class RunEffects {
  private job: Job | null = null;
  private asked = new Map<string, Wanted>();
  private open = new Set<string>();
  private head: readonly Wanted[] = [];
  private since = 0;
  /** The job under way was given while something was in the hand. */
  private isDragged = false;
  private failed = new Set<string>();
  /** The scenario behind `failed` and `isStopped`; another one starts afresh. */
  private scenario = "";
  private isStopped = false;
  private last: readonly Wanted[] = [];
  private readonly engine: Engine;
  private readonly clock: Clock;
  private readonly dispatch: (action: Action) => void;
  private readonly getState: () => AppState;

  constructor(engine: Engine, clock: Clock, getState: () => AppState, dispatch: (action: Action) => void) {
    this.engine = engine;
    this.clock = clock;
    this.getState = getState;
    this.dispatch = dispatch;
  }

  stateChanged(before: AppState | null): void {
    const state = this.getState();
    if ((before?.inHand === null) !== (state.inHand === null))
      this.engine.setHand(state.inHand === null ? "rest" : "dragging");
    const keys = keysOf(state);
    const scenario = `${keys.fullA} | ${keys.fullB} | ${state.attempt}`;
    if (scenario !== this.scenario) {
      this.scenario = scenario;
      this.failed = new Set();
      this.isStopped = false;
    }
    const isSame =
      before !== null
      && keysOf(before) === keys
      && before.view.view === state.view.view
      && before.view.timelineSide === state.view.timelineSide
      && before.inHand === state.inHand
      && before.variantsOf === state.variantsOf
      && before.isStopped === state.isStopped
      && before.attempt === state.attempt;
    if (isSame && this.open.size > 0 && !this.isBehind) return;
    if (!isSame) this.last = wantedOf(state, keys);
    this.settle(state);
  }

  /** The page's own runs are under way. */
  get isBusy(): boolean {
    return this.open.size > 0 || this.isBehind;
  }

  /** Set when a newer knob value waits for the runs of the one before. */
  private isBehind = false;

  private settle(state: AppState): void {
    const missing = state.isStopped ? [] : this.missing(state);
    if (missing.every((one) => this.open.has(nameOf(one))) && missing.length === this.open.size) {
      this.isBehind = false;
      return;
    }
    if (this.isHeadDue(state)) {
      this.isBehind = true;
      return;
    }
    this.isBehind = false;
    this.submit(missing);
  }

  /** Whether a sketch is precise enough is known when the sketches are there; until then only the rest is asked for. */
  private missing(state: AppState): readonly Wanted[] {
    if (this.isStopped) return [];
    const all = this.last.filter((one) => !isKnown(state, one) && !this.failed.has(nameOf(one)));
    const firm = all.filter((one) => one.kind !== "point" || !one.mayBeCoarse);
    return firm.length > 0 ? firm : all;
  }

  /** A finger that never rests must not cancel each answer just before it comes. */
  private isHeadDue(state: AppState): boolean {
    if (state.inHand === null || this.open.size === 0 || !this.isDragged) return false;
    const due = this.head.filter((one) => this.open.has(nameOf(one)));
    const isPatient = this.clock.now() - this.since < PATIENCE_MS;
    const first = new Set(this.head.slice(0, 2));
    return due.some((one) => first.has(one) || isPatient);
  }

  private submit(missing: readonly Wanted[]): void {
    this.job?.cancel();
    this.job = null;
    this.asked = new Map(missing.map((one) => [nameOf(one), one]));
    this.open = new Set(this.asked.keys());
    this.head = missing.slice(0, HEAD);
    this.since = this.clock.now();
    this.isDragged = this.getState().inHand !== null;
    if (missing.length === 0) return;
    const tasks = missing.map((one): RunTask => ({ key: nameOf(one), query: one.query, options: one.options }));
    this.job = this.engine.submit(tasks, (batch) => this.take(batch));
  }

  private take(batch: readonly Outcome[]): void {
    const items: ResultItem[] = [];
    const alone: string[] = [];
    const failures: Failure[] = [];
    // Answers that are told may ask for others at once.
    const { asked } = this;
    for (const outcome of batch) {
      const wanted = asked.get(outcome.key);
      if (wanted === undefined) continue;
      if (outcome.kind !== "progress") this.open.delete(outcome.key);
      if (outcome.kind === "failed") {
        failures.push(outcome);
        this.failed.add(outcome.key);
      }
      items.push(...itemOf(wanted, outcome));
      // A does not allow this place: B stands alone there, and is not asked for again.
      if (outcome.kind === "point" && wanted.other !== null && outcome.point.other === undefined) {
        this.failed.add(outcome.key);
        alone.push(outcome.key);
      }
    }
    const hopeless = failures.find(({ key, error: { code } }) =>
      code === "not-ready" || (code === "scenario" && !this.isElsewhere(asked.get(key))),
    );
    if (hopeless !== undefined) this.stop();
    if (items.length > 0) this.dispatch({ type: "resultsArrived", items });
    if (alone.length > 0) this.dispatch({ type: "pointsFailed", names: alone, scenario: "", isRefused: true });
    const whole = hopeless ?? failures.find(({ key }) => asked.get(key)?.kind !== "point");
    if (failures.length > 0) this.tell(failures, whole, asked.get(whole?.key ?? ""));
  }

  /**
   * A place on the axis that the scenario does not allow (a class that this system has not) is no fault of the
   * scenario.
   */
  private isElsewhere(wanted: Wanted | undefined): boolean {
    const keys = keysOf(this.getState());
    return wanted?.kind === "point" && (wanted.x !== keys.x || wanted.curve !== keys.curveB);
  }

  /** A point less leaves a gap in a curve; a scenario that fails as a whole is another matter. */
  private tell(failures: readonly Failure[], whole: Failure | undefined, wanted: Wanted | undefined): void {
    if (whole === undefined) {
      const isRefused = failures.every((one) => one.error.code === "scenario");
      this.dispatch({
        type: "pointsFailed", names: failures.map(({ key }) => key), scenario: failures[0]?.scenario ?? "", isRefused,
      });
    } else if (whole.error.code === "scenario")
      this.dispatch({ type: "scenarioRefused", message: this.whose(whole.error, wanted) + whole.error.message });
    else {
      const { error, scenario, seed } = whole;
      this.dispatch({ type: "runFailed", note: { error, scenario, seed } });
    }
  }

  /** Of which side a refusal is; none of a value that both have, and what is said of a pair names its side itself. */
  private whose({ field, message }: Failure["error"], wanted: Wanted | undefined): string {
    const state = this.getState();
    const { fullA, fullB } = keysOf(state);
    if (fullA === fullB || wanted?.other !== null) return "";
    const isValue = field !== null && message.startsWith(`${field} is `);
    const of = (side: "A" | "B"): string => (isValue ? String(valueIn(state.catalogue, state, side, field)) : side);
    if (of("A") === of("B")) return "";
    return wanted.kind !== "point" && wanted.full === fullA ? "A: " : "B: ";
  }

  /** The scenario itself is at fault: what else it asks for would fail alike. */
  private stop(): void {
    this.isStopped = true;
    this.job?.cancel();
    this.job = null;
    this.open = new Set();
  }
}

/** Both halves of a pair, under the name that they share. */
function halvesOf(wanted: Wanted, outcome: Outcome): ResultItem[] {
  const pair = nameOf(wanted);
  if (
    outcome.kind === "point"
    && wanted.kind === "point"
    && wanted.other !== null
    && outcome.point.other !== undefined
  ) {
    const { other, ...point } = outcome.point;
    const half = (curve: string, answer: PointAnswer): ResultItem => ({
      kind: "point", curve, x: wanted.x, isCoarse: false, point: { ...answer, pair },
    });
    return [half(wanted.curve, point), half(wanted.other, other)];
  }
  if (outcome.kind === "full" && wanted.kind === "full" && wanted.other !== null && outcome.full.other !== undefined) {
    const { other, ...answer } = outcome.full;
    const half = (full: string, own: FullAnswer): ResultItem => ({
      kind: "full", full, isCoarse: false, answer: { ...own, pair },
    });
    return [half(wanted.full, answer), half(wanted.other, other)];
  }
  return [];
}

/** What an outcome adds to what is known. */
export function itemOf(wanted: Wanted, outcome: Outcome): ResultItem[] {
  const isCoarse = wanted.options.coarse;
  const halves = halvesOf(wanted, outcome);
  if (halves.length > 0) return halves;
  const isEndless = outcome.kind === "failed" && outcome.error.message.includes("for ever");
  if (wanted.kind === "point" && (isEndless || outcome.kind === "point")) {
    const point = outcome.kind === "point" ? outcome.point : null;
    return [{ kind: "point", curve: wanted.curve, x: wanted.x, isCoarse, point }];
  }
  if (outcome.kind === "full" && wanted.kind !== "point")
    return [{ kind: wanted.kind, full: wanted.full, isCoarse, answer: outcome.full }];
  if (outcome.kind === "progress" && wanted.kind === "full" && !isCoarse) {
    return [{ kind: "progress", full: wanted.full, progress: outcome.progress }];
  }
  return [];
}

/** As `wwi validate --precision 0.01` runs them. */
const FIGURE_RUN: RunOptions = { goal: "full", precision: 0.01, seed: DEFAULT_SEED, coarse: false, record: 0 };

/** A figure may ask for more precision than the others. */
function figureRun(query: string): RunOptions {
  const said = Number(new URLSearchParams(query.split("?")[1] ?? "").get("precision"));
  return said > 0 ? { ...FIGURE_RUN, precision: said } : FIGURE_RUN;
}

/** Runs what stands behind the published figures while their list is open and the page itself has nothing to run. */
export class FigureEffects {
  private job: Job | null = null;
  private asked: ReadonlySet<string> = new Set();
  private readonly engine: Engine;
  private readonly dispatch: (action: Action) => void;
  private readonly getState: () => AppState;

  constructor(engine: Engine, getState: () => AppState, dispatch: (action: Action) => void) {
    this.engine = engine;
    this.getState = getState;
    this.dispatch = dispatch;
  }

  stateChanged(isPageBusy: boolean): void {
    const { isOpen, asked } = this.getState().published;
    if (!isOpen || isPageBusy || asked !== this.asked) {
      this.job?.cancel();
      this.job = null;
    }
    this.asked = asked;
    if (isOpen && !isPageBusy && this.job === null) this.submit();
  }

  private submit(): void {
    const { catalogue, preset, published, texts } = this.getState();
    const queries = figureQueries(texts.texts?.published ?? [], catalogue.presets, preset, published.asked);
    const missing = queries.filter((query) => !published.reports.has(query) && !published.failed.has(query));
    if (missing.length === 0) return;
    const tasks = missing.map((query): RunTask => ({ key: query, query, options: figureRun(query) }));
    const open = new Set(missing);
    this.job = this.engine.submit(tasks, (batch) => this.take(batch, open));
  }

  private take(batch: readonly Outcome[], open: Set<string>): void {
    const reports = new Map<string, Report>();
    const failed: string[] = [];
    for (const outcome of batch) {
      if (outcome.kind === "full") reports.set(outcome.key, outcome.full.report);
      else if (outcome.kind === "failed") failed.push(outcome.key);
    }
    for (const key of [...reports.keys(), ...failed]) open.delete(key);
    if (open.size === 0) this.job = null;
    if (reports.size > 0 || failed.length > 0) this.dispatch({ type: "figuresArrived", reports, failed });
  }
}

/** Keeps the address bar at the state's link, without flooding the browser's history. */
export class LinkEffects {
  private written: string;
  private stop: (() => void) | null = null;
  private lastMs = Number.NEGATIVE_INFINITY;
  private readonly port: LinkPort;
  private readonly clock: Clock;
  private readonly getState: () => AppState;

  constructor(port: LinkPort, clock: Clock, getState: () => AppState) {
    this.port = port;
    this.clock = clock;
    this.getState = getState;
    this.written = port.read();
  }

  stateChanged(before: AppState | null): void {
    const state = this.getState();
    const link = encodeLink(state.catalogue, state);
    if (state.linkOrigin === "link") {
      this.written = this.port.read();
      return;
    }
    if (link === this.written && this.stop === null) return;
    const isSameScenario =
      before !== null && before.preset === state.preset && before.base === state.base && before.ghost === state.ghost;
    // A drag makes one entry, at its start; what follows until it is let go replaces that entry.
    const isInDrag = before !== null && before.inHand !== null;
    const isSamePlace = isSameScenario && PLACES.every((part) => before.view[part] === state.view[part]);
    if (!isSamePlace && !isInDrag && link !== this.written) this.write(link, "push");
    else this.writeSoon();
  }

  private writeSoon(): void {
    if (this.stop !== null) return;
    const waitMs = Math.max(0, this.lastMs + LINK_EVERY_MS - this.clock.now());
    const write = (): void => {
      this.stop = null;
      const state = this.getState();
      if (state.linkOrigin === "edit") this.write(encodeLink(state.catalogue, state), "replace");
    };
    if (waitMs === 0) write();
    else this.stop = this.clock.after(waitMs, write);
  }

  private write(link: string, how: "push" | "replace"): void {
    this.stop?.();
    this.stop = null;
    if (link === this.written) return;
    this.lastMs = this.clock.now();
    this.written = link;
    this.port[how](link);
  }
}
