import { describe, expect, it } from "vitest";
import { coarsePoint } from "../testing/engineContract";
import { fakeWasm } from "../testing/fakeWasm";
import type { Reply, Request } from "./protocol";
import { Server } from "./server";

const query = "instance-caging-vm";
const requests: readonly Request[] = [
  { id: 1, call: "point", args: { query, options: coarsePoint } },
  { id: 1, call: "fit", args: { query, asked: { over: "sessions", free: "lio_us", points: [1, 2, 3, 4] } } },
];

/** What is said of a request whose first slice throws, and how often what it held is freed. */
function failing(request: Request, thrown: unknown, report = "{}"): Promise<{ reply: Reply; freed: number }> {
  let freed = 0;
  const spoilt = <T extends object>(run: T): T =>
    Object.assign(run, {
      advance: (): never => {
        throw thrown;
      },
      free: () => void freed++,
      report: () => report,
    });
  class Run extends fakeWasm.Run {
    constructor(...args: ConstructorParameters<typeof fakeWasm.Run>) {
      super(...args);
      spoilt(this);
    }
  }
  class Fit extends fakeWasm.Fit {
    constructor(...args: ConstructorParameters<typeof fakeWasm.Fit>) {
      super(...args);
      spoilt(this);
    }
  }
  return new Promise((resolve) => {
    const server = new Server({
      load: () => Promise.resolve({ ...fakeWasm, Run, Fit }),
      // Later, when the slice is over.
      post: (reply) => reply.kind === "failed" && setImmediate(() => resolve({ reply, freed })),
      now: () => performance.now(),
      yieldTo: (next) => void setImmediate(next),
    });
    server.handle({ id: 0, call: "init", args: {} });
    server.handle(request);
  });
}

describe.each(requests)("a $call that cannot be answered", (request) => {
  it("is freed, and told in its words", async () => {
    const message = "the queue of instance 1 grows for ever";
    const { reply, freed } = await failing(request, JSON.stringify({ code: "fault", message, field: null }));
    expect(reply).toMatchObject({ id: 1, error: { code: "scenario", message } });
    expect(freed).toBe(1);
  });

  it("is left alone after a trap: nothing in its memory can be trusted", async () => {
    const { reply, freed } = await failing(request, new Error("unreachable executed"));
    expect(reply).toMatchObject({ id: 1, error: { code: "trap" } });
    expect(freed).toBe(0);
  });
});

describe("a pair that cannot be compared", () => {
  const pair = (b: string, a: string): Request =>
    ({ id: 1, call: "full", args: { query: b, options: { ...coarsePoint, goal: "full", against: a } } });
  const messageOf = async (request: Request, report?: string): Promise<unknown> => {
    const thrown = JSON.stringify({ code: "fault", message: "the queue grows for ever", field: null });
    const { reply } = await failing(request, thrown, report);
    return reply.kind === "failed" && reply.error.message;
  };

  it("says whose queue grows: that of B where its own report says so", async () => {
    const reports = [JSON.stringify({ fault: "it grows" }), "{}"];
    const told = reports.map((report) => messageOf(pair(query, "no-cage"), report));
    expect(await Promise.all(told)).toEqual(["B: the queue grows for ever", "A: the queue grows for ever"]);
  });
});
