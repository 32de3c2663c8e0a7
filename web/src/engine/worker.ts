/** The worker's entry: joins the server to `self`. */
import { loadWasm } from "./loadWasm";
import type { Reply, Request } from "./protocol";
import { Server } from "./server";

interface WorkerScope {
  postMessage(message: Reply, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<Request>) => void) | null;
}

const scope = self as unknown as WorkerScope;

/** A message to oneself comes after the messages that wait already, and without the 4 ms floor of timers. */
const channel = new MessageChannel();
const queue: (() => void)[] = [];
channel.port1.onmessage = () => queue.shift()?.();

const server = new Server({
  load: loadWasm,
  post: (reply, transfer) => scope.postMessage(reply, [...transfer]),
  now: () => performance.now(),
  yieldTo: (next) => {
    queue.push(next);
    channel.port2.postMessage(null);
  },
});

scope.onmessage = (event) => server.handle(event.data);
