import { expect, it } from "vitest";
import { buildInput, cagedValues } from "../../testing/buildInput";
import { placeHere, threadsText } from "./names";

it("counts threads, one of them in a word", () => {
  expect([1, 2, 1024].map(threadsText)).toEqual(["one thread", "2 threads", "1,024 threads"]);
});

it("says where a scenario stands by the load that acts, whatever its preset sweeps", () => {
  const input = buildInput("", "");
  const at = (knob: string, arrivals: string) => {
    const b = { ...cagedValues, arrivals, arrivals_per_s: 720, message_groups: 4 };
    const preset = { ...input.preset, sweep: { ...input.preset.sweep, knob } };
    return placeHere({ ...input, preset, b }).replaceAll("\u00a0", " ");
  };
  expect(["closed", "open", "messages", "batch"].map((arrivals) => at("message_groups", arrivals))).toEqual([
    "32 sessions", "720 arrivals/s", "message_groups 4", "32 sessions",
  ]);
  expect(at("sessions", "open")).toBe("720 arrivals/s");
  expect(at("arrivals_per_s", "closed")).toBe("32 sessions");
  expect(at("cpu_count", "open")).toBe("cpu_count 8");
});
