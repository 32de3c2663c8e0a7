import { expect, it } from "vitest";
import type { Report } from "../../engine";
import { buildInput, cagedValues } from "../../testing/buildInput";
import { buildReport } from "../../testing/buildReport";
import { findingIn, howSureIn, trustIn } from "../page";
import { tkprofOf } from "../sides/tkprof";
import type { AnalysisInput } from "../read/input";
import { comparedIn } from "./compared";

const est = (mean: number) => ({ mean, ci95: 0, reps: [mean, mean, mean] });

/** A session of so many executions: elapsed and CPU time [s], logical reads of each. */
function ended(report: Report, elapsedS: number, cpuS: number, reads: number, executions = 100_000): Report {
  return {
    ...report, warmup_s: 0, replications: 3, simulated_s: 3 * elapsedS,
    ended: [{
      instance: 1, sessions: 1, executions, elapsed_s: est(elapsedS), first_s: est(elapsedS),
      median_s: est(elapsedS), last_s: est(elapsedS), sd_s: est(0), cpu_s: est(cpuS), reads: est(reads * executions),
    }],
    metrics: [
      ...report.metrics, { id: "elapsed_s", ...est(elapsedS) }, { id: "session_cpu_s", ...est(cpuS) },
    ],
  };
}

const plain = "lio 3.35M ±0.4%\nresponse 620 p50 610 p95 700 p99 960\nrunning 100.2ms 7.29";
const input = buildInput(plain, plain);

type Ended = readonly [elapsedS: number, cpuS: number, reads: number, executions?: number];

function both(a: Ended, b: Ended): AnalysisInput {
  const { fullA, fullB } = input;
  if (fullA === null || fullB === null) throw new Error("both have run");
  return {
    ...input, fullA: { ...fullA, report: ended(fullA.report, ...a) },
    fullB: { ...fullB, report: ended(fullB.report, ...b) },
  };
}

const text = (spans: readonly { readonly text: string }[]): string => spans.map((span) => span.text).join("");
const bare = (words: string): string => words.replaceAll("\u00a0", " ");

it("a run that ends is told by its elapsed time, not by throughput", () => {
  const { headline, why } = findingIn(both([65.5, 65.5, 31], [3.43, 3.43, 3]));
  expect(bare(headline)).toMatch(/a session takes 3\.43 s, and 65\.5 s with .*: 94\.8 % shorter with the former$/);
  expect(bare(text(why))).toMatch(/takes 3 logical reads and 34\.3 µs of CPU; a session hardly waits/);
  expect(bare(text(findingIn(both([4, 4, 3], [5, 4.98, 3])).why))).toMatch(/of CPU; a session hardly waits/);
  expect(bare(text(why))).toMatch(/31 logical reads and 655 µs of CPU/);
  expect(headline + text(why)).not.toMatch(/throughput|capacity/);
  expect(bare(text(findingIn(both([4, 4, 3], [4, 4, 1])).why))).toContain(" takes 1 logical read and ");
});

it("what is slower says so, what is alike that it is, and waiting is told", () => {
  const headline = (a: Ended, b: Ended): string => bare(findingIn(both(a, b)).headline);
  expect(headline([3, 3, 3], [3.3, 3.3, 3])).toMatch(/3\.3 s, and 3 s with .*: 10\.0 % longer with the former$/);
  expect(headline([3000, 3, 3], [1, 1, 3])).toMatch(/: 3,000 times as long with the latter$/);
  expect(headline([3.3, 3, 3], [3, 3, 3])).toMatch(/takes 3 s, and 3\.3 s with .*: 9\.1 % shorter with the former$/);
  expect(headline([3, 3, 3], [9, 3, 3])).toMatch(/: 3 times as long with the former$/);
  expect(bare(findingIn(both([4.73, 4.73, 2], [4.73, 4.73, 2])).headline)).toMatch(/^No difference .* takes 4\.73 s$/);
  expect(bare(text(findingIn(both([4, 4, 3], [5, 4, 3])).why))).toMatch(/a session waits 1 s, most/);
});

