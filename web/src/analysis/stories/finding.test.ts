import { describe, expect, it } from "vitest";
import { fakeCatalogue } from "../../testing/fakeCatalogue";
import { buildInput, cagedValues, textOf, uncagedValues } from "../../testing/buildInput";
import { findingOf, signedWithWidth } from "./finding";

const uncaged = `lio 3.0M ±0.2%
  response 600 p99 195
  running 6ms 8.00
  queue 17.9ms 24.00
  node threads 8 useful 6.9 switch 1.07 slice 6 cost 802 rate 1300`;

const caged = `lio 3.3M ±0.2%
  response 580 p99 380
  running 100ms 7.29
  queue 0ms 0.00
  wait resmgr:cpu quantum | Scheduler | 340ms 24.71
  node threads 8 useful 7.2 switch 0.06 slice 100 cost 802 rate 73
  cage slots 8 empty 0.71`;

const headline = (...args: Parameters<typeof buildInput>): string =>
  findingOf(buildInput(...args)).headline.replaceAll("\u00a0", " ");
const why = (...args: Parameters<typeof buildInput>): string => textOf(findingOf(buildInput(...args)).why);

const sweeping = (knob: string) => {
  const [preset] = fakeCatalogue.presets;
  if (preset === undefined) throw new Error("no preset");
  return { ...preset, sweep: { knob, from: 1, to: 9, step: 1 } };
};

describe("the headline", () => {
  it("names the price with the gain", () => {
    expect(headline(uncaged, caged)).toBe(
      "Caging gives 10.0 % more throughput at 32 sessions, but every fifth transaction now waits 340 ms",
    );
  });
  it("turns with the figures: the same scenarios, the other way round", () => {
    const lower = caged.replace("lio 3.3M", "lio 2.8M").replace("p99 380", "p99 200");
    expect(headline(uncaged, lower)).toBe(
      "Caging costs 6.7 % of throughput at 32 sessions: slots stand empty while 25 sessions wait",
    );
  });
  it("says so when the sign is not certain", () => {
    const noisy = uncaged.replace("lio 3.0M ±0.2%", "lio 3.01M ±3%");
    expect(headline(uncaged, noisy)).toMatch(/^No difference shown at 32 sessions: \+0\.3 % ±\d\.\d$/);
  });
  it("does not compare what was hardly run", () => {
    const input = buildInput(uncaged, caged);
    const once = (full: typeof input.fullB) => {
      if (full === null) throw new Error("no answer");
      const lio = { ...full.report.throughput.lio_per_s, reps: [3e6] };
      return { ...full, report: { ...full.report, throughput: { ...full.report.throughput, lio_per_s: lio } } };
    };
    const hardly = { ...input, fullA: once(input.fullA), fullB: once(input.fullB) };
    expect(findingOf(hardly).headline).toMatch(/^Too little was run to compare at 32.sessions/);
  });
  it("gives one figure where both sides are one scenario", () => {
    expect(headline(uncaged, caged, { differs: [] })).toBe(
      "32 sessions at 3.30 M LIO/s: 24.7 sessions wait at any moment",
    );
  });
  it("speaks of response time where arrivals are open", () => {
    const open = { ...uncagedValues, arrivals: "open", arrivals_per_s: 720, os_scheduler: "fifo" };
    const a = "lio 7.2M ±0.1%\n response 20 p99 60\n running 10ms 7.2\n queue 9ms 6.5\n node threads 8 useful 7.2";
    const b = a.replace("response 20 p99 60", "response 16 p99 40");
    const options = {
      a: open, b: { ...open, os_scheduler: "CFS" }, differs: ["os_scheduler"], preset: sweeping("arrivals_per_s"),
    };
    expect(headline(a, b, options)).toBe(
      "CFS shortens transactions by 20.0 % at 720 arrivals/s; the slowest 1 % of transactions take 40 ms, not 60 ms",
    );
  });
  it("leaves the second clause out where two lines have no room for it", () => {
    const options = {
      preset: sweeping("logical_reads_of_a_long_name"), b: { ...cagedValues, logical_reads_of_a_long_name: 32_000 },
    };
    expect(headline(uncaged, caged, options)).toMatch(/^Caging gives 10\.0 % more throughput at [\w, ]+$/);
    expect(headline(uncaged, caged, options)).not.toContain("but");
  });
  it("is empty before the first answer", () => expect(headline(uncaged, caged, { fullB: null })).toBe(""));
});

describe("two runs without any difference", () => {
  it("are called equal, without an interval", () => {
    expect(signedWithWidth({ mean: 0, ci95: 0, pairs: 8 })).toEqual({ number: "equal", width: "" });
    expect(signedWithWidth({ mean: 1e-14, ci95: 3e-15, pairs: 8 }).number).toBe("equal");
    expect(signedWithWidth({ mean: 0, ci95: 0.2, pairs: 8 }).width).toBe("±0.2");
    expect(signedWithWidth({ mean: 0, ci95: null, pairs: 1 }).number).not.toBe("equal");
  });
});

describe("why", () => {
  it("tells what each side loses, from its own accounts", () => {
    expect(why(uncaged, caged)).toBe(
      "Either way some 24 sessions wait for eight threads. Linux changes session every 6 ms, and each change costs "
        + "802 µs: [13.4 % lost]. "
        + "The cage changes every 100 ms, then leaves the slot empty until the next 10 ms tick: [8.9 % of slot time "
        + "lost].",
    );
  });
  it("changes with the figures", () => {
    const slow = uncaged
      .replace("running 6ms", "running 12ms")
      .replace("switch 1.07 slice 6 cost 802", "switch 0.4 slice 12 cost 600");
    expect(why(slow, caged)).toContain("every 12 ms, and each change costs 600 µs: [5.0 % lost]");
  });
  it("drops a loss that is no longer there", () => {
    const tickless = caged.replace("empty 0.71", "empty 0.00");
    expect(why(uncaged, tickless)).not.toContain("slot empty");
    expect(why(uncaged, tickless)).toContain("[13.4 % lost]");
  });
  it("counts idle threads where the cage is narrow", () => {
    const narrow = caged
      .replace("slots 8 empty 0.71", "slots 4 empty 0.36")
      .replace("useful 7.2 switch 0.06", "useful 3.6 switch 0.03");
    expect(why(uncaged, narrow, { b: { ...cagedValues, cpu_count: 4 } })).toContain(
      "The cage lets 4 run at once: [4.4 of 8 threads idle].",
    );
  });
  it("falls back on what the threads did where nothing is lost", () => {
    const idle =
      "lio 1.2M ±0.1%\n response 100\n running 100ms 2.00\n queue 0ms 0.00\n node threads 8 useful 2 switch 0 slice "
        + "100";
    expect(why(idle, idle)).toBe(
      "32 sessions on eight threads: next to nobody waits. With no cage 2.00 of 8 threads are busy, [2.00 with useful "
        + "work]. "
        + "With cpu_count 8 2.00 of 8 threads are busy, [2.00 with useful work].",
    );
  });
  it("never takes more than 260 characters", () => {
    const both = {
      a: cagedValues, b: { ...cagedValues, rm_tick_ms: 20, rm_quantum_ms: 150 },
      differs: ["rm_tick_ms", "rm_quantum_ms"],
    };
    for (const [a, b] of [
      [uncaged, caged], [caged, uncaged], [caged, caged.replace("empty 0.71", "empty 1.4")],
    ] as const) {
      expect(why(a, b, both).replaceAll(/[[\]]/g, "").length).toBeLessThanOrEqual(260);
    }
  });
});
