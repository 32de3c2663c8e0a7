import { describe, expect, it } from "vitest";
import type { PointAnswer } from "../../engine";
import { buildInput, pointOf } from "../../testing/buildInput";
import { pageOf } from "../page";
import type { AnalysisInput } from "../read/input";
import { curveTitle } from "./curveTitle";

const switches = { id: "switches_per_s", title: "Context switches", unit: "1/s", better: "down" } as const;

type Points = NonNullable<AnalysisInput["curveB"]>["fine"];

const points = (means: readonly number[], ci95: number | null = null): Points =>
  new Map(means.map((mean, i) => [i + 1, { ...pointOf(1e6), metric: { mean, ci95, reps: [] } } satisfies PointAnswer]));

const none: Points = new Map();

function title(coarse: Points, fine: Points, more: Partial<AnalysisInput> = {}): string {
  const grid = [1, 2, 3, 4];
  const xAxis = { knob: "sessions", words: null, from: 1, to: 4, scale: "linear", grid } as const;
  const input = buildInput("", "", { metric: switches, curveB: { coarse, fine }, differs: [], xAxis, ...more });
  const stage = { kind: "settled", precision: 0.01, asked: 0.03 } as const;
  return curveTitle(input, pageOf(input).curve, stage).replaceAll("\u00a0", " ");
}

describe("the title of a curve of which a part is a sketch, or missing, though nothing goes on", () => {
  const [all, part] = [points([122, 244, 244, 244]), points([244, 244])];
  it("tells no shape, of either side, until all is there", () => {
    expect(title(all, part)).toBe("Switches");
    expect(title(none, part)).toBe("Switches");
    expect(title(none, all, { curveA: { coarse: all, fine: part } })).toBe("Switches");
    expect(title(all, all)).toBe("Switches grow ×2");
  });
  it("does not wait for points that will not come, of which there may be a sketch", () => {
    expect(title(none, part, { areCurvesOver: true })).toBe("Switches stay near 244 a second up to 2 sessions");
    expect(title(all, part, { areCurvesOver: true })).toBe("Switches stay near 244 a second up to 4 sessions");
  });
  it("tells what is known at the handle", () => {
    expect(title(all, points([244, 244], 12), { xHandle: 1 })).toBe("Switches about 244 a second ±5 %");
    expect(title(all, points([244, 244], 240), { xHandle: 1 })).toBe("Switches about 244 a second ±98 %");
  });
  it("has no figure for what is not known to be more than none", () => {
    expect(title(all, points([1349, 1349], 1357), { xHandle: 1 })).toBe("Switches");
    expect(title(none, points([40, 44, 42, 41], 45))).toBe("Switches: no change shown up to 4 sessions");
  });
});

it("says of no figure that it stays whose intervals are wider than that", () => {
  const of = (ci95: number, means: readonly number[]) => title(none, points(means, ci95));
  expect(of(1, [40, 40, 40, 40])).toBe("Switches stay near 40 a second up to 4 sessions");
  expect(of(12, [40, 46, 48, 44])).toBe("Switches: no change shown up to 4 sessions, about 44 a second");
  expect(of(12, [40, 42, 52, 44])).toBe("Switches: no change shown up to 4 sessions, about 44 a second");
  expect(of(12, [40, 42, 48, 90])).toBe("Switches grow ×2.3, nearly all past 2 sessions");
});

it("says where a curve ends, too, where points that were not reached lie before those without bound", () => {
  const metric = { id: "service_p99_ms", title: "Answers of the server, p99", unit: "ms", better: "down" } as const;
  type Row = readonly [mean: number, kind: "reached" | "cut" | "endless"];
  const of = (...rows: readonly Row[]) => title(none, new Map(
    rows.map(([mean, kind], i) => [i + 1, {
      ...pointOf(1e6), precision: kind === "endless" ? 0.004 : 0.02, truncated: kind === "cut",
      metric: { mean, ci95: 0.02 * mean, reps: [mean, mean] },
    } satisfies PointAnswer]),
  ), { metric });
  expect(of([4, "reached"], [8, "reached"], [36, "cut"], [4000, "endless"])).toBe(
    "Answer p99 grows ×2 by 2 sessions, without bound from 4 sessions",
  );
  expect(of([4, "reached"], [8, "reached"], [4000, "endless"], [4000, "endless"])).toBe(
    "Answer p99 grows ×2, without bound from 3 sessions",
  );
});
