import { describe, expect, it } from "vitest";
import { answerOf, buildInput, cagedValues, pointOf, textOf } from "../../testing/buildInput";
import { buildReport } from "../../testing/buildReport";
import { stageOf } from "../read/stage";
import { waitingIn } from "../read/accounts";
import { activeSessionsOf, shownUntilS } from "./activeSessions";
import { eventTableOf } from "./eventTable";
import { humpsAt, powersOfTwo, twoHumps } from "./spread";
import { trustOf } from "./trust";
import { findingOf } from "../stories/finding";
import { howSureOf } from "../stories/howSure";
import { captionOf, followedIn, windowOf } from "../timeline/lanes";

const a = "running 6ms 8.00\n queue 18ms 23.97\n wait latch: cache buffers chains | Concurrency | 0.9ms 0.03";
const b = "running 100ms 7.29\n queue 0ms 0.00\n wait resmgr:cpu quantum | Scheduler | 340ms 24.71";

describe("the event table", () => {
  it("sets both sides beside each other, with differences", () => {
    const { title, rows } = eventTableOf(buildReport(a).report, buildReport(b).report);
    const shown = rows.map(
      (row) =>
        `${row.event} | ${row.meanMsA} ${row.meanMsB} | ${row.difference.toFixed(2)} `
          + (row.isSignificant ? "sure" : "unsure"),
    );
    expect([title, ...shown].join("\n")).toBe(
      [
        "Events: the run queue’s 24.0 sessions now wait under a name",
        "resmgr:cpu quantum | null 340 | 24.71 sure",
        "ON CPU, run queue | 18 0 | -23.97 sure",
        "ON CPU, running | 6 100 | -0.71 sure",
        "latch: cache buffers chains | 0.9 null | -0.03 sure",
      ].join("\n"),
    );
  });
  it("says of a run queue that hardly changed no more than how much of it did", () => {
    const latches = "wait latch: cache buffers chains | Concurrency | 1ms";
    const side = (queue: number, latch: number) =>
      buildReport(`running 6ms 8.00\n queue 18ms ${queue}\n ${latches} ${latch}`).report;
    const title = (queue: number, latch: number) => eventTableOf(side(23.8, 0.2), side(queue, latch)).title;
    expect(title(23.7, 0.3)).toBe("Events: 0.1 in the run queue became 0.1 under a name");
    expect(title(2.5, 21.5)).toBe("Events: 21.3 in the run queue became 21.3 under a name");
    expect(title(2.3, 21.7)).toBe("Events: the run queue’s 21.5 sessions now wait under a name");
  });
  it("tells a small difference with as many digits as it needs", () => {
    const title = (one: number, other: number) => {
      const sides = [one, other].map((sessions) => buildReport(`running 6ms ${String(sessions)}`).report);
      return eventTableOf(sides[0]!, sides[1]!).title;
    };
    expect(title(1, 1.014)).toBe("Events: +0.01 sessions in ON CPU, running");
    expect(title(1, 1.004)).toBe("Events: no difference shown in active sessions");
    expect(title(1, 1.06)).toBe("Events: +0.1 sessions in ON CPU, running");
  });
  it("lets the run queue become named waits, or these the run queue, only where there were about as many", () => {
    const side = (running: number, queue: number, slots: number) =>
      buildReport(`running 6ms ${running}\nqueue 2ms ${queue}\nwait resmgr:cpu quantum | Scheduler | 9ms ${slots}`)
        .report;
    const title = (slots: number): string => eventTableOf(side(7, 0, 9), side(6.9, 2, slots)).title;
    expect(title(8.96)).toBe("Events: +2.0 sessions in ON CPU, run queue");
    expect(title(8.2)).toBe("Events: +2.0 sessions in ON CPU, run queue");
    expect(title(7.6)).toBe("Events: 1.4 under a name became 2.0 in the run queue");
    expect(title(7)).toBe("Events: 2.0 under a name became 2.0 in the run queue");
  });
  it("lists who is idle as not active, in no sum and no title", () => {
    const side = (idle: number, commits = 1) => buildReport(`running 6ms 8.00
      wait PX Deq: Execute Reply | Idle | 5ms ${idle}\n wait log file sync | Commit | 1ms ${commits}`).report;
    const { title, rows, sum } = eventTableOf(side(0.5), side(20));
    expect(rows.map(({ event }) => event)).toContain("idle: PX Deq: Execute Reply");
    expect([title, sum.aasA, sum.aasB]).toEqual(["Events: no difference shown in active sessions", 9, 9]);
    expect(eventTableOf(side(20), side(20), false).title).toBe("Events: 8.0 sessions in ON CPU, running");
    expect(eventTableOf(side(0.5), side(20, 2)).title).toBe("Events: +1.0 sessions in log file sync");
  });
  it("names what background processes wait for where sessions differ in nothing", () => {
    const side = (writers: number) => {
      const { report } = buildReport(`running 6ms 8.00\nwait db file parallel write | System I/O | 1ms ${writers}`);
      return { ...report, waits: report.waits.map((row) => ({ ...row, process_kind: "dbwr" })) };
    };
    expect(eventTableOf(side(0.27), side(6.75)).title).toBe(
      "Events: no difference shown in active sessions, +6.5 background in db file parallel write (dbwr)",
    );
    expect(eventTableOf(side(0.27), side(0.27)).title).toBe("Events: no difference shown in active sessions");
    const bare = (writers: number) => ({ ...side(writers), on_cpu: [] });
    expect(eventTableOf(bare(0.27), bare(6.75)).title).toBe("Events: +6.5 in db file parallel write (dbwr)");
  });
  it("says how long waits last as the database clocks them, with the run queue after them", () => {
    const { report } = buildReport(b);
    const of = (row: (typeof report.waits)[number], ms: number, sessions: number) => ({
      ...row, clocked_ms: { ...row.clocked_ms, mean: ms }, clocked_aas: { ...row.clocked_aas, mean: sessions },
    });
    const waits = report.waits.map((row) => of(row, row.mean_ms + 60, 28));
    const none = { mean: 0, ci95: null, reps: [] };
    const onCpu = report.on_cpu.map((row) => (
      row.state === "running" ? row : { ...row, aas: { ...row.aas, mean: 3.29 }, clocked_ms: none }
    ));
    const { rows } = eventTableOf(report, { ...report, waits, on_cpu: onCpu });
    expect(rows.map((row) => [row.event, row.meanMsA, row.meanMsB, row.aasA, row.aasB])).toEqual([
      ["resmgr:cpu quantum", 340, 400, 24.71, 28], ["ON CPU, running", 100, 100, 7.29, 7.29],
    ]);
  });
  it("sums what the rows of sessions have, with the run queue after a wait in that, be it idle", () => {
    const { report } = buildReport(`running 6ms 2.00\n queue 3ms 1.5
      wait PX Deq: Execute Reply | Idle | 5ms 3\n wait log file sync | Commit | 1ms 1`);
    const onCpu = report.on_cpu.map((row) => (
      row.state === "running" ? row : { ...row, clocked_aas: { ...row.clocked_aas, mean: 0.25 } }
    ));
    const waits = report.waits.map((row) => (
      row.event === "log file sync" ? { ...row, clocked_aas: { ...row.clocked_aas, mean: 1.5 } } : row
    ));
    expect(eventTableOf(report, { ...report, on_cpu: onCpu, waits }).sum.aasB).toBe(2 + 0.25 + 1.5);
  });
  it("has an interval for the sum, too, of what rows that make up for one another leave of each start", () => {
    const { report } = buildReport("running 6ms 2\n queue 3ms 2");
    const offs = [-0.6, 0.6, -0.4, 0.4, 0, 0.2, -0.2, 0];
    const moved = (more: number, signs: readonly [number, number]) => ({
      ...report, on_cpu: report.on_cpu.map((row, i) => ({
        ...row, clocked_aas: { ...row.clocked_aas, reps: row.clocked_aas.reps.map(
          (rep, start) => rep + signs[i]! * offs[start]! + more / 2,
        ) },
      })),
    });
    const sum = (...args: Parameters<typeof moved>) => eventTableOf(report, moved(...args)).sum;
    expect(sum(0.1, [1, -1])).toMatchObject({ isSignificant: true });
    expect(sum(0.1, [1, -1]).difference).toBeCloseTo(0.1, 9);
    expect(sum(0.1, [1, -1]).ci95).toBeCloseTo(0, 9);
    expect(sum(0.1, [1, 1])).toMatchObject({ isSignificant: false });
    expect(sum(0.1, [1, 1]).ci95).toBeGreaterThan(0.5);
  });
  it("says that no session is active, whatever background processes wait for", () => {
    const { report } = buildReport("lio 1\nwait log file parallel write | System I/O | 2ms 0.25");
    const writers = { ...report, waits: report.waits.map((row) => ({ ...row, process_kind: "lgwr" })) };
    const { rows } = eventTableOf(writers, writers);
    expect(rows.map(({ event }) => event)).toEqual(["log file parallel write (lgwr)"]);
    expect([true, false].map((isCompared) => eventTableOf(writers, writers, isCompared).title))
      .toEqual(Array(2).fill("Events: no active sessions"));
  });
  it("finds nothing where nothing differs", () => {
    const { title } = eventTableOf(buildReport(a).report, buildReport(a).report);
    expect(title).toBe("Events: no difference shown in active sessions");
    const { report } = buildReport(a);
    const of = (hosts: number): typeof report => ({ ...report, nodes: Array(hosts).fill(report.nodes[0]) });
    expect(eventTableOf(of(2), of(2)).title).toMatch(/^Events of both hosts:/);
    expect(eventTableOf(of(2), of(4)).title).toMatch(/^Events of all hosts:/);
  });
});

