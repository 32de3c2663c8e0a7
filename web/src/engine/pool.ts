/**
 * The engine over workers. A worker that traps, closes itself or falls silent is replaced; what it was doing is asked
 * once more, and failed with scenario and seed if that goes wrong too. Needs no SharedArrayBuffer.
 */
import type { Catalogue, Texts } from "./catalogue";
import {
  FrameBatch, seedOf, type Engine, type Hand, type Job, type NextFrame, type Outcome, type Task,
} from "./engine";
import type { Description, EngineError, Reply, Request } from "./protocol";

/** The part of a Worker that the pool uses. */
export interface WorkerPort {
  postMessage(request: Request): void;
  terminate(): void;
  onmessage: ((event: { readonly data: Reply }) => void) | null;
  onerror: ((event: unknown) => void) | null;
}

export interface PoolPorts {
  readonly catalogue: Catalogue;
  readonly texts: () => Promise<Texts>;
  readonly kept: (preset: string) => Promise<unknown>;
  readonly spawn: () => WorkerPort;
  readonly cores: number;
  readonly nextFrame: NextFrame;
  readonly now: () => number;
  /** Calls back after so many milliseconds; the answer stops it. */
  readonly after: (ms: number, callback: () => void) => () => void;
  /** A worker with work to do that says nothing for so long is replaced. */
  readonly silenceMs?: number;
  /** A new worker may take so long to load the simulation. */
  readonly loadMs?: number;
}

/** One request on its way: what to send, and where its end goes. */
interface Errand {
  readonly id: number;
  readonly request: Request;
  readonly weight: number;
  attempts: number;
  readonly onReply: (reply: Reply) => void;
  readonly onFail: (error: EngineError) => void;
}

interface Hired {
  readonly port: WorkerPort;
  readonly inHand: Errand[];
  isReady: boolean;
  stopTimer: (() => void) | null;
  heardMs: number;
}

function isIdle(worker: Hired): boolean {
  return worker.isReady && worker.inHand.length === 0;
}

const SILENCE_MS = 2_500;
const LOAD_MS = 20_000;
/**
 * So much work is sent ahead to a worker, so that it never waits for a page that paints: half of all first sketches.
 */
const AHEAD = 32;
const WEIGHTS = { pointCoarse: 1, pointFine: 8, fullCoarse: 16, fullFine: AHEAD } as const;
const MOST_TRIES = 2;
const MOST_FAILED_LOADS = 3;

export class Pool implements Engine {
  readonly catalogue: Catalogue;
  /** null: it could not be loaded. Where all are, the next request tries again. */
  private readonly workers: (Hired | null)[];
  private queue: Errand[] = [];
  /** Run number → errand. A reply whose number is not here came late and is dropped; that is the only place. */
  private readonly open = new Map<number, Errand>();
  private lastId = 0;
  private hand: Hand = "rest";
  private failedLoads = 0;
  private isClosed = false;
  private readonly ports: PoolPorts;

  constructor(ports: PoolPorts) {
    this.ports = ports;
    this.catalogue = ports.catalogue;
    this.workers = Array.from({ length: Math.max(1, ports.cores) }, () => null);
    this.hireAll();
  }

  texts(): Promise<Texts> {
    return this.ports.texts();
  }

  kept(preset: string): Promise<unknown> {
    return this.ports.kept(preset);
  }

  describe(query: string): Promise<Description> {
    return new Promise((resolve, reject) => {
      const id = ++this.lastId;
      const errand: Errand = {
        id,
        request: { id, call: "describe", args: { query } },
        weight: 0,
        attempts: 0,
        onReply: (reply) => {
          if (reply.kind === "done" && reply.call === "describe") resolve(reply.value);
        },
        onFail: (error) => reject(new Error(error.message)),
      };
      this.open.set(id, errand);
      this.queue.unshift(errand);
      this.dispatch();
    });
  }

  submit(tasks: readonly Task[], deliver: (batch: readonly Outcome[]) => void): Job {
    const batch = new FrameBatch(
      tasks.length, this.hand, (next) => void this.ports.after(0, next), this.ports.nextFrame, deliver,
    );
    const ids: number[] = [];
    for (const task of tasks) {
      const errand = this.errandFor(task, batch);
      ids.push(errand.id);
      this.open.set(errand.id, errand);
      // What a hand has just asked for does not wait for all the curves.
      if ("fit" in task) this.queue.unshift(errand);
      else this.queue.push(errand);
    }
    this.dispatch();
    return {
      cancel: () => {
        batch.cancel();
        this.cancel(new Set(ids));
      },
    };
  }

  setHand(hand: Hand): void {
    this.hand = hand;
    this.dispatch();
  }

