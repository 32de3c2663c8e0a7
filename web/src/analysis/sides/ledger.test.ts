/** What rows of two ledgers give and take: every expectation is arithmetic over the rows beside it. */
import { describe, expect, it } from "vitest";
import { buildReport } from "../../testing/buildReport";
import { responseParts, throughputParts } from "./ledger";

/** A report of eight threads from rows of its ledger; a CPU of work makes 1 M reads a second. */
function report(rows: Readonly<Record<string, number>>, more = "threads 8") {
  const lines = Object.entries(rows).map(([cause, cpus]) => `ledger ${cause} ${cpus}`);
  return buildReport(`lio ${rows["work"]}M ±0%\n node ${more}\n ${lines.join("\n ")}`).report;
}

/** Points by cause, of those that are any. */
function points(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>, threads = [8, 8]) {
  const parts = throughputParts(report(a, `threads ${threads[0]}`), report(b, `threads ${threads[1]}`));
  const felt = parts.filter((part) => Math.abs(part.points) > 1e-9);
  return Object.fromEntries(felt.map((part) => [part.cause, Number(part.points.toFixed(6))]));
}

describe("what is lost of throughput", () => {
  it("is what rows take more, in percent of A's work", () => {
    expect(points({ capacity: 8, work: 8 }, { capacity: 8, work: 6, switch_refill: 1, cage_limit: 1 })).toEqual({
      refill: -12.5, limit: -12.5,
    });
  });
  it("gives an idle thread less than a whole one where its sibling runs faster", () => {
    // Two idle, and what siblings lose falls by one: half of each idle thread.
    const before = { capacity: 8, work: 4, siblings: 4 };
    expect(points(before, { capacity: 8, work: 3, siblings: 3, cage_limit: 2 })).toEqual({ limit: -25 });
    // Nobody idle: all of it is the siblings' own.
    expect(points(before, { capacity: 8, work: 3, siblings: 5 })).toEqual({ siblings: -25 });
  });
  it("leaves out threads that are more and idle, or fewer and were", () => {
    expect(points({ capacity: 8, work: 8 }, { capacity: 16, work: 8, no_work: 8 }, [8, 16])).toEqual({});
    expect(points({ capacity: 16, work: 8, cage_limit: 8 }, { capacity: 6, work: 6 }, [16, 6])).toEqual({
      capacity: -25,
    });
  });
  it("leaves out threads that are fewer and faster, or more and slower, as far as both sides are idle", () => {
    const [many, few] = [{ capacity: 16, work: 5, no_work: 11 }, { capacity: 10.4, work: 5.2, no_work: 5.2 }];
    expect(points(many, few, [16, 8])).toEqual({ speed: 4 });
    expect(points({ ...few, work: 5, no_work: 5.4 }, { ...many, work: 4.8, no_work: 11.2 }, [8, 16])).toEqual({
      speed: -4,
    });
    // Nobody idle: both count in full.
    expect(points({ capacity: 16, work: 16 }, { capacity: 10.4, work: 10.4 }, [16, 8])).toEqual({
      capacity: -50, speed: 15,
    });
  });
  it("takes off threads more what siblings take of them as of the others, and names what they take beyond that", () => {
    const before = { capacity: 8, work: 4, siblings: 4 };
    expect(points(before, { capacity: 16, work: 8, siblings: 8 }, [8, 16])).toEqual({ capacity: 100 });
    expect(points(before, { capacity: 16, work: 7, siblings: 9 }, [8, 16])).toEqual({ capacity: 100, siblings: -25 });
    expect(points({ capacity: 4, work: 4 }, { capacity: 8, work: 5, siblings: 3 }, [4, 8])).toEqual({
      capacity: 100, siblings: -75,
    });
  });
  it("leaves out what turbo gives one core alone and takes from all", () => {
    expect(points({ capacity: 8, work: 8 }, { capacity: 9.6, work: 8, turbo: 1.6 })).toEqual({});
    expect(points({ capacity: 8, work: 8 }, { capacity: 9.6, work: 8.8, turbo: 0.8 })).toEqual({ speed: 10 });
  });
  it("leaves out what threads are idle for where there is no work for them", () => {
    expect(points({ capacity: 8, work: 4, no_work: 4 }, { capacity: 8, work: 4, throttled: 4 })).toEqual({});
    expect(points({ capacity: 8, work: 5, no_work: 3 }, { capacity: 8, work: 4, throttled: 4 })).toEqual({
      throttled: -20,
    });
  });
  it("leaves out what one limit lets go and another keeps", () => {
    const caged = { capacity: 8, work: 4, cage_limit: 4 };
    expect(points(caged, { capacity: 8, work: 4, throttled: 4 })).toEqual({});
    expect(points(caged, { capacity: 8, work: 3, throttled: 4, siblings: 1 })).toEqual({ siblings: -25 });
    expect(points(caged, { capacity: 8, work: 6, throttled: 2 })).toEqual({ limit: 50 });
    // Slots that stand empty for want of a tick are the cage's own.
    expect(points({ capacity: 8, work: 4, cage_empty: 4 }, { capacity: 8, work: 4, binding: 4 })).toEqual({
      empty: 100, binding: -100,
    });
  });
  it("leaves out what background processes wait for, while sessions wait for them", () => {
    const waits = (work: number, sync: number, write: number) => buildReport(`lio ${work}M ±0%
      node threads 8\n ledger capacity 8\n ledger work ${work}
      ledger wait ${sync} ${sync} log file sync\n ledger wait ${write} ${write} log file parallel write`).report;
    const ofLgwr = (of: ReturnType<typeof waits>) => ({
      ...of, ledger: of.ledger.map((row) => (row.event === "log file parallel write" ? { ...row, kind: "lgwr" } : row)),
    });
    const felt = (a: ReturnType<typeof waits>, b: ReturnType<typeof waits>) =>
      throughputParts(a, b).filter((part) => Math.abs(part.points) > 1e-9)
        .map((part) => `${part.cause} ${part.points}`);
    const [before, after, less] = [waits(4, 2, 2), waits(4, 3, 1), waits(3, 4, 1)];
    expect(felt(before, after)).toEqual(["wait log file sync -25", "wait log file parallel write 25"]);
    // That a log writer waits longer, too, has no name of its own.
    expect(felt(ofLgwr(before), ofLgwr(waits(2, 3, 3)))).toEqual(["wait log file sync -25"]);
    // Idle for want of work is no loss where sessions wait instead.
    expect(felt(ofLgwr(before), ofLgwr(after))).toEqual([]);
    expect(felt(ofLgwr(before), ofLgwr(less))).toEqual(["wait log file sync -25"]);
  });
  it("says what reads cost apart from what is worked", () => {
    const cheap = { ...report({ capacity: 8, work: 8 }) };
    const dear = buildReport("lio 4M ±0%\n node threads 8\n ledger capacity 8\n ledger work 8").report;
    expect(throughputParts(cheap, dear).filter((part) => part.points !== 0)).toMatchObject([
      { cause: "demand", points: -50 },
    ]);
  });
  it("takes spinning for latches and waiting for them as one, and other waits by their event", () => {
    const before = report({ capacity: 8, work: 8 });
    const after = buildReport(`lio 4M ±0%\n node threads 8\n ledger capacity 8\n ledger work 4\n ledger spinning 1
      ledger wait 1 5 latch: cache buffers chains\n ledger wait 2 2 log file sync`).report;
    const felt = throughputParts(before, after).filter((part) => part.points !== 0);
    expect(felt.map((part) => `${part.cause} ${part.points}`)).toEqual(["latch -25", "wait log file sync -25"]);
  });
  it("sums to the difference, whatever is swapped for what", () => {
    const a = { capacity: 19.2, work: 7, siblings: 2, turbo: 2, switch_refill: 0.2, no_work: 8 };
    const b = { capacity: 8, work: 4.5, siblings: 1, shared: 0.5, cage_limit: 1.5, throttled: 0.5 };
    const sum = Object.values(points(a, b, [16, 8])).reduce((total, one) => total + one, 0);
    expect(sum).toBeCloseTo((100 * (4.5 - 7)) / 7, 4);
  });
  it("is nothing where there is no ledger, or A did nothing", () => {
    expect(throughputParts(buildReport("lio 1M").report, buildReport("lio 1M").report)).toEqual([]);
    expect(points({ capacity: 8, work: 0, no_work: 8 }, { capacity: 8, work: 8 })).toEqual({});
  });
});