describe("active sessions", () => {
  it("are stacked class by class, running at the bottom, one axis above all", () => {
    const answer = answerOf(b, {
      "aas/time_s": [0, 0.5, 1, 1.5], "aas/Scheduler": [0, 10, 24, 25], "aas/CPU": [8, 8, 7, 7],
    });
    const model = activeSessionsOf(answer, 8);
    expect(model.layers.map(({ label, values }) => `${label} ${values.join(" ")}`)).toEqual([
      "running 8 8 7 7", "resmgr:cpu quantum 0 10 24 25",
    ]);
    expect([model.bucketS, model.warmupS, model.cpuLine, model.yMax]).toEqual([0.5, 1, 8, 32]);
  });
  it("show the same time of both sides, as much as both have; runs that end are shown whole", () => {
    const of = (warmup: number, seconds: number, stepS: number) => {
      const steps = Array.from({ length: seconds / stepS }, (_, i) => i * stepS);
      const answer = answerOf("running 10 3", { "aas/time_s": steps, "aas/CPU": [3] });
      return { ...answer, report: { ...answer.report, warmup_s: warmup } };
    };
    const [short, long] = [of(1, 60, 0.5), of(4, 60, 0.25)];
    const ends = (answers: readonly (typeof short)[]) => answers.map((answer) => {
      const { timesS, bucketS } = activeSessionsOf(answer, 8, null, shownUntilS(answers));
      return (timesS.at(-1) ?? 0) + bucketS;
    });
    expect(ends([short])).toEqual([10]);
    expect(ends([long, short])).toEqual([16, 16]);
    expect(ends([of(1, 12, 0.5), long])).toEqual([12, 12]);
    const ended = ({ report, ...answer }: typeof short): typeof short =>
      ({ ...answer, report: { ...report, ended: Array(1) } });
    expect(ends([ended(short), ended(of(1, 200, 0.5))])).toEqual([60, 200]);
  });
  it("have a layer of their own for waits of configuration, and idle ones are no active sessions", () => {
    const waits = "wait PX Deq: Execute Reply | Idle | 5 1\nwait log buffer space | Configuration | 5 2";
    const answer = answerOf(`running 10 3\n${waits}\nwarmup 0`, {
      "aas/time_s": [0, 0.5], "aas/CPU": [3, 3], "aas/Configuration": [2, 2], "aas/Idle": [1, 1],
    });
    const model = activeSessionsOf(answer, 8);
    expect(model.layers.map(({ class: name, label, mean }) => `${name} ${label} ${mean}`)).toEqual([
      "CPU running 3", "Configuration log buffer space 2",
    ]);
    expect(waitingIn(answer.report)).toBe(2);
  });
});