  close(): void {
    this.isClosed = true;
    for (const worker of this.workers) {
      worker?.stopTimer?.();
      worker?.port.terminate();
    }
    this.workers.fill(null);
    this.queue = [];
    this.open.clear();
  }

  private errandFor(task: Task, batch: FrameBatch): Errand {
    const id = ++this.lastId;
    const { key, query } = task;
    return {
      id,
      request: requestOf(id, task),
      weight: weightOf(task),
      attempts: 0,
      onReply: (reply) => batch.add(outcomeOf(task, reply)),
      onFail: (error) => batch.add({ kind: "failed", key, error, scenario: query, seed: seedOf(task) }),
    };
  }

  private cancel(ids: ReadonlySet<number>): void {
    for (const id of ids) this.open.delete(id);
    this.queue = this.queue.filter((errand) => !ids.has(errand.id));
    for (const worker of this.workers) {
      if (worker === null) continue;
      const dropped = worker.inHand.filter((errand) => ids.has(errand.id)).map((errand) => errand.id);
      if (dropped.length === 0) continue;
      worker.port.postMessage({ id: ++this.lastId, call: "cancel", args: { ids: dropped } });
      worker.inHand.splice(0, worker.inHand.length, ...worker.inHand.filter((errand) => !ids.has(errand.id)));
      this.watch(worker);
    }
    this.dispatch();
  }

  private areNone(): boolean {
    return this.workers.every((worker) => worker === null);
  }

  private hireAll(): void {
    for (let at = 0; at < this.workers.length; at++) this.hire(at);
  }

  private hire(at: number): void {
    const port = this.ports.spawn();
    const worker: Hired = { port, inHand: [], isReady: false, stopTimer: null, heardMs: 0 };
    this.workers[at] = worker;
    port.onmessage = (event) => this.hear(at, worker, event.data);
    port.onerror = () =>
      this.replace(at, worker, { code: "trap", message: "The worker stopped with an error.", field: null });
    port.postMessage({ id: ++this.lastId, call: "init", args: {} });
    this.watch(worker);
  }

  private hear(at: number, worker: Hired, reply: Reply): void {
    if (this.workers[at] !== worker) return;
    if (reply.kind === "done" && reply.call === "init") {
      worker.isReady = true;
      this.failedLoads = 0;
      // Silence at work is told sooner than slowness in loading.
      worker.stopTimer?.();
      worker.stopTimer = null;
    } else if (reply.kind === "failed" && !worker.isReady) {
      this.replace(at, worker, reply.error);
      return;
    } else {
      const errand = this.open.get(reply.id);
      if (errand !== undefined) this.settle(at, worker, errand, reply);
    }
    if (this.workers[at] === worker) this.watch(worker);
    this.dispatch();
  }

  private settle(at: number, worker: Hired, errand: Errand, reply: Reply): void {
    if (reply.kind === "progress" || reply.kind === "trying") {
      // Who speaks is at work.
      worker.inHand.sort((one, other) => Number(other === errand) - Number(one === errand));
      errand.onReply(reply);
      return;
    }
    if (reply.kind === "failed" && reply.error.code === "trap") {
      this.replace(at, worker, reply.error, errand);
      return;
    }
    this.forget(worker, errand);
    if (reply.kind === "failed") errand.onFail(reply.error);
    else errand.onReply(reply);
  }

  private forget(worker: Hired, errand: Errand): void {
    this.open.delete(errand.id);
    const index = worker.inHand.indexOf(errand);
    if (index >= 0) worker.inHand.splice(index, 1);
  }

  /** The first in its hand is the one that it fell over: errands stand there in the order in which the server works. */
  private replace(
    at: number, worker: Hired, error: EngineError, culprit = worker.isReady ? worker.inHand[0] : undefined,
  ): void {
    if (this.workers[at] !== worker || this.isClosed) return;
    worker.stopTimer?.();
    worker.port.onmessage = null;
    worker.port.onerror = null;
    worker.port.terminate();
    this.workers[at] = null;
    const again = worker.inHand.filter((errand) => this.open.has(errand.id));
    if (culprit !== undefined && ++culprit.attempts >= MOST_TRIES) {
      this.open.delete(culprit.id);
      culprit.onFail(error);
    }
    this.queue.unshift(...again.filter((errand) => this.open.has(errand.id)));
    if (worker.isReady || ++this.failedLoads < MOST_FAILED_LOADS) this.hire(at);
    else if (this.areNone()) this.giveUp(error);
    // The device may have memory for fewer: the others go on without this one.
    else if (this.workers.some((one) => one?.isReady)) this.failedLoads = 0;
    this.dispatch();
  }

  /** The simulation cannot be loaded: say so to everyone who waits; a later request tries again. */
  private giveUp(error: EngineError): void {
    const message = `The simulation could not be loaded: ${error.message}`;
    for (const errand of [...this.open.values()]) errand.onFail({ code: "not-ready", message, field: null });
    this.open.clear();
    this.queue = [];
    this.failedLoads = 0;
  }

