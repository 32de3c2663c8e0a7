import { describe, expect, it } from "vitest";
import type { PublishedFigure, Report } from "../../engine";
import { buildReport } from "../../testing/buildReport";
import { readFigure } from "../read/figures";
import { figureQueries, figureTable } from "./figureTable";

const CAGED = buildReport(`
  lio 3.3M ±1%
  wait latch: cache buffers chains | Concurrency | 1ms 0.10
  wait resmgr:cpu quantum | Scheduler | 340ms 24.71
  metric cpu_time 6.9
  node threads 8 useful 6.5 switch 0.25 spin 0.25`).report;
const FREE = buildReport(`
  lio 3M ±1%
  running 6.8ms 7.29`).report;

function figure(reading: PublishedFigure["reading"], more: Partial<PublishedFigure> = {}): PublishedFigure {
  const against = reading === "lio_against" || reading === "lio_ratio" ? "vm?sessions=1" : null;
  const claim =
    more.value === undefined || more.value === null
      ? ({ kind: "nothing" } as const)
      : ({ kind: "value", uncertainty: 0 } as const);
  const rest = { unit: "ms", role: "prediction", query: "vm", note: "", tolerance: null, unmet: null } as const;
  return { ...rest, id: reading, what: reading, value: null, claim, against, reading, ...more };
}

function withReps(lio: readonly number[]): Report {
  const mean = lio.reduce((sum, rep) => sum + rep, 0) / lio.length;
  const { throughput } = FREE;
  return {
    ...FREE, throughput: { ...throughput, lio_per_s: { mean, ci95: lio.length > 1 ? 1 : null, reps: [...lio] } },
  };
}

describe("how a figure is read", () => {
  it("takes each of the eight from its own place in the report", () => {
    const readings = [
      "lio_millions", "quantum_wait", "quantum_share", "quantum_waits", "longest_quantum_wait", "cpus_used",
      "lio_against", "lio_ratio",
    ] as const;
    const rows = readings.map((reading) => {
      const { simulated, ci95 } = readFigure(figure(reading), CAGED, FREE);
      return `${reading} ${simulated?.toFixed(3)} ±${ci95?.toFixed(3) ?? ""}`;
    });
    expect(rows).toEqual([
      "lio_millions 3.300 ±0.033",
      "quantum_wait 340.000 ±3.400",
      "quantum_share 10.000 ±0.000",
      "quantum_waits 21803.125 ±219.119",
      "longest_quantum_wait 1.020 ±",
      "cpus_used 6.900 ±0.069",
      "lio_against 10.000 ±0.000",
      "lio_ratio 1.100 ±0.000",
    ]);
  });

  it("pairs replications, so that what both runs share leaves no trace in the interval", () => {
    const a = withReps([2.2, 3.3, 4.4, 5.6]);
    const b = withReps([2, 3, 4, 5]);
    const ratio = readFigure(figure("lio_ratio"), a, b);
    const percent = readFigure(figure("lio_against"), a, b);
    expect(ratio.simulated).toBeCloseTo(15.5 / 14, 12);
    expect(ratio.ci95).toBeGreaterThan(0);
    expect(ratio.ci95).toBeLessThan(0.02);
    expect(percent.ci95).toBeCloseTo((ratio.ci95 ?? 0) * 100, 12);
    expect(readFigure(figure("lio_ratio"), withReps([2]), withReps([1])).ci95).toBeNull();
  });

  it("counts waits with the interval of sessions waiting over the mean wait, and a share with that of waiting over "
    + "active", () => {
    const [first] = CAGED.waits.filter(({ event }) => event === "resmgr:cpu quantum");
    if (first === undefined) throw new Error("no such wait");
    // Rates 10, 11, 12 and 13 a second (t(3) = 3.182, s = √(5/3)); of four sessions 1, 1.1, 1.2 and 1.3 wait.
    const wait = {
      ...first, count: 115, mean_ms: 100, reps: [100, 100, 100, 100], db_time_pct: 28.75,
      aas: { mean: 1.15, ci95: 1, reps: [1, 1.1, 1.2, 1.3] },
      clocked_aas: { mean: 1.15, ci95: 1, reps: [1, 1.1, 1.2, 1.3] },
    };
    const others = CAGED.on_cpu.map((row, i) => ({
      ...row, clocked_aas: { mean: 1, ci95: 1, reps: i === 0 ? [3, 2.9, 2.8, 2.7] : [0, 0, 0, 0] },
    }));
    // Waits of background processes are no part of DB time.
    const writes = { ...wait, event: "log file parallel write", process_kind: "lgwr", db_time_pct: null };
    const report = { ...CAGED, waits: [wait, writes], on_cpu: others, simulated_s: 10 };
    const half = (3.182 * Math.sqrt(5 / 3)) / 2;
    const waits = readFigure(figure("quantum_waits"), report, null);
    expect(waits.simulated).toBeCloseTo(3450, 9);
    expect(waits.ci95).toBeCloseTo(300 * half, 6);
    const share = readFigure(figure("quantum_share"), report, null);
    expect(share.simulated).toBe(28.75);
    expect(share.ci95).toBeCloseTo((100 * half * 0.1) / 4, 6);
  });

  it("takes waits as the database clocks them, with the run queue after them", () => {
    const waits = CAGED.waits.map((row) => ({
      ...row, event: "db file parallel write", clocked_ms: { mean: 400, ci95: 8, reps: [] }, count: 3, mean_ms: 1,
    }));
    const report = { ...CAGED, waits, simulated_s: 9 };
    const quantum = { ...report, waits: waits.map((row) => ({ ...row, event: "resmgr:cpu quantum" })) };
    expect(readFigure(figure("quantum_wait"), quantum, null)).toMatchObject({ simulated: 400, ci95: 8 });
    // Three in 9 s are 300 in a published run of 900 s.
    expect(readFigure(figure("parallel_write_seconds"), report, null)).toMatchObject({ simulated: 120, ci95: 2.4 });
  });

  it("says when a budget ended either run", () => {
    const ended = { ...FREE, precision: { ...FREE.precision, truncated: true } };
    const truncated = [[CAGED, FREE], [ended, FREE], [CAGED, ended]] as const;
    expect(truncated.map(([a, b]) => readFigure(figure("lio_ratio"), a, b).isTruncated)).toEqual([false, true, true]);
  });

  it("gives the error against what was published, and none where nothing was", () => {
    expect(readFigure(figure("quantum_wait", { value: 300 }), CAGED, null).errorPct).toBeCloseTo(13.333, 3);
    expect(readFigure(figure("lio_against", { value: -10.4 }), FREE, CAGED).errorPct).toBeNull();
    expect(readFigure(figure("quantum_wait"), CAGED, null).errorPct).toBeNull();
  });

  it("has no value where the run has no such wait, or nothing to compare with", () => {
    const none = { simulated: null, ci95: null, errorPct: null, isTruncated: false, verdict: null, isMet: null };
    expect(readFigure(figure("longest_quantum_wait", { value: 4 }), FREE, null)).toEqual(none);
    expect(readFigure(figure("lio_against", { value: 4 }), FREE, null)).toEqual(none);
  });
});

