/** The engine in the caller's own thread: for tests, for Node, and for a page that may have no workers. */
import type { Catalogue, Texts } from "./catalogue";
import { FrameBatch, type Engine, type Job, type NextFrame, type Outcome, type Task } from "./engine";
import { outcomeOf, requestOf } from "./pool";
import type { Description, Reply, Request } from "./protocol";
import { Server } from "./server";
import type { WasmModule } from "./wasmModule";

export interface DirectPorts {
  readonly catalogue: Catalogue;
  readonly texts: () => Promise<Texts>;
  readonly kept: (preset: string) => Promise<unknown>;
  /** One that shares nothing with those before: after a trap their memory cannot be trusted. */
  readonly load: () => Promise<WasmModule>;
  readonly nextFrame: NextFrame;
  readonly now: () => number;
  readonly yieldTo: (next: () => void) => void;
}

interface Open {
  readonly request: Request;
  readonly listen: (reply: Reply) => void;
}

export class DirectEngine implements Engine {
  readonly catalogue: Catalogue;
  private server: Server;
  private readonly open = new Map<number, Open>();
  private readonly ports: DirectPorts;
  private module: Promise<WasmModule>;
  private loadId = 0;
  private lastId = 0;

  constructor(ports: DirectPorts) {
    this.ports = ports;
    this.catalogue = ports.catalogue;
    this.module = ports.load();
    this.server = this.createServer();
    this.load();
  }

  texts(): Promise<Texts> {
    return this.ports.texts();
  }

  kept(preset: string): Promise<unknown> {
    return this.ports.kept(preset);
  }

  async describe(query: string): Promise<Description> {
    const module = await this.module;
    try {
      return JSON.parse(module.describe(query)) as Description;
    } catch (thrown) {
      this.replace();
      throw thrown;
    }
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
      const request = requestOf(id, task);
      this.open.set(id, { request, listen: (reply) => batch.add(outcomeOf(task, reply)) });
      this.server.handle(request);
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

  private createServer(): Server {
    const { now, yieldTo } = this.ports;
    return new Server({ load: () => this.module, post: (reply) => this.hear(reply), now, yieldTo });
  }

  /** After a trap: another simulation takes on what is still asked for. */
  private replace(): void {
    this.server.stop();
    this.module = this.ports.load();
    this.server = this.createServer();
    this.load();
    for (const { request } of this.open.values()) this.server.handle(request);
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
    const asked = this.open.get(reply.id);
    if (reply.kind !== "progress" && reply.kind !== "trying") this.open.delete(reply.id);
    asked?.listen(reply);
    if (reply.kind === "failed" && reply.error.code === "trap") this.replace();
  }

  /** Tells everyone who waits; a later request tries again. */
  private giveUp(why: string): void {
    this.loadId = 0;
    const error = { code: "not-ready", message: `The simulation could not be loaded: ${why}`, field: null } as const;
    const waiting = [...this.open];
    this.open.clear();
    this.server.handle({ id: ++this.lastId, call: "cancel", args: { ids: waiting.map(([id]) => id) } });
    for (const [id, { listen }] of waiting) listen({ kind: "failed", id, error });
  }
}
