/** The engine in the caller's own thread: for tests, for Node, and for a page that may have no workers. */
import type { Catalogue, Texts } from "./catalogue";
import { FrameBatch, type Engine, type Job, type NextFrame, type Outcome, type Task } from "./engine";
import { outcomeOf, requestOf } from "./pool";
import type { Description, Reply } from "./protocol";
import { Server } from "./server";
import type { WasmModule } from "./wasmModule";

export interface DirectPorts {
  readonly catalogue: Catalogue;
  readonly texts: () => Promise<Texts>;
  readonly kept: (preset: string) => Promise<unknown>;
  readonly load: () => Promise<WasmModule>;
  readonly nextFrame: NextFrame;
  readonly now: () => number;
  readonly yieldTo: (next: () => void) => void;
}

export class DirectEngine implements Engine {
  readonly catalogue: Catalogue;
  private readonly server: Server;
  private readonly open = new Map<number, (reply: Reply) => void>();
  private readonly ports: DirectPorts;
  private module: Promise<WasmModule>;
  private loadId = 0;
  private lastId = 0;

  constructor(ports: DirectPorts) {
    this.ports = ports;
    this.catalogue = ports.catalogue;
    this.module = ports.load();
    this.server = new Server({
      load: () => this.module,
      post: (reply) => this.hear(reply),
      now: ports.now,
      yieldTo: ports.yieldTo,
    });
    this.load();
  }

  texts(): Promise<Texts> {
    return this.ports.texts();
  }

  kept(preset: string): Promise<unknown> {
    return this.ports.kept(preset);
  }

  async describe(query: string): Promise<Description> {
    return JSON.parse((await this.module).describe(query)) as Description;
  }

  submit(tasks: readonly Task[], deliver: (batch: readonly Outcome[]) => void): Job {
    if (this.loadId === 0) {
      // It could not be loaded before; it is tried again.
      this.module = this.ports.load();
      this.load();
    }
    const batch = new FrameBatch(tasks.length, "rest", this.ports.nextFrame, this.ports.nextFrame, deliver);
    const ids: number[] = [];
    for (const task of tasks) {
      const id = ++this.lastId;
      ids.push(id);
      this.open.set(id, (reply) => batch.add(outcomeOf(task, reply)));
      this.server.handle(requestOf(id, task));
    }
    return {
      cancel: () => {
        batch.cancel();
        for (const id of ids) this.open.delete(id);
        this.server.handle({ id: ++this.lastId, call: "cancel", args: { ids } });
      },
    };
  }

  setHand(): void {
    // One thread: nothing to leave free.
  }

  close(): void {
    this.server.handle({ id: ++this.lastId, call: "cancel", args: { ids: [...this.open.keys()] } });
    this.open.clear();
  }

  private load(): void {
    this.loadId = ++this.lastId;
    this.server.handle({ id: this.loadId, call: "init", args: {} });
  }

  private hear(reply: Reply): void {
    if (reply.id === this.loadId && reply.kind === "failed") {
      this.giveUp(reply.error.message);
      return;
    }
    const listener = this.open.get(reply.id);
    if (reply.kind !== "progress" && reply.kind !== "trying") this.open.delete(reply.id);
    listener?.(reply);
  }

  /** Tells everyone who waits; a later request tries again. */
  private giveUp(why: string): void {
    this.loadId = 0;
    const error = { code: "not-ready", message: `The simulation could not be loaded: ${why}`, field: null } as const;
    const waiting = [...this.open];
    this.open.clear();
    this.server.handle({ id: ++this.lastId, call: "cancel", args: { ids: waiting.map(([id]) => id) } });
    for (const [id, listener] of waiting) listener({ kind: "failed", id, error });
  }
}
