/** The engine in the caller's own thread: for tests, for Node, and for a page that may have no workers. */
import type { Catalogue } from "./catalogue";
import { FrameBatch, type Engine, type Job, type NextFrame, type Outcome, type Task } from "./engine";
import { outcomeOf } from "./pool";
import type { Description, Reply } from "./protocol";
import { Server } from "./server";
import type { WasmModule } from "./wasmModule";

export interface DirectPorts {
  readonly module: WasmModule;
  readonly nextFrame: NextFrame;
  readonly now: () => number;
  readonly yieldTo: (next: () => void) => void;
}

export class DirectEngine implements Engine {
  readonly catalogue: Catalogue;
  private readonly server: Server;
  private readonly open = new Map<number, (reply: Reply) => void>();
  private readonly ports: DirectPorts;
  private lastId = 0;

  constructor(ports: DirectPorts) {
    this.ports = ports;
    this.catalogue = JSON.parse(ports.module.catalogue()) as Catalogue;
    this.server = new Server({
      load: () => Promise.resolve(ports.module),
      post: (reply) => this.hear(reply),
      now: ports.now,
      yieldTo: ports.yieldTo,
    });
    this.server.handle({ id: ++this.lastId, call: "init", args: {} });
  }

  describe(query: string): Promise<Description> {
    return Promise.resolve(JSON.parse(this.ports.module.describe(query)) as Description);
  }

  submit(tasks: readonly Task[], deliver: (batch: readonly Outcome[]) => void): Job {
    const batch = new FrameBatch(tasks.length, "rest", this.ports.nextFrame, this.ports.nextFrame, deliver);
    const ids: number[] = [];
    for (const task of tasks) {
      const id = ++this.lastId;
      ids.push(id);
      this.open.set(id, (reply) => batch.add(outcomeOf(task, reply)));
      this.server.handle({ id, call: task.options.goal, args: { query: task.query, options: task.options } });
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

  private hear(reply: Reply): void {
    const listener = this.open.get(reply.id);
    if (reply.kind !== "progress") this.open.delete(reply.id);
    listener?.(reply);
  }
}
