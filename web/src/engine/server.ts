/**
 * Answers requests with the simulation, a few milliseconds at a time, so that a cancel is heard between slices.
 * A plain function of (request, post): the worker joins it to `self`, the twin calls it in its own thread.
 * Nothing that leaves here looks into wasm memory: columns are copied, then transferred.
 */
import type {
  Description, EngineError, Fitted, FullAnswer, PointAnswer, Post, Progress, Request, RunOptions,
} from "./protocol";
import type { Report } from "./report";
import type { WasmFit, WasmModule, WasmRun } from "./wasmModule";

export interface ServerPorts {
  readonly load: () => Promise<WasmModule>;
  readonly post: Post;
  /** Real milliseconds; they limit a slice, never a result. */
  readonly now: () => number;
  /** Calls back after pending messages were heard. */
  readonly yieldTo: (next: () => void) => void;
}

type RunRequest = Extract<Request, { call: "point" | "full" }>;

type FitRequest = Extract<Request, { call: "fit" }>;

interface ActiveRun {
  readonly request: RunRequest;
  readonly run: WasmRun;
  readonly startedMs: number;
}

interface ActiveFit {
  readonly request: FitRequest;
  readonly run: WasmFit;
}

const isFit = (active: ActiveRun | ActiveFit): active is ActiveFit => active.request.call === "fit";

const SLICE_MS = 6;
/** A worker that is busy says so at least this often. */
const HEARTBEAT_MS = 60;
const FIRST_EVENTS = 4_000;
const MOST_EVENTS = 400_000;

export function readProgress(numbers: Float64Array): Progress {
  const orNull = (value: number | undefined): number | null =>
    value === undefined || Number.isNaN(value) ? null : value;
  const [done, events, precision, lio, lioCi, simulatedS, response, responseCi, batches, truncated] = numbers;
  return {
    done: done === 1,
    events: events ?? 0,
    precision: orNull(precision),
    lioPerS: lio ?? 0,
    lioCi95: orNull(lioCi),
    simulatedS: simulatedS ?? 0,
    responseMs: response ?? 0,
    responseCi95: orNull(responseCi),
    batches: batches ?? 0,
    truncated: truncated === 1,
  };
}

/**
 * The simulation throws JSON text {code, message, field?}; anything else is a trap, after which its memory cannot be
 * trusted. Its codes are one here: the message says what is wrong.
 */
export function readError(thrown: unknown): EngineError {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null && "message" in parsed && typeof parsed.message === "string") {
      const field = "field" in parsed && typeof parsed.field === "string" ? parsed.field : null;
      return { code: "scenario", message: parsed.message, field };
    }
  } catch {
    // Not JSON: fall through to the trap.
  }
  return { code: "trap", message: text, field: null };
}

function metricAnswer(run: WasmRun, options: RunOptions, ofA: boolean): PointAnswer["metric"] {
  if (options.metric === undefined) return null;
  const [mean, ci95, ...reps] = run.metric(ofA);
  if (mean === undefined || ci95 === undefined || Number.isNaN(mean)) return null;
  return { mean, ci95: Number.isNaN(ci95) ? null : ci95, reps };
}

function pointAnswer(
  run: WasmRun, progress: Progress, options: RunOptions, elapsedMs: number, ofA = false,
): PointAnswer {
  const reps = [...run.reps(ofA)];
  const half = reps.length / 2;
  const point = {
    lioPerS: progress.lioPerS,
    lioCi95: progress.lioCi95,
    lioReps: reps.slice(0, half),
    responseMs: progress.responseMs,
    responseCi95: progress.responseCi95,
    responseReps: reps.slice(half),
    metric: metricAnswer(run, options, ofA),
    precision: progress.precision,
    events: progress.events,
    truncated: progress.truncated,
    elapsedMs,
  };
  const other = ofA ? [] : [...run.otherProgress()];
  return other.length === 0
    ? point
    : { ...point, other: pointAnswer(run, readProgress(Float64Array.from(other)), options, 0, true) };
}

function fullAnswer(run: WasmRun, elapsedMs: number, ofA = false): FullAnswer {
  const report = JSON.parse(run.report(ofA)) as Report;
  const full = { report, data: Float64Array.from(run.data(ofA)), elapsedMs };
  return ofA || run.otherProgress().length === 0 ? full : { ...full, other: fullAnswer(run, 0, true) };
}

function fitOf(module: WasmModule, { args: { query, asked } }: FitRequest): WasmFit {
  return new module.Fit(query, asked.over, asked.free, Float64Array.from(asked.points));
}

function readFitted(free: string, numbers: Float64Array): Fitted {
  const [value = 0, low = 0, high = 0, below, above, residual = 0, figures = 0] = numbers;
  return { free, value, low, high, isOpenBelow: below === 1, isOpenAbove: above === 1, residual, figures };
}

export class Server {
  private module: WasmModule | null = null;
  private readonly waiting: (RunRequest | FitRequest)[] = [];
  private active: ActiveRun | ActiveFit | null = null;
  private isScheduled = false;
  private events = FIRST_EVENTS;
  private lastSaidMs = 0;
  private readonly ports: ServerPorts;

  constructor(ports: ServerPorts) {
    this.ports = ports;
  }

  handle(request: Request): void {
    switch (request.call) {
      case "init":
        void this.load(request.id);
        return;
      case "describe":
        this.describe(request.id, request.args.query);
        return;
      case "cancel":
        this.cancel(request.args.ids);
        this.ports.post({ kind: "done", id: request.id, call: "cancel", value: null }, []);
        return;
      case "fit":
        this.waiting.unshift(request);
        this.schedule();
        return;
      case "point":
      case "full":
        this.waiting.push(request);
        this.schedule();
    }
  }

