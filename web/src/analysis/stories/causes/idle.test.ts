import { expect, it } from "vitest";
import { buildInput, cagedValues } from "../../../testing/buildInput";
import type { Values } from "../../read/input";
import type { Part } from "../../sides/ledger";
import { throttled } from "./idle";

/** What the limit is called where B says so and A nothing. */
function nounOf(b: Values): string {
  const input = buildInput("lio 3M", "lio 2M", { a: cagedValues, b: { ...cagedValues, ...b } });
  const part: Part = {
    cause: "throttled", node: null, points: -30, ci95: 1, before: 0, now: 3, eased: 1, isOfUnlike: false,
  };
  return throttled.noun({ input, a: input.fullA!.report, b: input.fullB!.report, part });
}

it("calls a limit by what the scenario has: a quota of an instance or of a kind, a class of real time, neither", () => {
  const kind = { "kind_cpu_weight@session": 100, "kind_cpu_max_quota_ms@session": 400 };
  expect(nounOf(kind)).toBe("idle time from cpu.max");
  expect(nounOf({ cgroup: "own", cpu_max_quota_ms: 300 })).toBe("idle time from cpu.max");
  expect(nounOf({ cgroup: "own", "cpu_max_quota_ms@instance2": 9 })).toBe("idle time from cpu.max");
  expect(nounOf({ "class@session": "FIFO" })).toBe("idle time from the limit of real time");
  expect(nounOf({ ...kind, "class@lgwr": "RR" })).toBe("idle time from cpu.max or the limit of real time");
  // A quota acts in a group alone.
  expect(nounOf({ cpu_max_quota_ms: 300, "kind_cpu_max_quota_ms@session": 400 })).toBe("idle time from CPU limits");
});
