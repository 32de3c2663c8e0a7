/** Redo over time, from columns written by hand. */
import { describe, expect, it } from "vitest";
import type { FullAnswer, WaitRow } from "../../engine";
import { buildInput, pointOf } from "../../testing/buildInput";
import { estimate } from "../../testing/buildReport";
import { redoSideOf, redoTotalsOf } from "./redo";
import { redoIn, statspackIn } from "../tables";
import { statspackOf } from "./statspack";
import { variantsOf } from "./variants";

const figures = (values: Readonly<Record<string, number>>) => [
  { instance: 1, figures: Object.entries(values).map(([id, mean]) => ({ id, unit: "", value: estimate(mean) })) },
];

function answer(
  columns: Readonly<Record<string, readonly number[]>>, of: Readonly<Record<string, number>>,
): FullAnswer {
  const { fullB } = buildInput("lio 1M\n response 10\n running 1ms 2", "lio 1M\n response 10\n running 1ms 2\n"
    + "wait log file sync | Commit | 2ms 3\n wait db file scattered read | User I/O | 4ms 0.5");
  const report = structuredClone(fullB!.report);
  const data: number[] = [];
  const added = Object.entries(columns).map(([key, values]) => {
    const offset = data.length;
    data.push(...values);
    return { key: `database1/${key}`, offset, length: values.length };
  });
  return {
    ...fullB!, data: Float64Array.from(data), report: { ...report, columns: added, databases: figures(of) },
  };
}

/** Twenty seconds at a hundred commits a second, but for a stall from 15 to 16. */
const times = [0, 5, 10, 14, 15, 16, 18, 20];
const steady = {
  time_s: times, commits: times.map((t) => 100 * t - (t > 15 ? 100 : 0)),
  commits_written: times.map((t) => 100 * t - (t > 15 ? 100 : 0)),
  log_writes: times.map((t) => 50 * t - (t > 15 ? 50 : 0)), writers_s: times.map((t) => t / 2),
  room_mb: [20, 15, 10, 6, 5, 0, 18, 16], late_mb: [10, 9, 8, 7, 6, 3, 0, 0], stalled: [0, 0, 0, 0, 1, 0, 0, 0],
};

describe("an instance over the end of its run", () => {
  const side = redoSideOf(answer(steady, {}))!;
  it("shows its last twelve seconds, in bins", () => {
    expect([side.spanS, side.binS, side.commitsPerS.length]).toEqual([12, 0.2, 60]);
    // From 8 s on: the 35th bin begins at 15 s, where nobody commits for a second.
    expect(side.commitsPerS[10]).toBeCloseTo(100);
    expect(side.commitsPerS[36]).toBeCloseTo(0);
    expect(side.commitsPerWrite[10]).toBeCloseTo(2);
    expect(side.commitsPerWrite[36]).toBeNull();
    expect(side.writersCpus[10]).toBeCloseTo(0.5);
  });
  it("knows how much of that is the warm-up", () => {
    const of = (warmup_s: number) => {
      const whole = answer(steady, {});
      return redoSideOf({ ...whole, report: { ...whole.report, warmup_s } })?.warmupS;
    };
    // From 8 s to 20.
    expect([of(1), of(8), of(11), of(30)]).toEqual([0, 0, 3, 12]);
  });
  it("has its stalls, with their lengths", () => {
    expect(side.stalls).toEqual([{ fromS: 7, toS: 8, ms: 1000 }]);
  });
  it("is as late as what is to be written is more than the log has room for, and never early", () => {
    const value = (timeS: number): number | undefined => side.late.find((point) => point.timeS === timeS)?.value;
    expect([value(2), value(6), value(7), value(8), value(10)]).toEqual([0, 1, 1, 3, 0]);
  });
  it("counts a stall under way at the end up to there, and none that ended before", () => {
    const open = { ...steady, stalled: [1, 0, 0, 0, 0, 0, 1, 1] };
    expect(redoSideOf(answer(open, {}))?.stalls).toEqual([{ fromS: 10, toS: 12, ms: 2000 }]);
  });
  it("leaves out one that has only just begun", () => {
    const longer = Object.entries(steady).map(([key, values]) => [key, [...values, values.at(-1)!]]);
    const begun = {
      ...(Object.fromEntries(longer) as typeof steady), time_s: [...times.slice(0, -1), 20 - 1e-5, 20],
      stalled: [0, 0, 0, 0, 0, 0, 0, 1, 1],
    };
    expect(redoSideOf(answer(begun, {}))?.stalls).toEqual([]);
  });
  it("says of which instance it is where there are several", () => {
    const full = answer(steady, {});
    const title = (instances: number): string | undefined => {
      const rows = Array.from({ length: instances }, () => full.report.instances[0]!);
      const fullB = { ...full, report: { ...full.report, instances: rows } };
      return redoIn({ ...buildInput("", ""), fullA: null, fullB, differs: [] })?.title;
    };
    expect(title(1)).not.toContain("instance");
    expect(title(2)).toBe(`${title(1)} (instance 1)`);
  });
  it("knows how long a wait of a session for a switch itself is, of one instance", () => {
    const { fullB } = buildInput("lio 1M", "lio 1M\n wait log file switch completion | Configuration | 204ms 3");
    const { report } = fullB!;
    expect(redoTotalsOf(report).switchMs).toBe(204);
    expect(redoTotalsOf({ ...report, instances: [...report.instances, ...report.instances] }).switchMs).toBeNull();
    expect(redoTotalsOf({ ...report, waits: [] }).switchMs).toBeNull();
  });
  it("is nothing where nothing was recorded", () => {
    expect(redoSideOf(answer({}, {}))).toBeNull();
  });
});

