/**
 * Workers for tests: the true server behind a port that passes copies, as a real one does, and can be made to
 * misbehave.
 */
import type { WorkerPort } from "../engine/pool";
import type { Reply, Request } from "../engine/protocol";
import { Server } from "../engine/server";
import type { WasmModule } from "../engine/wasmModule";

export class FakeWorker implements WorkerPort {
  onmessage: ((event: { readonly data: Reply }) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;
  isDead = false;
  readonly heard: Request[] = [];
  private readonly server: Server;

  constructor(load: () => Promise<WasmModule>) {
    this.server = new Server({
      load,
      post: (reply, transfer) => this.reply(structuredClone(reply, { transfer: [...transfer] })),
      now: () => performance.now(),
      yieldTo: (next) => void setImmediate(next),
    });
  }

  postMessage(request: Request): void {
    this.heard.push(request);
    const copy = structuredClone(request);
    setImmediate(() => {
      if (!this.isDead) this.server.handle(copy);
    });
  }

  /** As a worker that closes itself: no event, no answer, ever. */
  terminate(): void {
    this.isDead = true;
  }

  private reply(reply: Reply): void {
    setImmediate(() => {
      if (!this.isDead) this.onmessage?.({ data: reply });
    });
  }
}
