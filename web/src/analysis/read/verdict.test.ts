import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Est } from "../../engine";
import { judge, ratioOf, type Judged } from "./verdict";

interface Case extends Omit<Judged, "tolerance"> {
  readonly what: string;
  readonly within: number | null;
  readonly simulated: number;
  readonly ci95: number | null;
  readonly verdict: string | null;
  readonly met: boolean | null;
}

interface RatioCase {
  readonly what: string;
  readonly a: Est;
  readonly b: Est;
  readonly ratio: number | null;
  readonly half: number | null;
}

const shared = new URL("../../../../sim-wasm/crates/scenario/src/figures/cases.json", import.meta.url);
const { verdicts, ratios } = JSON.parse(readFileSync(shared, "utf8")) as {
  verdicts: readonly Case[];
  ratios: readonly RatioCase[];
};

const rounded = (value: number | null | undefined): string => value?.toFixed(9) ?? "none";

describe("what may be said of a figure, as in the simulation", () => {
  it.each(verdicts)("$what", ({ within, simulated, ci95, verdict, met, ...figure }) => {
    const judged = { ...figure, tolerance: within === null ? null : { within, reason: "" } };
    expect(judge(judged, { value: simulated, ci95 })).toEqual({ verdict, isMet: met });
  });

  it.each(ratios)("$what", ({ a, b, ratio, half }) => {
    const found = ratioOf(a, b);
    expect([rounded(found?.value), rounded(found?.ci95)]).toEqual([rounded(ratio), rounded(half)]);
  });
});