describe("Statspack", () => {
  const of = {
    commits_per_s: 100, redo_mb_per_s: 0.4, block_changes_per_s: 2500, blocks_read_per_s: 150,
    blocks_written_per_s: 600,
  };
  const model = statspackOf(answer({}, of).report, { calls_per_transaction: 16, db_writer_processes: 8 }, "p")!;
  it("counts a quarter of an hour: CPU of sessions, events by time, the share of all calls", () => {
    // 2 of 5.5 sessions are on CPU: 1,800 s; 3 wait 2 ms each: 2,700 s.
    const rows = model.top.map(({ event, timeS, percent }) => [event, Math.round(timeS), Math.round(percent)]);
    expect(rows).toEqual([["log file sync", 2700, 55], ["CPU time", 1800, 36], ["db file scattered read", 450, 9]]);
    const sync = model.top[0]!;
    expect([sync.waits, sync.meanMs].map((value) => Math.round(value ?? 0))).toEqual([1_350_000, 2]);
    expect(model.top[1]?.waits).toBeNull();
  });
  it("knows which knobs are not as in the published run, of A those that it shares, writers and runs apart", () => {
    const input = buildInput("", "");
    const run = { ...input.knobs[0]!, id: "seed", group: "Run" };
    const full = answer({}, of);
    const found = statspackIn({
      ...input, fullA: full, fullB: full, knobs: [...input.knobs, run], differs: ["db_writer_processes", "redo_io_ms"],
      moved: ["db_writer_processes", "redo_log_mb", "redo_io_ms", "seed"],
    });
    expect([found?.a?.moved, found?.b.moved]).toEqual([["redo_log_mb"], ["redo_log_mb", "redo_io_ms"]]);
  });
  it("counts what A alone moved of A, but for what the published pair differs in", () => {
    const input = buildInput("", "");
    const full = answer({}, of);
    const movedIn = (a: Readonly<Record<string, number | string>>, moved: readonly string[] = []) => {
      const compare = { data_io_ms: 8, cpu_count: 4 };
      const set = { ...input.preset.set, redo_log_mb: 64, sessions: 1, "sessions@instance3": 5 };
      const preset = { ...input.preset, compare, set };
      const found = statspackIn({
        ...input, preset, fullA: full, fullB: full, differs: Object.keys(a), moved, a: { ...input.a, ...a },
      });
      return [found?.a?.moved, found?.b.moved];
    };
    expect(movedIn({ db_writer_processes: 1, data_io_ms: 12, redo_io_ms: 8 })).toEqual(
      [["data_io_ms", "redo_io_ms"], []],
    );
    expect(movedIn({ data_io_ms: 8 })).toEqual([[], []]);
    // What the published run says of all instances, or of one alone, holds for that one.
    expect(movedIn({ "sessions@instance1": 1, "sessions@instance2": 3, "sessions@instance3": 5 })).toEqual(
      [["sessions@instance2"], []],
    );
    expect(movedIn({ "cpu_count@instance1": 4 })).toEqual([[], []]);
    // Where B moved it A may stand where the published run did.
    expect(movedIn({ redo_log_mb: 64, sockets: 1 }, ["redo_log_mb", "sockets"])).toEqual(
      [[], ["redo_log_mb", "sockets"]],
    );
    expect(movedIn({ redo_log_mb: 32 }, ["redo_log_mb"])).toEqual([["redo_log_mb"], ["redo_log_mb"]]);
  });
  it("clocks a wait as the database does, with the run queue after it", () => {
    const { report } = answer({}, of);
    const waits = report.waits.map((row) => ({
      ...row, clocked_ms: { ...row.clocked_ms, mean: row.clocked_ms.mean + 0.5 },
    }));
    const [sync] = statspackOf({ ...report, waits }, {}, "p")?.top ?? [];
    // 1,350,000 waits of 2 ms, and half a millisecond each.
    expect([sync?.timeS, sync?.meanMs]).toEqual([3375, 2.5]);
  });
  it("counts a wait once it has ended, unless none has", () => {
    const { report } = answer({}, of);
    const first = (more: Partial<WaitRow>) => {
      const waits = report.waits.map((row) => (row.event === "log file sync" ? { ...row, ...more } : row));
      const { timeS, waits: times, meanMs } = statspackOf({ ...report, waits }, {}, "p")!.top[0]!;
      return [timeS, times, meanMs];
    };
    const going = { ...report.waits[0]!.clocked_aas, mean: 50 };
    expect(first({ clocked_aas: going })).toEqual([2700, 1_350_000, 2]);
    expect(first({ clocked_aas: going, count: 0 })).toEqual([45_000, 0, null]);
  });
  it("has a load profile a second and a transaction", () => {
    const rows = model.profile.map(({ name, perS, perTransaction }) => [name, perS, perTransaction]);
    expect(rows).toEqual([
      ["Redo size", 400_000, 4_000], ["Logical reads", 1e6, 1e4], ["Block changes", 2500, 25],
      ["Physical reads", 150, 1.5], ["Physical writes", 600, 6], ["User calls", 1600, 16], ["Transactions", 100, null],
    ]);
  });
  it("counts transactions that are one call together as one", () => {
    const calls = (values: Record<string, number>) =>
      statspackOf(answer({}, of).report, values, "p")?.profile.find(({ name }) => name === "User calls")?.perS;
    expect(calls({ calls_per_transaction: 1, commits_per_call: 10 })).toBe(10);
    expect(calls({ calls_per_transaction: 4, commits_per_call: 10 })).toBe(400);
    expect(calls({ calls_per_transaction: 1 })).toBe(100);
  });
  it("says nothing of writes that come once a log, where no log filled", () => {
    const writes = (ci95: number | null) => {
      const { report } = answer({}, { ...of, blocks_written_per_s: 0 });
      for (const { id, value } of report.databases[0]!.figures)
        if (id === "blocks_written_per_s") Object.assign(value, { ci95 });
      const { perS, perTransaction } = statspackOf(report, {}, "p")!.profile[4]!;
      return [perS, perTransaction];
    };
    expect([writes(null), writes(0)]).toEqual([[null, null], [0, 0]]);
  });
  it("parts classes of transactions where there are two", () => {
    const two = {
      ...of, update_transactions_per_s: 100, update_response_ms: 9, query_transactions_per_s: 40, query_response_ms: 2,
    };
    const rows = (figures: typeof of) => statspackOf(answer({}, figures).report, {}, "p")!.classes;
    expect(rows(two).map(({ name, perS, responseMs }) => [name, perS, responseMs])).toEqual([
      ["Transactions that change blocks", 100, 9], ["Queries", 40, 2],
    ]);
    expect([rows(of), rows({ ...two, query_transactions_per_s: 0 } as typeof of)]).toEqual([[], []]);
  });
  it("is of one instance with redo", () => {
    expect(statspackOf(buildInput("lio 1M", "lio 1M").fullB!.report, {}, "p")).toBeNull();
  });
});