  /** The worker was heard, or given something: its silence counts from now. One timer runs at a time. */
  private watch(worker: Hired): void {
    worker.heardMs = this.ports.now();
    if (worker.stopTimer === null && !isIdle(worker)) this.arm(worker, this.limitOf(worker));
  }

  private limitOf(worker: Hired): number {
    return worker.isReady ? (this.ports.silenceMs ?? SILENCE_MS) : (this.ports.loadMs ?? LOAD_MS);
  }

  private arm(worker: Hired, ms: number): void {
    const dueMs = this.ports.now() + ms;
    worker.stopTimer = this.ports.after(ms, () => {
      worker.stopTimer = null;
      this.check(worker, this.ports.now() - dueMs);
    });
  }

  private check(worker: Hired, lateMs: number): void {
    if (isIdle(worker)) return;
    const limitMs = this.limitOf(worker);
    const restMs = worker.heardMs + limitMs - this.ports.now();
    // A page that was itself asleep (a closed lid, a hidden tab) has not read the messages that wait for it.
    if (lateMs > limitMs) this.watch(worker);
    else if (restMs > 1) this.arm(worker, restMs);
    else {
      const message = `A worker said nothing for ${limitMs / 1000} s.`;
      this.replace(this.workers.indexOf(worker), worker, { code: "silent", message, field: null });
    }
  }

  private dispatch(): void {
    if (this.isClosed) return;
    if (this.queue.length > 0 && this.areNone()) this.hireAll();
    const most = Math.max(1, this.workers.length - Number(this.hand === "dragging"));
    const usable = this.workers.filter((worker) => worker !== null).slice(0, most);
    if (this.queue.length === 0 && this.workers.some((worker) => worker !== null && isIdle(worker))) this.takeBack();
    // One errand each in turn, so that the first tasks of a job start at the same moment on all workers.
    for (let isSent = true; isSent;) {
      isSent = false;
      for (const worker of usable) isSent = this.sendTo(worker) || isSent;
    }
  }

  /** What waits for a worker that still loads goes to one that has nothing to do. */
  private takeBack(): void {
    for (const worker of this.workers) {
      if (worker === null || worker.isReady || worker.inHand.length === 0) continue;
      const back = worker.inHand.splice(Math.floor(worker.inHand.length / 2));
      worker.port.postMessage({ id: ++this.lastId, call: "cancel", args: { ids: back.map((errand) => errand.id) } });
      this.queue.push(...back);
    }
  }

  /** A worker that still loads keeps its errands until it can; it starts on them without asking the page. */
  private sendTo(worker: Hired): boolean {
    const next = this.queue[0];
    if (next === undefined || (!worker.isReady && next.request.call === "describe")) return false;
    const load = worker.inHand.reduce((sum, errand) => sum + errand.weight, 0);
    const isFull = worker.inHand.length > 0 && load + next.weight > AHEAD;
    if (isFull && next.request.call !== "fit") return false;
    this.queue.shift();
    // The server lets a fit go before all that it has not begun.
    worker.inHand.splice(next.request.call === "fit" ? Number(worker.isReady) : worker.inHand.length, 0, next);
    worker.port.postMessage(next.request);
    if (worker.isReady && worker.inHand.length === 1) this.watch(worker);
    return true;
  }
}

function weightOf(task: Task): number {
  return "fit" in task ? AHEAD : WEIGHTS[`${task.options.goal}${task.options.coarse ? "Coarse" : "Fine"}`];
}

/** What is sent for a task. */
export function requestOf(id: number, task: Task): Request {
  const { query } = task;
  return "fit" in task
    ? { id, call: "fit", args: { query, asked: task.fit } }
    : { id, call: task.options.goal, args: { query, options: task.options } };
}

/** What a worker's message means for the one who gave the task. */
export function outcomeOf(task: Task, reply: Reply): Outcome {
  const { key } = task;
  if (reply.kind === "trying") return { kind: "trying", key, trying: reply.trying };
  if (reply.kind === "done" && reply.call === "fit") return { kind: "fitted", key, fitted: reply.value };
  if (reply.kind === "progress") return { kind: "progress", key, progress: reply.progress };
  if (reply.kind === "done" && reply.call === "point") return { kind: "point", key, point: reply.value };
  if (reply.kind === "done" && reply.call === "full") return { kind: "full", key, full: reply.value };
  const error: EngineError =
    reply.kind === "failed" ? reply.error : { code: "trap", message: `unexpected answer: ${reply.call}`, field: null };
  return { kind: "failed", key, error, scenario: task.query, seed: seedOf(task) };
}