describe("the table of figures", () => {
  const figures = [
    figure("quantum_wait", {
      value: 300, what: "wait", role: "consistency check", claim: { kind: "value", uncertainty: 30 },
      tolerance: { within: 30, reason: "" }, unmet: "a reason", note: "a note",
    }),
    figure("lio_ratio", { unit: "×", what: "ratio" }),
    figure("lio_millions", { value: 3.6, unit: "M LIO/s", what: "nine", query: "six" }),
    figure("lio_against", {
      value: 10.2, unit: "%", what: "gain", query: "six", against: "vm", role: "input",
      claim: { kind: "value", uncertainty: 0.05 }, tolerance: { within: 1, reason: "" },
    }),
  ];
  const presets = [{ id: "vm", title: "VM" }, { id: "plain", title: "Plain" }, { id: "six", title: "Six" }];
  const text = (reports: Readonly<Record<string, Report>>, failed: readonly string[] = []): string => {
    const table = figureTable(
      figures, presets, "six", { reports: new Map(Object.entries(reports)), failed: new Set(failed) },
      new Set(["six", "vm"]),
    );
    const rows = table.groups.flatMap(({ title, rows: own }) => [
      title,
      ...own.map((row) =>
        [
          row.what, row.published, `${row.simulated} ${row.halfWidth}`.trim(), row.error,
          row.verdict + (row.beside === "" ? "" : `, ${row.beside}`),
        ].join(" | "),
      ),
    ]);
    return [...rows, table.ended].join("\n").replaceAll("\u00a0", " ");
  };

  it("names each scenario once, the present preset's first", () => {
    expect(figureQueries(figures, presets, "six", new Set(["six", "vm"]))).toEqual(["six", "vm", "vm?sessions=1"]);
  });

  it("says what is running, and what is in", () => {
    expect(text({ six: FREE, vm: CAGED })).toBe(`Six
nine | 3.6 M LIO/s | 3.000 M LIO/s ±0.030 | −16.7 ±0.8 % | miss
gain | 10.2 % | −9.091 % ±<0.001 | −19.3 ±<0.1 points | not met within 1 point, outside the interval
VM
wait | 300 ms | 340.0 ms ±3.4 | +13.3 ±1.1 % | not met within 10 %, outside the interval
ratio | – | running |  | 
`);
  });

  it("leads with whether a check is met; what its interval says stands beneath", () => {
    const told = (value: number, more: Partial<PublishedFigure>): string => {
      const own = figure("quantum_wait", { role: "consistency check", value, ...more });
      const answers = { reports: new Map([["vm", CAGED]]), failed: new Set<string>() };
      const [row] = figureTable([own], presets, "vm", answers, new Set(["vm"])).groups[0]!.rows;
      return `${row!.verdict}; ${row!.beside}`.replaceAll("\u00a0", " ");
    };
    const tolerance = { within: 17, reason: "" };
    // 340 ms ±3.4.
    expect(told(350, { tolerance })).toBe("met within 4.86 %; outside the interval");
    expect(told(341, { tolerance })).toBe("met within 4.99 %; inside the interval");
    expect(told(341, { role: "prediction" })).toBe("hit; ");
    expect(told(350, { role: "prediction" })).toBe("miss; ");
    expect(told(330, { claim: { kind: "above", limit: 330 } })).toBe("met; ");
    expect(told(338, { claim: { kind: "above", limit: 338 } })).toBe("not met; cannot tell");
  });

  it("tells in the note why a check is not met", () => {
    const { groups } = figureTable(figures, presets, "vm", { reports: new Map(), failed: new Set() }, new Set(["vm"]));
    expect(groups[0]?.rows.map(({ note }) => note)).toEqual(["a note. Not met: a reason", ""]);
  });

  it("says when all have run, and what failed", () => {
    expect(text({ six: FREE, vm: CAGED, "vm?sessions=1": FREE })).toMatch(
      /\| – \| 1.100 × ±<0.001 \| – \| –\nAll 3 scenarios behind these figures have run.$/,
    );
    expect(text({ six: FREE, vm: CAGED }, ["vm?sessions=1"])).toMatch(
      /ratio \| – \| failed \| – \| \nAll 3 .* have run; 1 failed.$/,
    );
  });
});
