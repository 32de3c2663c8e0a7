/** Who waits where everybody has a share of a thread. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { loadWasm } from "../../engine/loadWasm";
import { buildInput, textOf } from "../../testing/buildInput";
import { estimate } from "../../testing/buildReport";
import { simulatedInput } from "../../testing/simulatedInput";
import { findingOf } from "./finding";
import { crowdOf, waitersOf } from "./crowd";

const module = await loadWasm(readFileSync(new URL("../../engine/wasm/sim_bg.wasm", import.meta.url)));

const simulated = (link: string) => {
  const input = simulatedInput(module, link);
  if (input === null || input.fullB === null) throw new Error(link);
  return { why: textOf(findingOf(input).why), report: input.fullB.report };
};

it("nobody stands in a run queue under processor sharing: others have the threads", () => {
  const { why } = simulated("v1/cpu-queue");
  expect(why).toContain("time that others have the threads");
  expect(why).not.toContain("run queue");
  const { report } = simulated("v1/cpu-queue?os_scheduler=processor_sharing&a.os_scheduler=round_robin");
  expect(waitersOf(report)).toBe("all that are ready share the threads");
});

it("where threads are had whole the rest is in the run queue", () => {
  const { why } = simulated("v1/cpu-queue?os_scheduler=round_robin&a.os_scheduler=fifo");
  expect(why).toContain("time in the run queue");
  expect(why).not.toContain("others have");
});

it("either way is said of one number that both sides have, and most of more than half on both", () => {
  const side = (queue: number, sync: number): string => `lio 3.0M
    running 6ms 8\n queue 18ms ${queue}\n wait log file sync | Commit | 1ms ${sync}\n node threads 8 useful 6`;
  const crowd = (...sides: readonly (readonly [number, number])[]): string => {
    const input = buildInput(...(sides.map(([queue, sync]) => side(queue, sync)) as [string, string]));
    return textOf(crowdOf(input, input.fullA!.report, input.fullB!.report));
  };
  expect(crowd([20, 3.2], [20, 3.2])).toBe("Either way 23.2 sessions wait (most in the run queue). ");
  // Alike within two in a hundred is not the same.
  expect(crowd([20, 3.2], [20, 3.6])).toBe(
    "23.2 sessions wait (most in the run queue) with no cage, 23.6 with cpu_count 8. ",
  );
  expect(crowd([20, 3.6], [11.84, 11.76])).toBe(
    "23.6 sessions wait (most in the run queue) with no cage, 23.6 in several places with cpu_count 8. ",
  );
  const idle = `${side(20, 3.2)}\n wait PX Deq: Execute Reply | Idle | 5ms 40`;
  expect(waitersOf(buildInput(idle, idle).fullB!.report)).toBe("23.2 sessions wait (most in the run queue)");
  // The database counts 19 of the 20 with the wait before, and so does the table of events.
  const after = buildInput(side(20, 3.2), side(20, 3.2)).fullB!.report;
  const clocked = (queued: number) => ({
    ...after,
    on_cpu: after.on_cpu.map((row) => (row.state === "run queue" ? { ...row, clocked_aas: estimate(queued) } : row)),
    waits: after.waits.map((row) => ({ ...row, clocked_aas: estimate(row.aas.mean + 20 - queued) })),
  });
  expect(waitersOf(clocked(1))).toBe("23.2 sessions wait (most in the run queue after log file sync)");
  expect(waitersOf(clocked(19))).toBe("23.2 sessions wait (most in the run queue)");
  // Of all 24.0 one waits elsewhere.
  expect(crowd([24, 0.02], [22.99, 1.01])).toBe(
    "24.0 sessions wait in the run queue with no cage, 24.0 (most in the run queue) with cpu_count 8. ",
  );
});