describe("what is longer of a response", () => {
  const host = "node threads 8\n ledger capacity 8\n ledger under_way - 0.0001";
  const timed = (rows: string, ms: number, on = host) =>
    buildReport(`lio 0.6M ±0%\n response ${ms}\n ${on}\n ${rows}`).report;
  it("is the time of sessions over their transactions", () => {
    // Ten transactions a second: a process-second is 100 ms of each.
    const a = timed("ledger work 4\n ledger run_queue - 4", 800);
    const b = timed("ledger work 4\n ledger cage_limit - 2\n ledger cage_empty - 1", 700);
    const felt = responseParts(a, b).filter((part) => Math.abs(part.points) > 1e-6);
    expect(felt.map((part) => [part.cause, part.before, part.now, part.points].join(" "))).toEqual([
      "run queue 400 0 -50", "slot 0 300 37.5",
    ]);
  });
  it("leaves nothing to transactions under way where the mean is all that was spent over all that ended", () => {
    const unended = (queue: number) =>
      timed(`ledger work 4\n ledger run_queue - ${queue}`, 100 * (4 + queue), host.replace("0.0001", "-6"));
    const [a, b] = [unended(4), unended(8)];
    const cut = (of: typeof a) => ({ ...of, response_ms: { ...of.response_ms, count: 0 } });
    const changed = (of: readonly { readonly cause: string; readonly before: number }[]) =>
      of.filter(({ before }) => Math.abs(before) > 1e-6).map(({ cause, before }) => `${cause} ${before}`);
    expect(changed(responseParts(cut(a), cut(b)))).toEqual(["work 400", "run queue 400"]);
    expect(changed(responseParts(a, b))).toEqual(["unfinished -600", "work 400", "run queue 400"]);
  });
  it("counts time at the speed of a thread with its host to itself", () => {
    const fast = (ms: number, queue: number) =>
      timed(`ledger work 8\n ledger run_queue - ${queue}`, ms, host.replace("capacity 8", "capacity 16"));
    // A process-second is worth two CPUs here.
    expect(responseParts(fast(800, 8), fast(600, 4)).find((part) => part.points !== 0)).toMatchObject({
      cause: "run queue", before: 400, now: 200, points: -25,
    });
  });
  it("calls work that takes longer on slower threads by these, and takes off what turbo gave a core alone", () => {
    const of = (speed: number, busy: string, ms: number) =>
      timed(busy, ms, host.replace("capacity 8", `capacity ${8 * speed}`));
    // Of 10 a second 4 CPUs of work are 400 ms at speed 1, and 333 ms at 1.2, beside which turbo took 33 ms.
    const felt = responseParts(of(1.2, "ledger work 4\n ledger turbo 0.4", 1100 / 3), of(1, "ledger work 4", 400));
    const points = felt.filter((one) => Math.abs(one.points) > 1e-3).map((one) => [one.cause, one.points.toFixed(3)]);
    // 66.7 − 33.3 of 366.7 ms.
    expect(points).toEqual([["speed", "9.091"]]);
  });
  it("cannot be taken apart where several work side by side and wait longer than it takes", () => {
    const queued = (ms: number) => timed("ledger work 1\n ledger run_queue - 4\n ledger cage_limit - 3", ms);
    const alone = timed("ledger work 4", 400);
    // 700 ms of waits in 680, which may be the width of two estimates, and in 660.
    expect(responseParts(alone, queued(680))).not.toEqual([]);
    expect(responseParts(alone, queued(660))).toEqual([]);
    expect(responseParts(queued(660), alone)).toEqual([]);
  });
  it("cannot be taken apart where a row is missing that makes the sum whole", () => {
    const messages = buildReport("lio 0.6M\n node threads 8\n ledger capacity 8\n ledger work 4").report;
    expect(responseParts(messages, messages)).toEqual([]);
  });
});