/** Sessions of each side by instance, and how long one takes there [s]; of B in each replication by so much more. */
function byInstance(a: Mix, b: Mix, noise: readonly number[] = [0, 0, 0]): AnalysisInput {
  const side = (rows: Mix, report: Report, more: readonly number[]): Report => {
    const all = rows.reduce((sum, [sessions]) => sum + sessions, 0);
    const whole = ended(report, rows.reduce((sum, [sessions, s]) => sum + (sessions * s) / all, 0), 4, 2);
    const own = rows.map(([sessions, s], i) => ended(report, s, 4, 2).ended.map((row) => {
      const elapsed_s = { ...row.elapsed_s, reps: more.map((one) => s + one) };
      return { ...row, instance: i + 1, sessions, elapsed_s };
    }));
    return { ...whole, ended: own.flat() };
  };
  const [fullA, fullB] = [input.fullA!, input.fullB!];
  return {
    ...input, fullA: { ...fullA, report: side(a, fullA.report, [0, 0, 0]) },
    fullB: { ...fullB, report: side(b, fullB.report, noise) },
  };
}

type Mix = readonly (readonly [sessions: number, s: number])[];
const headlineOf = (...sides: Parameters<typeof byInstance>): string => bare(findingIn(byInstance(...sides)).headline);
const shortOf = (...sides: Parameters<typeof byInstance>): string =>
  bare(text(findingIn(byInstance(...sides)).short));

it("of instances with other numbers of sessions each is compared with itself, in the numbers of both sides", () => {
  const mix = byInstance([[3, 4.73], [5, 5.85]], [[1, 4.73], [5, 5.85]]);
  expect(bare(findingIn(mix).headline)).toMatch(
    /^No difference .*: either way a session takes 4\.73 s and 5\.85 s by instance$/,
  );
  expect(bare(text(howSureIn(mix).sentence))).toContain("No difference, 0 % in elapsed time");
  expect(headlineOf([[3, 4], [1, 8]], [[1, 5], [1, 8]])).toMatch(
    /takes 5 s and 8 s by instance, and 4 s and 8 s by instance with .*: 12\.5 % longer with the former$/,
  );
  // An instance that A has not is held against none where it is as the others.
  expect(headlineOf([[1, 4]], [[1, 5], [1, 5]])).toMatch(
    /takes 5 s and 5 s by instance, and 4 s with .*: 25\.0 % longer with the former$/,
  );
  expect(headlineOf([[2, 4], [2, 8]], [[1, 5], [1, 8]])).toMatch(/takes 6\.5 s, and 6 s with .*: 8\.3 % longer/);
});

it("an instance that one side has alone, unlike its others, is told and not compared", () => {
  const [alone, more] = [[[1, 4]], [[1, 4], [1, 9]]] as const;
  expect(headlineOf(alone, more)).toMatch(/^With .* a session takes 4 s and 9 s by instance, and 4 s with no cage$/);
  expect(headlineOf(more, alone)).toMatch(/^With .* a session takes 4 s, and 4 s and 9 s by instance with no cage$/);
  expect(comparedIn(byInstance(alone, more))).toBeNull();
  const sure = (a: Mix, b: Mix): string => bare(text(howSureIn(byInstance(a, b)).sentence));
  expect(sure(alone, [[1, 5], [1, 5]])).toContain(" in elapsed time of instances that both have");
  expect(sure(alone, [[2, 5]])).toContain(" in elapsed time at 95 %");
});

it("names where sessions wait as tables have it, with the run queue after a wait, and most of it above half", () => {
  const why = (clocked: number, other: number, queue: number): string => {
    const { fullB, ...of } = both([4, 4, 3], [9, 4, 3]);
    const wait = (event: string, time_s: number, aas: number): Report["waits"][number] => ({
      event, class: "User I/O", process_kind: "session", count: 100, time_s, mean_ms: 1, ci95: 0, reps: [], p50_ms: 1,
      p99_ms: 1, max_ms: 1, db_time_pct: 1, aas: est(time_s), clocked_ms: est(1), clocked_aas: est(aas),
      clocked_p99_ms: 1, clocked_p99_ci95: null, clocked_max_ms: 1,
    });
    const on_cpu = fullB!.report.on_cpu.map((row) => (
      row.state === "run queue" ? { ...row, time_s: 90, clocked_aas: est(queue) } : row
    ));
    const waits = [wait("db file sequential read", 10, clocked), wait("log file sync", 20, other)];
    return bare(text(findingIn({ ...of, fullB: { ...fullB!, report: { ...fullB!.report, waits, on_cpu } } }).why));
  };
  expect(why(0.6, 0.2, 0.1)).toContain("a session waits 5 s, most for db file sequential read. ");
  expect(why(0.4, 0.3, 0.3)).toContain("a session waits 5 s, longest for db file sequential read. ");
  expect(why(0.1, 0.2, 0.6)).toContain("a session waits 5 s, most in run queues. ");
});