  /** After a trap: nothing of the simulation is touched again. */
  stop(): void {
    this.waiting.length = 0;
    this.active = this.module = null;
  }

  private async load(id: number): Promise<void> {
    try {
      this.module = await this.ports.load();
      this.ports.post({ kind: "done", id, call: "init", value: null }, []);
      this.schedule();
    } catch (thrown) {
      this.fail(id, readError(thrown));
    }
  }

  private describe(id: number, query: string): void {
    try {
      if (this.module === null) throw new Error("the simulation is not loaded");
      const value = JSON.parse(this.module.describe(query)) as Description;
      this.ports.post({ kind: "done", id, call: "describe", value }, []);
    } catch (thrown) {
      this.fail(id, readError(thrown));
    }
  }

  private cancel(ids: readonly number[]): void {
    for (const id of ids) {
      const at = this.waiting.findIndex((request) => request.id === id);
      if (at >= 0) this.waiting.splice(at, 1);
      if (this.active?.request.id === id) this.drop();
    }
  }

  private schedule(): void {
    if (this.isScheduled || this.module === null) return;
    if (this.active === null && this.waiting.length === 0) return;
    this.isScheduled = true;
    this.ports.yieldTo(() => {
      this.isScheduled = false;
      this.slice();
      this.schedule();
    });
  }

  /** Works for a few milliseconds, on as many requests as fit. */
  private slice(): void {
    const until = this.ports.now() + SLICE_MS;
    do {
      if (this.active === null && !this.begin()) return;
      this.step();
    } while (this.ports.now() < until);
  }

  private begin(): boolean {
    const request = this.waiting.shift();
    if (request === undefined || this.module === null) return false;
    try {
      this.active = request.call === "fit"
        ? { request, run: fitOf(this.module, request) }
        : { request, run: this.runOf(this.module, request), startedMs: this.ports.now() };
    } catch (thrown) {
      this.fail(request.id, readError(thrown));
    }
    return true;
  }

  /** A place on the axis that A does not allow leaves a gap in the curve of A alone. */
  private runOf(module: WasmModule, { call, args }: RunRequest): WasmRun {
    const { goal, precision, seed, coarse, record, maxEvents, metric, against } = args.options;
    const options = { goal, precision, seed, coarse, record, maxEvents, metric };
    try {
      return new module.Run(args.query, JSON.stringify({ ...options, against }));
    } catch (thrown) {
      if (call === "full" || against === undefined || readError(thrown).code !== "scenario") throw thrown;
      return new module.Run(args.query, JSON.stringify(options));
    }
  }

  private step(): void {
    const active = this.active;
    if (active === null) return;
    const before = this.ports.now();
    try {
      if (isFit(active)) {
        this.stepFit(active);
        return;
      }
      const progress = readProgress(active.run.advance(this.events));
      const now = this.ports.now();
      this.adapt(now - before, progress.done);
      if (progress.done) this.finish(active, progress, now);
      else if (now - this.lastSaidMs >= HEARTBEAT_MS) this.say(active.request.id, progress, now);
    } catch (thrown) {
      const { message, ...error } = readError(thrown);
      // Of two scenarios the report of the one that has a fault says so.
      const isPair = error.code !== "trap" && !isFit(active) && active.request.args.options.against !== undefined;
      const whose = isPair ? (active.run.report(false).includes('"fault":') ? "B: " : "A: ") : "";
      if (error.code === "trap") this.active = null;
      else this.drop();
      this.fail(active.request.id, { ...error, message: whose + message });
    }
  }

  private stepFit({ request: { id, args: { asked } }, run }: ActiveFit): void {
    const before = this.ports.now();
    const [done, tried = 0, most = 0] = run.advance(this.events);
    const now = this.ports.now();
    this.adapt(now - before, done === 1);
    if (done === 1) {
      this.ports.post({ kind: "done", id, call: "fit", value: readFitted(asked.free, run.found()) }, []);
      this.drop();
    } else if (now - this.lastSaidMs >= HEARTBEAT_MS) {
      this.lastSaidMs = now;
      this.ports.post({ kind: "trying", id, trying: { tried, most } }, []);
    }
  }

  private say(id: number, progress: Progress, now: number): void {
    this.lastSaidMs = now;
    this.ports.post({ kind: "progress", id, progress }, []);
  }

  private finish(active: ActiveRun, progress: Progress, now: number): void {
    const { request, run } = active;
    const elapsedMs = now - active.startedMs;
    this.lastSaidMs = now;
    if (request.call === "point") {
      const value = pointAnswer(run, progress, request.args.options, elapsedMs);
      this.ports.post({ kind: "done", id: request.id, call: "point", value }, []);
    } else {
      const value = fullAnswer(run, elapsedMs);
      const data = [value, ...(value.other === undefined ? [] : [value.other])].map((one) => one.data.buffer);
      this.ports.post({ kind: "done", id: request.id, call: "full", value }, data);
    }
    this.drop();
  }

  /** Aims a call at a third of a slice. */
  private adapt(tookMs: number, wasLast: boolean): void {
    if (wasLast) return;
    const wanted = this.events * (SLICE_MS / 3 / Math.max(tookMs, 0.05));
    this.events = Math.round(Math.min(Math.max(wanted, this.events / 2, 500), this.events * 2, MOST_EVENTS));
  }

  private drop(): void {
    this.active?.run.free();
    this.active = null;
  }

  private fail(id: number, error: EngineError): void {
    this.ports.post({ kind: "failed", id, error }, []);
  }
}
