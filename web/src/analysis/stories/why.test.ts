/** Which parts of a difference are named as its causes. */
import { expect, it } from "vitest";
import { answerOf, buildInput, textOf } from "../../testing/buildInput";
import type { AnalysisInput } from "../read/input";
import { whyOf } from "./why";

/** Sixteen threads of two hosts; of the second's, switching takes so many, in each start otherwise. */
function sideOf(lio: string, switching: readonly number[]): NonNullable<AnalysisInput["fullA"]> {
  const full = answerOf(`lio ${lio}\n ledger capacity 8\n ledger work 6\n ledger no_work 2`);
  const { report } = full;
  const [host, instance] = [report.nodes[0]!, report.instances[0]!];
  const mean = switching.reduce((sum, one) => sum + one, 0) / switching.length;
  const other = report.ledger.map((row) => ({ ...row, node: 2, instance: row.instance === null ? null : 2 }));
  const threads = { mean, ci95: null, reps: [...switching] };
  const work = other.find(({ cause }) => cause === "work")!;
  const ledger = [...report.ledger, ...other, { ...work, cause: "switch_direct", threads, processes: threads }];
  return { ...full, report: { ...report, nodes: [host, host], instances: [instance, instance], ledger } };
}

function whyOfHosts(ofB: readonly number[]): string {
  const { preset, ...input } = buildInput("", "");
  const fullA = sideOf("3M ±1%", ofB.map(() => 0.4));
  return textOf(whyOf({
    ...input, preset: { ...preset, nodes: 2, instances: [1, 2] }, fullA, fullB: sideOf("3M ±1.2%", ofB),
  }));
}

it("names what one of several hosts does otherwise where it is twice its interval: there are many such parts", () => {
  // More by 0.8 ±0.53 of 8 threads, and by 1.6 ±0.53.
  const scattered = (more: number) => [-0.9, 0.9, -0.6, 0.6, 0, 0.3, -0.3, 0].map((off) => 0.4 + more + off);
  expect(whyOfHosts(scattered(0.8))).not.toContain("switching on host 2");
  expect(whyOfHosts(scattered(1.6))).toContain("ore switching on host 2");
});