describe("lanes", () => {
  const slice = (thread: number, startMs: number, endMs: number, process: number) => ({
    thread, startMs, endMs, debtMs: 0, process,
  });
  it("count from the start of their window and end with it", () => {
    const slices = windowOf([slice(0, 1000, 1050, 1), slice(0, 1050, 1200, 2), slice(0, 1200, 1300, 3)], 120);
    expect(slices.map(({ startMs, endMs, process }) => [startMs, endMs, process])).toEqual([[0, 50, 1], [50, 120, 2]]);
  });
  it("follow a session that comes back", () => {
    expect(followedIn([slice(0, 1, 2, 7), slice(0, 3, 4, 8), slice(1, 5, 6, 8)], 10)).toBe(8);
    expect(followedIn([], 10)).toBeNull();
  });
  it("follow a session where one runs, and anybody else where none does", () => {
    const slices = [slice(0, 1, 2, 7), slice(0, 3, 4, 8), slice(1, 5, 6, 8)];
    expect(followedIn(slices, 10, (process) => process === 7)).toBe(7);
    expect(followedIn(slices, 10, () => false)).toBe(8);
  });
  it("tell how long the one that is followed runs of what is shown", () => {
    const slices = [slice(0, 0, 20, 7), slice(0, 20, 60, 8), slice(1, 90, 120, 7), slice(0, 60, 120, 9)];
    const told = (process: number | null) => captionOf(slices, process, 120).replaceAll("\u00a0", " ");
    expect([told(7), told(8), told(5), told(null)]).toEqual([
      "50 ms of 120 ms, 2 times", "40 ms of 120 ms, once", "", "",
    ]);
  });
});

