/** The worker's entry: joins the server to `self`. */
import type { Given } from "./early";
import { loadWasm } from "./loadWasm";
import type { Reply, Request } from "./protocol";
import { Server } from "./server";

interface WorkerScope {
  postMessage(message: Reply, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<Given | Request>) => void) | null;
}

const scope = self as unknown as WorkerScope;

/** A message to oneself comes after the messages that wait already, and without the 4 ms floor of timers. */
const channel = new MessageChannel();
const queue: (() => void)[] = [];
channel.port1.onmessage = () => queue.shift()?.();

let give: (module: WebAssembly.Module | null) => void;
const given = new Promise<WebAssembly.Module | null>((resolve) => (give = resolve));

const server = new Server({
  load: async () => loadWasm((await given) ?? undefined),
  post: (reply, transfer) => scope.postMessage(reply, [...transfer]),
  now: () => performance.now(),
  yieldTo: (next) => {
    queue.push(next);
    channel.port2.postMessage(null);
  },
});

scope.onmessage = ({ data }) => ("module" in data ? give(data.module) : server.handle(data));