it("sides that are exchanged differ as much, the other way", () => {
  const changes = [[[[1, 4], [7, 8]], [[6, 5], [1, 9]]], [[[4, 1], [12, 1]], [[40, 7.5], [12, 1]]]] as const;
  for (const [a, b] of changes) {
    const [there, back] = [byInstance(a, b), byInstance(b, a)].map((of) => comparedIn(of)!.difference.mean);
    expect((1 + there! / 100) * (1 + back! / 100)).toBeCloseTo(1, 9);
  }
});

it("instances that go opposite ways in another mix are told each, without one percentage", () => {
  const [a, b] = [[[4, 1.69], [20, 5.03]], [[20, 5.01], [4, 1.68]]] as const;
  expect(headlineOf(a, b)).toMatch(
    /takes 5\.01 s and 1\.68 s by instance, and 1\.69 s and 5\.03 s by instance with no cage$/,
  );
  expect(shortOf(a, b)).toBe("5.01 s and 1.68 s a session by instance at 32 sessions");
  expect(bare(text(howSureIn(byInstance(a, b)).sentence))).toMatch(/^±\S+ % at 95 % in elapsed time, from \d+ repl/);
  expect(comparedIn(byInstance(a, b))).toBeNull();
  // Of one mix the mean speaks for all.
  expect(headlineOf([[2, 4], [2, 8]], [[2, 5], [2, 4]])).toMatch(/takes 4\.5 s, and 6 s with .*: 25\.0 % shorter/);
});

it("the short line says what the headline does, without the mean of another mix", () => {
  expect(shortOf([[4, 1], [12, 1]], [[40, 7.5], [12, 1]])).toMatch(
    /^\+421 % ±\S+ at 32 sessions: 7\.5 s and 1 s a session by instance$/,
  );
  const none = [[[1, 4]], [[1, 4], [1, 4]]] as const;
  expect(headlineOf(...none)).toBe("No difference at 32 sessions: a session takes 4 s and 4 s by instance");
  expect(shortOf(...none)).toBe("No difference at 32 sessions: 4 s and 4 s a session by instance");
  const unsure = [[[1, 4]], [[1, 5]], [-4, 0, 4]] as const;
  expect(headlineOf(...unsure)).toBe("No difference shown at 32 sessions: a session takes 5 s");
  expect(shortOf(...unsure)).toBe("No difference shown at 32 sessions: 5 s a session");
  expect(shortOf([[1, 4]], [[1, 5]], [-0.1, 0, 0.1])).toBe("+25.0 % ±6.2 at 32 sessions: 5 s a session");
});

it("there is room for both sides, the number of executions once", () => {
  const words = bare(text(findingIn(both([9.96, 7.83, 2646], [116, 11, 2646])).why));
  expect(words).toMatch(/^With cpu_count 8 each of 100,000 executions takes .*; a session waits 105 s, most .*\. /);
  expect(words).toMatch(/ With no cage each takes 2,646 logical reads and .*; a session waits 2\.13 s, most /);
  const other = bare(text(findingIn(both([9.96, 7.83, 2646, 10], [116, 11, 2646])).why));
  expect(other).toContain("With no cage each of 10 executions takes");
  const named = {
    ...both([9.96, 7.83, 2646, 10], [116, 11, 2646, 2000]), differs: ["executions"],
    a: { ...cagedValues, executions: 10 }, b: { ...cagedValues, executions: 2000 },
  };
  const own = bare(text(findingIn(named).why));
  expect(own).toMatch(/^With 2,000 executions each takes .* With 10 executions each takes /);
  const { short } = findingIn(both([4, 4, 3], [4.001, 4, 3]));
  expect(bare(text(short))).toBe("No difference at 32 sessions: 4 s a session");
});

it("what takes many values of a sequence is a transaction: it executes a statement for each", () => {
  const knob = "sequence_values_per_transaction";
  const told = (now: number | string, was = now, count = 10): string => {
    const of = both([9.96, 7.83, 2646, count], [116, 11, 2646, count]);
    return bare(text(findingIn({ ...of, a: { ...of.a, [knob]: was }, b: { ...of.b, [knob]: now } }).why));
  };
  expect(told(1000)).toMatch(/^With cpu_count 8 each of 10 transactions of 1,000 values takes .* no cage each takes /);
  expect(told(2.5, 500)).toContain("each of 10 transactions of 2.5 values takes");
  expect(told(2.5, 500)).not.toContain("each takes");
  expect(told(20, 20, 1)).toContain("its transaction of 20 values takes");
  for (const few of [0, 1]) expect(told(few)).toContain("each of 10 executions takes");
});