describe("spread", () => {
  it("pools fine buckets into powers of two", () => {
    expect(powersOfTwo([4, 5, 6, 7, 9, 11], [1, 1, 1, 1, 4])).toEqual({
      edgesMs: [4, 8, 16], shares: [0.375, 0.625], meansMs: [5.5, 9.6],
    });
    expect(powersOfTwo([], [])).toEqual({ edgesMs: [], shares: [], meansMs: [] });
  });
  it("has humps where their waits are, on either side of an edge, and none where there is a single one", () => {
    // 3.9 and 4.1 ms are one hump, and so are 4 to 4.4 s; half a second is a third of neither.
    const buckets = powersOfTwo([3.8, 4, 4.2, 500, 501, 4000, 4400], [10, 30, 0, 1, 0, 20]);
    const [low = 0, high = 0] = humpsAt(buckets) ?? [];
    expect([low, high].map((ms) => Number(ms.toPrecision(3)))).toEqual([4.05, 4200]);
    expect(humpsAt(powersOfTwo([1, 2, 4, 8], [1, 5, 1]))).toBeNull();
  });
  it("puts next to nothing into one bucket", () => {
    const { edgesMs, shares } = powersOfTwo([0, 0.001, 64, 128], [3, 0, 1]);
    expect([edgesMs.length, edgesMs.at(-1), shares[0], shares.at(-1)]).toEqual([11, 128, 0.75, 0.25]);
  });
  it.each([
    [[0.2, 0.6, 0.2], null],
    [
      [0.5, 0.1, 0.4], [0, 2],
    ],
    [
      [0.7, 0, 0, 0.3], [0, 3],
    ],
    [[0.3, 0.2, 0.5], null],
    [[1], null],
  ])("%j has humps at %j", (shares, humps) => expect(twoHumps(shares)).toEqual(humps));
});