describe("what a published difference could come from", () => {
  const input = buildInput("lio 1M", "lio 1M");
  const variants = {
    title: "Where from?", rows: [], published: [[1.08, "by one count"], [1.2, "by another"]] as [number, string][],
  };
  const rows = (second: number | null) => ({
    ...input, preset: { ...input.preset, variants }, variants: [
      { label: "as here", a: pointOf(1e6, 0), b: pointOf(1e6, 0) },
      { label: "slower", a: pointOf(1.07e6, 0), b: second === null ? null : pointOf(second, 0) },
    ],
  });
  it("names the nearest to the first published ratio once all have run", () => {
    expect(variantsOf(rows(1e6))?.title).toBe("Nearest to the published 1.080: slower, 1.070");
    expect(variantsOf(rows(2e6))?.title).toBe("Nearest to the published 1.080: as here, 1.000");
    expect(variantsOf(rows(null))).toMatchObject({ title: "Where from?", isAsked: false });
  });
  it("has what has run, A over B, with its interval", () => {
    const model = variantsOf(rows(1e6))!;
    expect(model.rows.map(({ ratio, ci95 }) => [ratio, ci95])).toEqual([[1, 0], [1.07, 0]]);
    expect(variantsOf({ ...rows(null), preset: input.preset })).toBeNull();
  });
});

it("a stall that begins before what is drawn keeps its whole length", () => {
  const open = { ...steady, stalled: [0, 1, 0, 0, 0, 0, 0, 0] };
  expect(redoSideOf(answer(open, {}))?.stalls).toEqual([{ fromS: -3, toS: 2, ms: 5000 }]);
});

it("Statspack has one row of an event for which processes of several kinds wait", () => {
  const { report } = answer({}, { commits_per_s: 100 });
  const [sync] = report.waits;
  const waits = [...report.waits, { ...sync!, process_kind: "lgwr" }];
  const rows = statspackOf({ ...report, waits }, {}, "p")!.top.filter(({ event }) => event === "log file sync");
  expect(rows.map(({ waits: times, timeS, meanMs }) => [times, timeS, meanMs])).toEqual([[2_700_000, 5400, 2]]);
});