it("gets of recursive statements are not said to be among those of an execution", () => {
  const of = both([9.96, 7.83, 26, 10], [116, 11, 26, 10]);
  const { fullB } = of;
  if (fullB === null) throw new Error("it has run");
  const told = (recursive: number): string => {
    const call = { call: "Execute", count: 1, cpu_s: 1, elapsed_s: 1, disk: 0, rows: 10 };
    const row = (statement: string, query: number, current: number) =>
      ({ instance: 1, statement, depth: 1, waits: [], calls: [{ ...call, query, current }] });
    const statements = [row("INSERT", 60, 200), row("UPDATE SEQ$", recursive, 2 * recursive)];
    return bare(text(findingIn({ ...of, fullB: { ...fullB, report: { ...fullB.report, statements } } }).why));
  };
  expect(told(10)).toMatch(/10 executions takes 26 logical reads of its own statements and 1\.1 s of CPU/);
  expect(told(0)).toMatch(/10 executions takes 26 logical reads and 1\.1 s of CPU/);
});

it("a parallel query is told by its coordinator's CPU, and by what leaves a host", () => {
  const of = both([60.7, 7.5, 0, 1], [76.7, 39.6, 0, 1]);
  const { fullB } = of;
  if (fullB === null) throw new Error("it has run");
  const metrics = [...fullB.report.metrics, { id: "px_remote_rows_percent", ...est(50) }];
  const spread = { ...of, fullB: { ...fullB, report: { ...fullB.report, metrics } } };
  const words = bare(text(findingIn(spread).why));
  expect(words).toMatch(/its execution takes 39\.6 s of CPU; it waits 37\.1 s, most [^.]*, and 50(\.0)? % of the rows/);
  expect(words).toMatch(/its execution takes 7\.5 s of CPU; it waits 53\.2 s/);
  expect(words.match(/leave their host/g)).toHaveLength(1);
  expect(words).not.toMatch(/logical reads/);
});

it("headline, short line and how sure have one base, A's time", () => {
  for (const [a, b] of [[60.7, 70.8], [9.96, 7.71], [4.32, 1]] as const) {
    const of = both([a, 1, 0], [b, 1, 0]);
    const { headline, short } = findingIn(of);
    const percents = [headline, text(short), text(howSureIn(of).sentence)].map(
      (words) => Number(/([\d.,]+) %/.exec(bare(words))?.[1]),
    );
    for (const percent of percents) expect(Math.abs(percent - Math.abs(100 * (b / a - 1)))).toBeLessThan(0.051);
  }
});

it("how sure is of the elapsed time, and the foot claims no warm-up", () => {
  const of = both([65.5, 65.5, 31], [3.43, 3.43, 3]);
  expect(bare(text(howSureIn(of).sentence))).toMatch(/^−94\.8 % .*in elapsed time/);
  expect(bare(trustIn(of)?.warmup ?? "")).toBe("none: 3.43 s to the end");
});

it.each(["A", "B"])("where sessions of %s alone end each side is told by itself, and nothing is compared", (side) => {
  const [once, endless] = [{ ...cagedValues, executions: 1 }, { ...cagedValues, executions: 0 }];
  const { fullA, fullB } = both([4, 3, 5, 1], [4, 3, 5, 1]);
  const of: AnalysisInput = {
    ...input, differs: ["executions"],
    ...(side === "A" ? { a: once, b: endless, fullA } : { a: endless, b: once, fullB }),
  };
  const { headline, short, why } = findingIn(of);
  const [ends, goesOn] = [
    "with 1 execution a session takes 4 s from start to end",
    "with executions without end throughput is 3.35 M LIO/s",
  ];
  expect(bare(headline).toLowerCase()).toBe((side === "A" ? [goesOn, ends] : [ends, goesOn]).join("; ").toLowerCase());
  expect(bare(text(short))).toBe(`${side === "A" ? "3.35 M LIO/s" : "4 s a session"} at 32 sessions`);
  expect(bare(text(why))).toMatch(/^With 1 execution its execution takes 5 logical reads and 3 s of CPU; it waits 1 s/);
  expect(text(why).includes("ran to its end")).toBe(side === "B");
  expect(comparedIn(of)).toBeNull();
  expect(bare(text(howSureIn(of).sentence))).toMatch(
    side === "A" ? /^±\S+ % at 95 % in the widest of throughput and mean response, from \d+ repl/
      : /^±\S+ % at 95 % in elapsed time, from \d+ repl/,
  );
});

