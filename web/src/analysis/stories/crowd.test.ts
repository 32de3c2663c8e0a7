/** Who waits where everybody has a share of a thread. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { loadWasm } from "../../engine/loadWasm";
import { textOf } from "../../testing/buildInput";
import { simulatedInput } from "../../testing/simulatedInput";
import { findingOf } from "./finding";
import { waitersOf } from "./crowd";

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
