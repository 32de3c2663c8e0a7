import { describe, expect, it } from "vitest";
import { builtCatalogue as catalogue } from "../engine/browserEngine";
import { xAxisOf } from "./axes";
import { sliderReach } from "./reach";
import { findKnob, type KnobValues } from "../engine";
import { compareOf, type Pair } from "./values";

const of = (preset: string, base: KnobValues = {}, ghost: KnobValues = {}): Pair => ({ preset, base, ghost });
const slider = (pair: Pair, key: string): readonly [number, number] => {
  const knob = findKnob(catalogue, key);
  if (knob === null) throw new Error(`no knob ${key}`);
  const { min, max } = sliderReach(catalogue, pair, knob, key);
  return [min, max];
};

describe("how far a slider goes", () => {
  it("is what the preset says on the preset's own host", () => {
    expect(slider(of("instance-caging-vm"), "sessions")).toEqual([1, 48]);
    expect(slider(of("instance-caging-vm"), "cpu_count")).toEqual([1, 8]);
  });
  it("follows the threads of the host", () => {
    const large = of("instance-caging-vm", { sockets: 2, cores_per_socket: 16 });
    expect(slider(large, "cpu_count")).toEqual([1, 64]);
    expect(slider(large, "sessions")).toEqual([1, 384]);
    const small = of("instance-caging-vm", { cores_per_socket: 1, cpu_count: 2 });
    expect(slider(small, "cpu_count")).toEqual([1, 2]);
    expect(slider(small, "sessions")).toEqual([1, 48]);
    expect(slider(of("cpu-queue", { cores_per_socket: 4, arrivals_per_s: 300 }), "arrivals_per_s")).toEqual([40, 390]);
  });
  it("is as long as the larger host of two asks for", () => {
    const large = slider(of("instance-caging-vm", { sockets: 4 }), "cpu_count");
    expect(slider(of("instance-caging-vm", { sockets: 4 }, { sockets: 1 }), "cpu_count")).toEqual(large);
    expect(slider(of("instance-caging-vm", {}, { sockets: 4 }), "cpu_count")).toEqual(large);
  });
  it("goes past a value that was typed, of either side", () => {
    expect(slider(of("instance-caging-vm", { sessions: 300 }), "sessions")).toEqual([1, 500]);
    expect(slider(of("instance-caging-vm", {}, { sessions: 90 }), "sessions")).toEqual([1, 100]);
    expect(slider(of("instance-caging-vm", { sessions: 100_000 }), "sessions")).toEqual([1, 100_000]);
    expect(slider(of("instance-caging-vm", { sessions: 0 }), "sessions")).toEqual([0, 48]);
  });
});

describe("an axis on which nothing would change", () => {
  const axis = (preset: string, base: KnobValues, x: string | null = null, ghost: KnobValues = {}) => {
    const { knob, from, to, grid } = xAxisOf(catalogue, of(preset, base, ghost), x);
    return { knob, ends: [from, to], points: grid.length };
  };
  it("is of the load that acts, about where that stands", () => {
    const open = axis("instance-caging-vm", { arrivals: "open", arrivals_per_s: 30 });
    expect(open).toEqual({ knob: "arrivals_per_s", ends: [2, 45], points: 23 });
    expect(axis("instance-caging-vm", { arrivals: "messages", message_groups: 2 })).toEqual({
      knob: "message_groups", ends: [1, 6], points: 6,
    });
    expect(axis("cpu-queue", { arrivals: "closed" })).toMatchObject({ knob: "sessions", ends: [1, 48] });
    expect(axis("slow-redo-device", { workload: "logical_reads" }).knob).toBe("arrivals_per_s");
  });
  it("is the preset's own where that acts on either side, and the reader's own choice", () => {
    for (const preset of catalogue.presets)
      expect(axis(preset.id, {}, null, compareOf(catalogue, preset)).knob).toBe(preset.sweep.knob);
    const closed = { arrivals: "closed" };
    expect(axis("instance-caging-vm", { arrivals: "open", arrivals_per_s: 9 }, null, closed).knob).toBe("sessions");
    expect(axis("instance-caging-vm", { arrivals: "open" }, "sessions").knob).toBe("sessions");
    expect(axis("instance-caging-vm", { arrivals: "open" }, "think_time_ms").knob).toBe("think_time_ms");
  });
});

describe("the axis of a sweep", () => {
  const apart = (grid: readonly number[]): number =>
    Math.max(...grid.slice(1).flatMap((x, i) => (x - (grid[i] ?? 0) > 1 ? [x / (grid[i] ?? 1)] : [])));

  it("has neighbours that are 1 or at most an eighth apart, up to past what is in force", () => {
    for (const sessions of [20, 48, 49, 300]) {
      const pair = of("instance-caging-vm", { sockets: 2, cores_per_socket: 16, sessions });
      const { grid, to, scale } = xAxisOf(catalogue, pair, null);
      expect([to, scale]).toEqual([384, "linear"]);
      expect(apart(grid)).toBeLessThanOrEqual(1.12);
      expect(grid).toContain(64);
      expect([grid[0], grid.at(-1)]).toEqual([1, 384]);
    }
  });
  it("runs in decades where it goes very far, with no more points than a chart can wait for", () => {
    const { grid, scale } = xAxisOf(catalogue, of("instance-caging-vm", { sessions: 10_000 }), null);
    expect(scale).toBe("log");
    expect(grid.length).toBeLessThanOrEqual(49);
    expect(apart(grid)).toBeLessThanOrEqual(1.24);
  });
  it("keeps its ends under the hand that moves along it", () => {
    const before = of("instance-caging-vm", { sessions: 300 });
    const now = of("instance-caging-vm", { sessions: 40 });
    expect(xAxisOf(catalogue, now, null, before).to).toBe(500);
    expect(xAxisOf(catalogue, now, null).to).toBe(48);
  });
});