it("a trace is of the first instance that ended, without callers that did nothing", () => {
  const call = (name: string, elapsed: number) => ({
    call: name, count: 1, cpu_s: elapsed, elapsed_s: elapsed, disk: 0, query: 3, current: 0, rows: 1,
  });
  const row = (instance: number, statement: string, depth: number, elapsed: number) => ({
    instance, statement, depth, calls: [call("Execute", elapsed)], waits: [],
  });
  const report = both([1, 1, 1], [1, 1, 1]).fullB?.report;
  if (report === undefined) throw new Error("it has run");
  const statements = [row(1, "block", 0, 0), row(1, "select", 1, 3.4), row(2, "select", 1, 5)];
  const found = tkprofOf({ ...report, statements }, {}, "small-table-index");
  expect(found?.statements.map((one) => [one.name, one.depth, one.calls[0]?.elapsed_s])).toEqual([["SELECT", 1, 3.4]]);
  expect(tkprofOf({ ...report, ended: [], statements }, {}, "small-table-index")).toBeNull();
});

it("for an event that counts as idle it is said to be idle", () => {
  const of = both([60.7, 7.5, 0, 1], [76.7, 39.6, 0, 1]);
  const { fullB } = of;
  if (fullB === null) throw new Error("it has run");
  const { report } = buildReport("wait PX Deq: Execute Reply | Idle | 5ms 0.4");
  const idle = { ...of, fullB: { ...fullB, report: { ...fullB.report, waits: report.waits } } };
  expect(bare(text(findingIn(idle).why))).toMatch(/it waits 37\.1 s, most idle in PX Deq: Execute Reply/);
});

it("of several instances reads and CPU time are all that their sessions use, over all their executions", () => {
  const { fullB, ...one } = both([15.1, 12.3, 3], [15.1, 12.3, 3]);
  const [first] = fullB!.report.ended;
  const told = (rows: readonly (readonly [sessions: number, executions: number, reads: number, cpuS: number])[]) => {
    const report = {
      ...fullB!.report,
      ended: rows.map(([sessions, executions, reads, cpuS], i) =>
        ({ ...first!, instance: i + 1, sessions, executions, reads: est(reads), cpu_s: est(cpuS) })),
      // A rate, which is no number of reads.
      metrics: [...fullB!.report.metrics, { id: "lio_per_session", ...est(218.9) }],
    };
    return bare(text(findingIn({ ...one, differs: [], fullA: null, fullB: { ...fullB!, report } }).why));
  };
  expect(told([[1, 10, 26_460, 11], [1, 10, 26_460, 11]]))
    .toContain("Each of 10 executions takes 2,646 logical reads and 1.1 s of CPU; a session waits 4.1 s");
  expect(told([[1, 1, 12e6, 14.6], [1, 1, 12e6, 10]]))
    .toContain("Its execution takes 12,000,000 logical reads and 12.3 s of CPU; it waits 2.8 s");
  expect(told([[3, 10, 1000, 2], [1, 10, 3000, 6]]))
    .toContain("Each of 10 executions takes 150 logical reads and 300 ms of CPU");
  expect(told([[1, 10, 600, 2], [1, 20, 600, 4]])).toContain("Each execution takes 40 logical reads and 200 ms of CPU");
});

it("of one pair of runs, which has no interval, no difference is shown or denied", () => {
  const once = (side: AnalysisInput["fullA"]): AnalysisInput["fullA"] => side && {
    ...side, report: {
      ...side.report, replications: 1,
      ended: side.report.ended.map((row) =>
        ({ ...row, elapsed_s: { ...row.elapsed_s, ci95: null, reps: row.elapsed_s.reps.slice(0, 1) } })),
    },
  };
  const of = both([4, 4, 3], [5, 5, 3]);
  const { headline, short } = findingIn({ ...of, fullA: once(of.fullA), fullB: once(of.fullB) });
  const words = /^Too little was run to compare at 32 sessions: \+25(\.\d+)? %, without an interval$/;
  expect(bare(headline)).toMatch(words);
  expect(bare(text(short))).toMatch(words);
});
