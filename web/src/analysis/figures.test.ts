import { describe, expect, it } from "vitest";
import type { PublishedFigure, Report } from "../engine";
import { buildReport } from "../testing/buildReport";
import { figureQueries, figureTable, readFigure } from "./figures";

const CAGED = buildReport(`
  lio 3.3M ±1%
  wait latch: cache buffers chains | Concurrency | 1ms 0.10
  wait resmgr:cpu quantum | Scheduler | 340ms 24.71
  node threads 8 useful 6.5 switch 0.25 spin 0.25`).report;
const FREE = buildReport(`
  lio 3M ±1%
  running 6.8ms 7.29`).report;

function figure(reading: PublishedFigure["reading"], more: Partial<PublishedFigure> = {}): PublishedFigure {
  const against = reading === "lio_against" || reading === "lio_ratio" ? "vm?sessions=1" : null;
  return { id: reading, what: reading, value: null, unit: "ms", role: "prediction", query: "vm", against, reading, note: "", ...more };
}

function withReps(lio: readonly number[]): Report {
  const mean = lio.reduce((sum, rep) => sum + rep, 0) / lio.length;
  const { throughput } = FREE;
  return { ...FREE, throughput: { ...throughput, lio_per_s: { mean, ci95: 1, reps: [...lio] } } };
}

describe("how a figure is read", () => {
  it("takes each of the eight from its own place in the report", () => {
    const readings = [
      "lio_millions", "quantum_wait", "quantum_share", "quantum_waits", "longest_quantum_wait", "cpus_used", "lio_against", "lio_ratio",
    ] as const;
    const rows = readings.map((reading) => {
      const { simulated, ci95 } = readFigure(figure(reading), CAGED, FREE);
      return `${reading} ${simulated?.toFixed(3)} ±${ci95?.toFixed(3) ?? ""}`;
    });
    expect(rows).toEqual([
      "lio_millions 3.300 ±0.033",
      "quantum_wait 340.000 ±3.400",
      "quantum_share 10.000 ±",
      "quantum_waits 625.000 ±",
      "longest_quantum_wait 1.020 ±",
      "cpus_used 7.000 ±",
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

  it("gives the error against what was published, and none where nothing was", () => {
    expect(readFigure(figure("quantum_wait", { value: 300 }), CAGED, null).errorPct).toBeCloseTo(13.333, 3);
    expect(readFigure(figure("lio_against", { value: -10.4 }), FREE, CAGED).errorPct).toBeNull();
    expect(readFigure(figure("quantum_wait"), CAGED, null).errorPct).toBeNull();
  });

  it("has no value where the run has no such wait, or nothing to compare with", () => {
    const none = { simulated: null, ci95: null, errorPct: null };
    expect(readFigure(figure("longest_quantum_wait", { value: 4 }), FREE, null)).toEqual(none);
    expect(readFigure(figure("lio_against", { value: 4 }), FREE, null)).toEqual(none);
  });
});

describe("the table of figures", () => {
  const figures = [
    figure("quantum_wait", { value: 300, what: "wait" }),
    figure("lio_ratio", { unit: "×", what: "ratio" }),
    figure("lio_millions", { value: 3.6, unit: "M LIO/s", what: "nine", query: "six" }),
  ];
  const presets = [{ id: "vm", title: "VM" }, { id: "plain", title: "Plain" }, { id: "six", title: "Six" }];
  const text = (reports: Readonly<Record<string, Report>>, failed: readonly string[] = []): string => {
    const table = figureTable(figures, presets, "six", { reports: new Map(Object.entries(reports)), failed: new Set(failed) }, new Set(["six", "vm"]));
    const rows = table.groups.flatMap(({ title, rows: own }) => [
      title, ...own.map((row) => `  ${row.what} | ${row.published} | ${[row.simulated, row.halfWidth].join(" ").trim()} | ${row.error}`),
    ]);
    return [...rows, table.ended].join("\n").replaceAll("\u00a0", " ");
  };

  it("names each scenario once, the present preset's first", () => {
    expect(figureQueries(figures, presets, "six", new Set(["six", "vm"]))).toEqual(["six", "vm", "vm?sessions=1"]);
  });

  it("says what is running, and what is in", () => {
    expect(text({ six: FREE, vm: CAGED })).toBe(`Six
  nine | 3.6 M LIO/s | 3.000 M LIO/s ±0.030 | −16.7 %
VM
  wait | 300 ms | 340.0 ms ±3.4 | +13.3 %
  ratio | – | running | 
`);
  });

  it("says when all have run, and what failed", () => {
    expect(text({ six: FREE, vm: CAGED, "vm?sessions=1": FREE })).toMatch(/\| – \| 1.100 × ±<0.001 \| –\nAll 3 scenarios behind these figures have run.$/);
    expect(text({ six: FREE, vm: CAGED }, ["vm?sessions=1"])).toMatch(/ratio \| – \| failed \| –\nAll 3 .* have run; 1 failed.$/);
  });
});