describe("how sure", () => {
  const hinge = (percents: readonly number[]) =>
    [10, 30, 100, 300, 1000].map((value, i) => ({
      value, a: pointOf(3e6), b: pointOf(3e6 * (1 + (percents[i] ?? 0) / 100)),
    }));
  const text = "lio 3.0M ±0.1%";
  it("shows where the assumption would turn the sign, on its own logarithmic axis", () => {
    const model = howSureOf(buildInput(text, "lio 3.3M ±0.1%", { hinge: hinge([-5, -4, -2, 2, 8]) }));
    expect(textOf(model.sentence)).toMatch(
      /^\[\+10\.0 %\] ±<0\.1 in throughput at 95 %, from 8 paired replications\. /,
    );
    expect(textOf(model.sentence)).toMatch(/ It hangs on one knob that nobody measured, \[switch_refill_us\]:$/);
    // Half way from 100 to 300: what changes of process take grows with what each costs.
    expect(model.hinge?.even).toBe(200);
    expect([model.hinge?.leftWord, model.hinge?.rightWord]).toEqual(["cage loses", "cage wins"]);
  });
  it("compares what the headline does, also while the run narrows, and names it", () => {
    const [a, b] = ["lio 3.0M ±0.1%\nresponse 100", "lio 3.3M ±0.1%\nresponse 180"];
    const told = (arrivals: string) => {
      const values = { ...cagedValues, arrivals, arrivals_per_s: 700 };
      const input = buildInput(a, b, { a: { ...values, resource_manager_plan: "none" }, b: values, isCoarse: true });
      return [textOf([{ text: findingOf(input).headline }]), textOf(howSureOf(input).sentence)];
    };
    const [open, closed] = [told("open"), told("closed")];
    expect(open[0]).toMatch(/^Caging: mean response \+80\.0 % /);
    expect(open[1]).toMatch(/^\[\+80\.0 %\] \S+ in mean response at 95 % so far, /);
    expect(closed[0]).toMatch(/^Caging: throughput \+10\.0 % /);
    expect(closed[1]).toMatch(/^\[\+10\.0 %\] \S+ in throughput at 95 % so far, /);
  });
  it("says so where the sign holds everywhere", () => {
    const model = howSureOf(buildInput(text, "lio 2.8M ±0.1%", { hinge: hinge([-8, -7, -7, -6, -5]) }));
    expect(textOf(model.sentence)).toContain("The sign is the same for every [switch_refill_us] from 10 to 1,000 µs:");
    expect(model.hinge).toMatchObject({ even: null, from: 10, to: 1000, rightWord: "cage loses everywhere" });
  });
  it("includes the value here where that lies outside the range tried, with the sign that it has", () => {
    const at = (here: number, lio: string, percents: readonly number[]) =>
      howSureOf(buildInput(text, lio, { b: { ...cagedValues, switch_refill_us: here }, hinge: hinge(percents) }));
    const same = at(2070, "lio 2.8M ±0.1%", [-8, -7, -7, -6, -5]);
    expect(textOf(same.sentence)).toContain("The sign is the same for every [switch_refill_us] from 10 to 2,070 µs:");
    expect(same.hinge).toMatchObject({ from: 10, to: 2070, here: 2070 });
    const other = at(4000, "lio 3.3M ±0.1%", [-8, -7, -7, -6, -5]);
    expect(textOf(other.sentence)).toMatch(/ It hangs on one /);
    // From 1,000, where it is −5 %, to 4,000, where it is +10 %: after a third.
    expect(other.hinge?.even).toBe(2000);
  });
  it("claims a sign only where it is certain", () => {
    const of = (percents: readonly number[], lio = "lio 2.8M ±0.1%") =>
      howSureOf(buildInput(text, lio, { hinge: hinge(percents) }));
    const half = of([0, 0, -1, -2, -5]);
    expect(textOf(half.sentence)).toContain(
      " The sign is the same for every [switch_refill_us] from 100 to 1,000 µs:",
    );
    expect(half.hinge).toMatchObject({ from: 100, to: 1000, rightWord: "cage loses everywhere" });
    const gap = of([-3, 0, -1, -2, -5]);
    expect(textOf(gap.sentence)).toContain(
      "Where it is certain, the sign is the same for every [switch_refill_us] from 10 to 1,000 µs:",
    );
    expect(gap.hinge?.rightWord).toBe("cage loses where certain");
    // Without a sign here, that of other values is no part of the answer; nor is that of here alone.
    for (const other of [of([-8, -7, -7, -6, -5], text), of([0, 0, 0, 0, 0])]) {
      expect(textOf(other.sentence)).not.toContain("the same");
      expect(other.hinge).toBeNull();
    }
  });
  it("does not speak of a knob that leaves every answer as it is", () => {
    const model = howSureOf(buildInput(text, "lio 2.8M ±0.1%", { hinge: hinge([-6, -6, -6, -6, -6]) }));
    expect([model.hinge, textOf(model.sentence)]).toEqual([null, expect.not.stringContaining("switch_refill_us")]);
  });
  it("turns on no other side of the value here than the headline has it, where its sign is certain", () => {
    const at = (here: number, lio: string, percents: readonly number[]) =>
      howSureOf(buildInput(text, lio, { b: { ...cagedValues, switch_refill_us: here }, hinge: hinge(percents) })).hinge;
    // Between 30 and 100 alone it would be at 65, and the cage would win at 70.
    const turn = at(70, "lio 2.9M ±0.1%", [-5, -2, 2, 3, 8])?.even ?? 0;
    expect([turn > 70, turn < 100]).toEqual([true, true]);
    // In two digits it would be 150, below the 154 where the cage loses by a sixth of a percent.
    expect(at(154, "lio 2.995M ±0.1%", [-5, -4, -3, 60, 70])?.even).toBe(154.4);
    expect(at(30, "lio 3.1M ±0.1%", [-5, -2, 2, 3, 8])?.even).toBeLessThan(30);
  });
  it("has no axis where the sign turns more than once", () =>
    expect(howSureOf(buildInput(text, text, { hinge: hinge([-5, 4, -3, 2, 8]) })).hinge).toBeNull());
  it("is the axis of what the sentence above it compares: of longer responses B loses, whatever is read", () => {
    const slower = [10, 30, 100, 300].map((value) => ({
      value, a: pointOf(3e6), b: pointOf(3.03e6, 0.001, 200 + value / 100),
    }));
    const [short, long] = [100, 200].map((ms) => `lio 3.0M ±0.1%\nresponse ${ms} p50 ${ms} p95 ${ms} p99 ${ms}`);
    const both = { differs: ["sessions"], hinge: slower, a: cagedValues };
    const model = howSureOf(buildInput(short ?? "", long ?? "", both));
    expect(textOf(model.sentence)).toMatch(/^\[\+100.* in mean response at 95 %/);
    expect(model.hinge).toMatchObject({ even: null, rightWord: "B loses everywhere" });
    // Points whose throughput is precise, and not their responses.
    const few = slower.map((point) => ({ ...point, b: { ...point.b, responseCi95: 20 } }));
    expect(howSureOf(buildInput(short ?? "", long ?? "", { ...both, hinge: few })).hinge).toBeNull();
    const faster = slower.map((point) => ({ ...point, a: point.b, b: point.a }));
    const other = howSureOf(buildInput(long ?? "", short ?? "", { ...both, hinge: faster }));
    expect(other.hinge?.rightWord).toBe("B wins everywhere");
  });
  it("lets nobody win or lose where fewer or more arrivals are asked for", () => {
    const [fewer, more] = [20, 40].map((arrivals) => ({
      ...cagedValues, arrivals: "open", arrivals_per_s: arrivals, "arrivals_per_s@instance1": arrivals,
    }));
    const sure = (...differs: readonly string[]) =>
      howSureOf(buildInput(text, "lio 2.8M ±0.1%", {
        a: more!, b: fewer!, differs, hinge: hinge([-8, -7, -7, -6, -5]),
      }));
    expect(sure("cpu_count").hinge?.rightWord).toBe("B loses everywhere");
    for (const key of ["arrivals_per_s", "arrivals", "arrivals_per_s@instance1"]) {
      const { hinge: axis, sentence } = sure(key);
      expect([axis, textOf(sentence)]).toEqual([null, expect.not.stringContaining("sign is the same")]);
    }
  });
  it("says what was published of the same pair, where nothing but the knob sideways is moved", () => {
    const at = (more: Partial<Parameters<typeof buildInput>[2]> = {}): string => {
      const { preset, xHandle, metric } = buildInput(text, text);
      const point = (x: number, y: number) => ({ x, y, label: "", role: "prediction" as const, unit: metric.unit });
      const published = [point(8, 1000), point(xHandle, 925)];
      return textOf(howSureOf(buildInput(text, "lio 3.3M ±0.1%", {
        preset: { ...preset, published }, xA: 8, differs: ["sessions"], ...more,
      })).sentence);
    };
    expect(at()).toContain(" Published: [−7.5 %]; the prediction misses.");
    expect(at({ moved: ["sessions"] })).toContain("misses");
    for (const other of [{ moved: ["lio_us"] }, { differs: ["sessions", "lio_us"] }, { xA: 9 }, { xA: null }])
      expect(at(other)).not.toContain("Published");
    const { preset } = buildInput(text, text);
    const held = [{ x: 8, y: 100, label: "", role: "input" as const, unit: "LIO/s" },
      { x: 32, y: 110, label: "", role: "prediction" as const, unit: "LIO/s" }];
    expect(at({ preset: { ...preset, published: held } })).toContain(" Published: [+10.0 %]; the prediction holds.");
    const swapped = held.map((one, i) => ({ ...one, role: held[1 - i]!.role }));
    expect(at({ preset: { ...preset, published: swapped } })).toContain("the prediction holds.");
  });
  it("has no axis where no sign is certain anywhere", () => {
    expect(howSureOf(buildInput(text, text, { hinge: hinge([0, 0, 0, 0, 0]) })).hinge).toBeNull();
  });
  it("says of pairs that are all alike that they are, and of how many, without 95 %", () => {
    expect(textOf(howSureOf(buildInput(text, text)).sentence)).toBe(
      "[No difference, 0 %] in throughput in each of 8 paired replications.",
    );
  });
  it("calls a sketch a sketch", () => {
    expect(textOf(howSureOf(buildInput(text, "lio 3.3M ±0.1%", { isCoarse: true })).sentence)).toContain(
      "so far, from 8 paired replications, narrowing.",
    );
  });
  it("does not say of a refused scenario that anything narrows", () => {
    const refused = buildInput(text, "lio 3.3M ±0.1%", { isCoarse: true, refusal: "no" });
    expect(howSureOf(refused)).toEqual({ sentence: [], hinge: null });
    expect(trustOf(refused)?.precision).toContain("and stopped");
  });
});

describe("trust", () => {
  const plain = (text: string | undefined): string | undefined => text?.replaceAll("\u00a0", " ");
  it("says what was asked, reached, cut and spent", () => {
    const trust = trustOf(buildInput("", "precision 0.004"));
    expect([trust?.precision, trust?.warmup, trust?.seed, trust?.events, trust?.cost].map(plain)).toEqual([
      "±0.4 %, 3 % asked", "1 s of 61 s cut", "42", "48,300 events in 38 ms", "700 ms here, 24 h on the machine",
    ]);
  });
  it("shows a broken law with its residual", () => {
    const [law] = trustOf(buildInput("", "law 0.041 broken"))?.laws ?? [];
    expect([law?.ok, plain(law?.residual)]).toEqual([false, "4.1 %"]);
  });
  it.each([
    ["settled", {}, "precision 0.004"],
    ["truncated", {}, "precision 0.07 stopped"],
    ["coarse", { isCoarse: true }, "precision 0.09"],
    ["empty", { fullB: null }, ""],
    ["failed", { failure: "The worker stopped." }, ""],
  ] as const)("is %s", (kind, more, text) => expect(stageOf(buildInput("", text, more)).kind).toBe(kind));
  it("is as precise as the side that is less so", () => {
    const stage = stageOf(buildInput("precision 0.09", "precision 0.01 stopped"));
    expect(stage).toMatchObject({ kind: "truncated", precision: 0.09 });
    expect(stageOf(buildInput("precision 0.02", "precision 0.01"))).toMatchObject({ kind: "settled", precision: 0.02 });
  });
  it("is cut where either side is, after the events of that side", () => {
    const a = answerOf("precision 0.07 stopped");
    const fullA = { ...a, report: { ...a.report, events: 9 } };
    expect(stageOf(buildInput("", "precision 0.01", { fullA }))).toMatchObject({
      kind: "truncated", precision: 0.07, events: 9,
    });
  });
});
