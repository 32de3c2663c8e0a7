/** The ways to speak with a host page. */
import { say, type Host } from "./protocol";

export interface Line {
  send(message: object): void;
  /** The returned function stops it. */
  listen(callback: (data: unknown) => void): () => void;
}

/** What `early.js` keeps until somebody listens. */
export interface EarlyMessages {
  readonly messages: readonly { readonly origin: string; readonly source: unknown; readonly data: unknown }[];
  stop(): void;
}

/** To the parent alone, and to one origin alone; nobody else is heard. */
export function windowLine(self: Window, origin: string): Line {
  return {
    send: (message) => self.parent.postMessage(message, origin),
    listen: (callback) => {
      const onMessage = (event: MessageEvent): void => {
        if (event.origin === origin && event.source === self.parent) callback(event.data);
      };
      self.addEventListener("message", onMessage);
      return () => self.removeEventListener("message", onMessage);
    },
  };
}

/**
 * The one message that goes to a parent whose origin is not known says nothing; whoever gets the port with it is the
 * host.
 */
export function portLine(self: Window, channel: MessageChannel): Line {
  self.parent.postMessage(say({ type: "port" }), "*", [channel.port2]);
  return {
    send: (message) => channel.port1.postMessage(message),
    listen: (callback) => {
      channel.port1.onmessage = (event: MessageEvent) => callback(event.data);
      return () => channel.port1.close();
    },
  };
}

/** The line to the host, with what it said before; null where there is nobody to speak with. */
export function lineTo(
  host: Host, self: Window, early: EarlyMessages | undefined,
): { readonly line: Line; readonly before: readonly unknown[] } | null {
  early?.stop();
  if (self.parent === self || host.kind === "nobody") return null;
  if (host.kind === "port") return { line: portLine(self, new MessageChannel()), before: [] };
  const { origin } = host;
  const ours = (early?.messages ?? []).filter((event) => event.origin === origin && event.source === self.parent);
  return { line: windowLine(self, origin), before: ours.map(({ data }) => data) };
}
