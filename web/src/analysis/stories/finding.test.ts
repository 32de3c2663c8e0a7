import { describe, expect, it } from "vitest";
import type { AnalysisInput, Values } from "../../analysis";
import { fakeCatalogue } from "../../testing/fakeCatalogue";
import { buildInput, cagedValues, textOf, uncagedValues } from "../../testing/buildInput";
import { estimate } from "../../testing/buildReport";
import { findingIn } from "../page";
import { findingOf } from "./finding";
import { howSureOf } from "./howSure";
import { signedWithWidth } from "./percent";
import { fitted } from "./rank";
import { plain, strong } from "./spans";

const uncaged = `lio 3.0M ±0.2%
  response 600 p99 195
  running 6ms 8.00
  queue 17.9ms 24.00
  node threads 8 useful 6.93 switch 1.07 slice 6 cost 802 rate 1334
  ledger capacity 8
  ledger work 5.2
  ledger siblings 2
  ledger switch_refill 0.8
  ledger run_queue - 24`;

const caged = `lio 3.3M ±0.2%
  response 580 p99 380
  running 100ms 7.29
  queue 0ms 0.00
  wait resmgr:cpu quantum | Scheduler | 340ms 24.71
  node threads 8 useful 7.23 switch 0.06 slice 100 cost 802 rate 73
  cage slots 8 empty 0.71
  ledger capacity 8
  ledger work 5.72
  ledger siblings 1.52
  ledger switch_refill 0.05
  ledger cage_empty 0.71
  ledger cage_limit - 24`;

const headline = (...args: Parameters<typeof buildInput>): string =>
  findingOf(buildInput(...args)).headline.replaceAll("\u00a0", " ");
const why = (...args: Parameters<typeof buildInput>): string => textOf(findingOf(buildInput(...args)).why);

const sweeping = (knob: string) => {
  const [preset] = fakeCatalogue.presets;
  if (preset === undefined) throw new Error("no preset");
  return { ...preset, sweep: { knob, from: 1, to: 9, step: 1 } };
};

describe("the headline", () => {
  it("names the price with the gain: what is longer for certain, and no wait that there are fewer of", () => {
    expect(headline(uncaged, caged)).toBe(
      "Caging adds 10.0 % to throughput at 32 sessions, but 1 % of transactions take 380 ms or more, not 195 ms",
    );
    // A new wait of 340 ms, where all that a transaction takes and its 99th percentile are the same or less.
    expect(headline(uncaged, caged.replace("p99 380", "p99 195"))).toBe(
      "Caging adds 10.0 % to throughput at 32 sessions",
    );
    expect(headline(uncaged, caged.replace("p99 380", "p99 120"))).toBe(
      "Caging adds 10.0 % to throughput at 32 sessions, and 1 % of transactions take 120 ms or more, not 195 ms",
    );
  });
  it("sets a percentile against a mean only where they do not go the same way", () => {
    const told = (response: number): string =>
      headline(uncaged.replace("p99 195", "p99 60"), uncaged.replace("600 p99 195", `${response} p99 40`), {
        a: { ...uncagedValues, arrivals: "open" }, b: { ...cagedValues, arrivals: "open" },
      });
    expect([told(588), told(606)]).toEqual([
      "With cpu_count 8 mean response −2.00 % ±0.01, and 1 % of transactions take 40 ms or more, not 60 ms",
      "With cpu_count 8 mean response +1.00 % ±0.01, but 1 % of transactions take 40 ms or more, not 60 ms",
    ]);
  });
  it("has one form while a hand is on a knob, and of a sketch: throughput, whatever else moved", () => {
    const lower = caged.replace("lio 3.3M", "lio 2.8M").replace("p99 380", "p99 200");
    const same = caged.replace("lio 3.3M", "lio 3.0M").replace("response 580", "response 900");
    const forms = [{ isInHand: true }, { isCoarse: true }].flatMap((how) =>
      [caged, lower, same].map((b) => headline(uncaged, b, how)),
    );
    expect(forms.slice(0, 3)).toEqual([
      "Caging: throughput +10.0 % ±<0.1 at 32 sessions", "Caging: throughput −6.67 % ±0.01 at 32 sessions",
      "Caging: no difference in throughput at 32 sessions",
    ]);
    expect(forms.slice(3)).toEqual(forms.slice(0, 3));
  });
  it("compares percentiles only where both are known well enough, and not the same within their intervals", () => {
    const told = (share: number) => {
      const input = buildInput(uncaged, caged.replace("wait resmgr:cpu quantum", "wait db file sequential read"));
      const known = (full: typeof input.fullA, half: number) =>
        full === null ? null : {
          ...full,
          report: { ...full.report, response_ms: { ...full.report.response_ms, p99_ci95: half }, waits: [] },
        };
      const [fullA, fullB] = [known(input.fullA, 1), known(input.fullB, share * 380)];
      return findingOf({ ...input, fullA, fullB }).headline.replaceAll("\u00a0", " ").split(", ")[1] ?? "";
    };
    expect(told(0.002)).toBe("but 1 % of transactions take 380 ms or more");
    expect(told(0.16)).toBe("");
  });
  it("speaks of responses where the arrivals give the throughput, also in a sketch", () => {
    const asked = { arrivals: "open", arrivals_per_s: 700 };
    const open = { a: { ...uncagedValues, ...asked }, b: { ...cagedValues, ...asked } };
    expect(headline(uncaged, caged, { ...open, isCoarse: true })).toBe(
      "Caging: mean response −3.33 % ±0.02 at 700 arrivals/s",
    );
  });
  it("turns with the figures: the same scenarios, the other way round", () => {
    const lower = caged.replace("lio 3.3M", "lio 2.8M").replace("p99 380", "p99 200").replace("work 5.72", "work 4.85")
      .replace("siblings 1.52", "siblings 2.39");
    expect(headline(uncaged, lower)).toBe(
      "Caging costs 6.7 % of throughput at 32 sessions: slots stand empty while 24.7 sessions wait",
    );
  });
  it("tells of what changes cost that part which is the cause", () => {
    const both = `${uncaged.replace("lio 3.0M", "lio 2.8M")}\n ledger switch_direct 0.2`
      .replace("switch_refill 0.8", "switch_refill 0.6");
    const none = uncaged.replace("ledger switch_refill 0.8", "").replace("switch 1.07", "switch 0");
    // 0.6 of 8 CPUs.
    expect(headline(none, both, { a: uncagedValues, b: uncagedValues })).toContain(
      ": refilling caches takes 7.5 % of the capacity",
    );
  });
  it("gives as the cause what B has more of, beside what A has of it", () => {
    const held = (threads: number, sessions: number, event: string): string =>
      `lio ${(4 - threads) / 4}M ±0.1%\n response 100\n node threads 8 useful 4\n ledger capacity 8
        ledger work ${4 - threads}\n ledger no_work 4\n ledger wait ${threads} ${sessions} ${event}`;
    const told = (was: number, is: number, event: string): string =>
      headline(held(0.1, was, event), held(1, is, event)).replace(/^.*? at 32 sessions/, "");
    const [latch, read] = ["latch: cache buffers chains", "db file scattered read"];
    expect(told(1, 4.1, latch)).toBe(": latches keep 4.1 sessions spinning or asleep, one in A");
    expect(told(0, 4.1, latch)).toBe(": latches keep 4.1 sessions spinning or asleep");
    expect(told(0.8, 1.2, read)).toBe(": 1.2 sessions in db file scattered read, 0.8 in A");
    // What holds fewer in B, or as many as far as is told, is no cause.
    for (const event of [latch, read]) expect([told(4.2, 4, event), told(4.11, 4.14, event)]).toEqual(["", ""]);
  });
  it("calls it no cost where fewer transactions are asked for, nor a gain where more are", () => {
    const asked = (a: number, b: number) => ({
      a: { ...uncagedValues, arrivals: "open", arrivals_per_s: a },
      b: { ...uncagedValues, arrivals: "open", arrivals_per_s: b }, differs: ["arrivals_per_s"],
    });
    const half = uncaged.replace("lio 3.0M", "lio 1.5M");
    expect(headline(uncaged, half, asked(1, 0.5))).toMatch(
      /^0\.5 arrivals\/s: throughput −50\.0 % ±\S+ (at|against) /,
    );
    expect(headline(half, uncaged, asked(0.5, 1))).toMatch(/^1 arrival\/s: throughput \+100 % ±\S+ against /);
  });
  it("calls it no cost and no gain where one side has sessions, the other arrivals", () => {
    const [closed, open] = ["closed", "open"].map((arrivals) => ({ ...uncagedValues, arrivals, arrivals_per_s: 5 }));
    const half = uncaged.replace("lio 3.0M", "lio 1.5M");
    const differs = ["arrivals"];
    expect(headline(uncaged, half, { a: closed!, b: open!, differs })).toMatch(
      /^5 arrivals\/s: throughput −50\.0 % ±\S+ against 32 sessions$/,
    );
    expect(headline(half, uncaged, { a: open!, b: closed!, differs })).toMatch(
      /^32 sessions: throughput \+100 % ±\S+ against 5 arrivals\/s$/,
    );
  });
  it("says so when the sign is not certain", () => {
    const noisy = uncaged.replace("lio 3.0M ±0.2%", "lio 3.01M ±3%");
    expect(headline(uncaged, noisy)).toMatch(/^No difference shown at 32 sessions: \+0\.3 % ±\d\.\d$/);
  });
  it("gives one figure for either way only where both sides round to it", () => {
    const at = (lio: string): string => uncaged.replace("3.0M ±0.2%", `${lio}M ±0.01%`);
    expect(headline(at("3.001"), at("3.0011"))).toBe("No difference at 32 sessions: either way 3.00 M LIO/s");
    expect(headline(at("3.0049"), at("3.0051"))).toMatch(/^No difference shown at 32 sessions: \+0\.01 % /);
  });
  it("gives a figure that is known less well than was asked for as about so much, however equal both sides are", () => {
    const at = (half: string, more: Partial<AnalysisInput> = {}): string => {
      const text = uncaged.replace("±0.2%", half);
      return headline(text, text, { precisionAsked: 0.03, ...more });
    };
    const level = "No difference at 32 sessions: either way 3.00 M LIO/s";
    expect([at("±2%"), at("±90%")]).toEqual([level, level.replace("3.00", "about 3.00")]);
    expect(at("±90%", { isCoarse: true })).toBe(at("±90%"));
    expect(at("±2%", { precisionAsked: 0.01 })).toBe(at("±90%"));
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
  it("knows no slowest of transactions where none has ended", () => {
    const open = { a: uncagedValues, b: { ...cagedValues, arrivals: "open" }, differs: [] };
    const { fullB, ...input } = buildInput("", "lio 1M\n response 67.7", open);
    const of = (p99: number | null): string => findingOf({
      ...input, fullB: fullB && {
        ...fullB, report: { ...fullB.report, response_ms: { ...fullB.report.response_ms, p99, ci95: null } },
      },
    }).headline.replaceAll("\u00a0", " ");
    expect(of(null)).toMatch(/: a transaction takes about 67\.7 ms$/);
    expect(of(99)).toMatch(/: a transaction takes about 67\.7 ms, 1 % of them .* or more$/);
  });

  it("speaks of response time where arrivals are open", () => {
    const open = { ...uncagedValues, arrivals: "open", arrivals_per_s: 720, os_scheduler: "fifo" };
    const a = "lio 7.2M ±0.1%\n response 20 p99 60\n running 10ms 7.2\n queue 9ms 6.5\n node threads 8 useful 7.2";
    const b = a.replace("response 20 p99 60", "response 16 p99 40");
    const options = {
      a: open, b: { ...open, os_scheduler: "CFS" }, differs: ["os_scheduler"], preset: sweeping("arrivals_per_s"),
    };
    expect(headline(a, b, options)).toBe(
      "CFS shortens transactions by 20.0 % at 720 arrivals/s; 1 % of transactions take 40 ms or more, not 60 ms",
    );
  });
  it("tells times that are known to a sixth or less with their intervals", () => {
    const { fullB: full, ...input } = buildInput("", "lio 7.2M\n response 316 p99 1820\n node threads 8", {
      b: { ...uncagedValues, arrivals: "open", arrivals_per_s: 799 }, differs: [], fullA: null,
      preset: sweeping("arrivals_per_s"),
    });
    const takes = (ci95: number | null, half: number | null) => {
      const report = { ...full!.report, response_ms: { ...full!.report.response_ms, ci95, p99_ci95: half } };
      return findingOf({ ...input, fullB: { ...full!, report } }).headline.replaceAll("\u00a0", " ");
    };
    expect(takes(304, 4000)).toBe(
      "799 arrivals/s: a transaction takes 316 ms ±96 %, 1 % of them 1.82 s ±220 % or more",
    );
    expect(takes(30, 100)).toBe("799 arrivals/s: a transaction takes 316 ms, 1 % of them 1.82 s or more");
    expect(takes(null, null)).toMatch(/takes about 316 ms, 1 % of them about 1\.82 s or more$/);
  });
  it("leaves the second clause out where two lines have no room for it", () => {
    const options = {
      preset: sweeping("logical_reads_of_a_rather_long_name"),
      b: { ...cagedValues, logical_reads_of_a_rather_long_name: 32_000 },
    };
    expect(headline(uncaged, caged, options)).toMatch(/^Caging adds 10\.0 % to throughput at [\w, ]+$/);
    expect(headline(uncaged, caged, options)).not.toContain("but");
  });
  it("is empty before the first answer", () => expect(headline(uncaged, caged, { fullB: null })).toBe(""));
});

describe("the subject of the headline", () => {
  const instances = (count: number) => {
    const [preset] = fakeCatalogue.presets;
    if (preset === undefined) throw new Error("no preset");
    return { ...preset, instances: Array.from({ length: count }, () => 1) };
  };
  type More = Parameters<typeof buildInput>[2];
  const of = (key: string, a: number | string, b: number | string, more: More = {}): string =>
    headline(uncaged, uncaged.replace("lio 3.0M", "lio 3.3M"), {
      a: { ...uncagedValues, [key]: a }, b: { ...uncagedValues, [key]: b }, differs: [key], ...more,
    }).replace(/, (?:but|and) .*/, "");
  it("counts what is counted, one or many, against what A has", () => {
    expect(of("sessions", 32, 12)).toBe("12 sessions add 10.0 % to throughput against 32 sessions");
    expect(of("sessions", 32, 1)).toBe("1 session adds 10.0 % to throughput against 32 sessions");
  });
  it("names what else differs where the sides stand at two places, and credits neither alone", () => {
    const two = (a: Values, b: Values, differs: readonly string[]): string =>
      of("sessions", 1, 12, { a: { ...uncagedValues, sessions: 1, ...a }, b: { ...cagedValues, ...b }, differs });
    const caged = { resource_manager_plan: "default", cpu_count: 4 };
    const told = "12 sessions, cpu_count 8 add 10.0 % to throughput against 1 session, cpu_count 4";
    expect(two(caged, { sessions: 12 }, ["sessions", "cpu_count"])).toBe(told);
    expect(two(caged, { sessions: 12 }, ["cpu_count", "sessions"])).toBe(told);
    expect(two(caged, { sessions: 12 }, ["rm_tick_ms", "cpu_count", "sessions"])).toBe(
      "12 sessions, rm_tick_ms 10 … add 10.0 % to throughput against 1 session, rm_tick_ms 10 …",
    );
    expect(two({}, { sessions: 12 }, ["resource_manager_plan", "cpu_count", "sessions"])).toBe(
      "12 sessions, cpu_count 8 add 10.0 % to throughput against 1 session, no cage",
    );
    expect(two(caged, { sessions: 1 }, ["cpu_count", "think_time_ms"])).toBe(
      "cpu_count 8 and think_time_ms 0 add 10.0 % to throughput at 1 session",
    );
    expect(two(caged, { sessions: 1 }, ["cpu_count", "think_time_ms", "rm_tick_ms"])).toBe(
      "cpu_count 8 … adds 10.0 % to throughput at 1 session",
    );
  });
  it("counts those of each instance", () => {
    expect(of("sessions", 32, 12, { preset: instances(2) })).toBe(
      "12 sessions an instance add 10.0 % to throughput against 32 sessions an instance",
    );
  });
  it("says words as their knob says them, else the knob's name before its value", () => {
    expect(of("os_scheduler", "CFS", "EEVDF")).toBe("EEVDF adds 10.0 % to throughput at 32 sessions");
    expect(of("class@service", "TS", "FIFO")).toBe("Class FIFO adds 10.0 % to throughput at 32 sessions");
    expect(of("affinity", "soft", "none")).toBe("No affinity adds 10.0 % to throughput at 32 sessions");
    expect(of("rm_tick_ms", 10, 20)).toBe("rm_tick_ms 20 adds 10.0 % to throughput at 32 sessions");
    expect(of("guest_sees_smt", "no", "yes")).toBe("guest_sees_smt yes adds 10.0 % to throughput at 32 sessions");
  });
});

describe("transactions that take many times as long", () => {
  it.each([
    [0.1, "make transactions 20 times as long"],
    [0.9, "make transactions 9.5 to 31 times as long"],
  ])("are told with from where to where that may be once it is hardly known: ± %s", (spread, words) => {
    const input = buildInput("lio 3M\n response 10", "lio 3M\n response 200", {
      a: { ...cagedValues, sessions: 1 }, differs: ["sessions"],
    });
    const { fullB } = input;
    if (fullB === null) throw new Error("no answer");
    const response_ms = { ...fullB.report.response_ms, ...estimate(200, spread) };
    const told = findingOf({ ...input, fullB: { ...fullB, report: { ...fullB.report, response_ms } } }).headline;
    expect(told.replaceAll("\u00a0", " ")).toContain(words);
  });
});

it("has no causes while a run goes on that does not say which way its difference goes", () => {
  const input = buildInput(uncaged, caged);
  const { fullB } = input;
  if (fullB === null) throw new Error("no answer");
  const told = (spread: number, isCoarse: boolean): string => {
    const reps = estimate(fullB.report.throughput.lio_per_s.mean, spread).reps.toReversed();
    const lio_per_s = { ...fullB.report.throughput.lio_per_s, reps };
    const throughput = { ...fullB.report.throughput, lio_per_s };
    return textOf(findingOf({ ...input, isCoarse, fullB: { ...fullB, report: { ...fullB.report, throughput } } }).why);
  };
  expect(told(0.001, true)).toContain("points");
  expect(told(0.9, true)).not.toContain("points");
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
  it("adds the causes up to the difference, and says of each how it comes about", () => {
    // 0.8 − 0.05 less refilling of 5.2 of work: 14.4 %. 0.71 idle, of which siblings make up for 2 − 1.52: 4.4 %.
    expect(why(uncaged, caged)).toBe(
      "Less refilling of caches: [+14.4 points]; time of empty slots: [−4.4]. "
        + "A busy thread changes process [every 6 ms at 802 µs each] with no cage, [every 99.9 ms at 822 µs each] "
        + "with cpu_count 8. A slot given up stands empty until the next 10 ms tick: [8.9 % of slot time].",
    );
  });
  it("gives no cause of a difference that is not shown, unless causes go both ways", () => {
    const unsure = caged.replace("3.3M ±0.2%", "3.02M ±5%").replace("response 580 p99 380", "response 600 p99 195")
      .replace("work 5.72", "work 5.235");
    expect(headline(uncaged, unsure)).toMatch(/^No difference shown at 32 sessions: \+0\.7 % /);
    expect(why(uncaged, unsure)).toContain("Less refilling of caches: [+14.4 points]; time of empty slots: [−4.4]; ");
    const fuller = unsure.replace("empty 0.71", "empty 0.00").replace("  ledger cage_empty 0.71\n", "");
    const refilled = unsure.replace("switch_refill 0.05", "switch_refill 0.8");
    expect([fuller, refilled].map((b) => why(uncaged, b)).join(" ")).not.toMatch(/points|changes process|stands empty/);
    expect(why(uncaged, fuller.replace("3.02M ±5%", "3.02M ±0.2%"))).toContain("points");
  });
  it("changes with the figures", () => {
    const slow = uncaged.replace("lio 3.0M", "lio 3.15M").replace("work 5.2", "work 5.46")
      .replace("switch_refill 0.8", "switch_refill 0.54").replace("useful 6.93 switch 1.07", "useful 7.28 switch 0.72");
    // 0.49 and 0.23 of 5.46.
    expect(why(slow, caged)).toContain("Less refilling of caches: [+9.0 points]; time of empty slots: [−4.2]. ");
    expect(why(slow, caged)).toContain("every 6 ms at 540 µs each");
  });
  it("drops a loss that is no longer there, and names what it leaves over the rest", () => {
    const tickless = caged.replace("empty 0.71", "empty 0.00").replace("  ledger cage_empty 0.71\n", "");
    expect(why(uncaged, tickless)).not.toContain("empty");
    // The ledger of such a report would not sum: 0.75 and 0.48 of 5.2 are 23.6 %, of 10 %.
    expect(why(uncaged, tickless)).toContain(
      "Less refilling of caches: [+14.4 points]; less slowing by siblings: [+9.2]; the rest: [−13.6]. ",
    );
  });
  it("counts idle threads where the cage is narrow", () => {
    const narrow = `lio 1.95M ±0.2%\n response 580 p99 380\n running 100ms 3.64\n cage slots 4 empty 0.36
      wait resmgr:cpu quantum | Scheduler | 340ms 28.36\n node threads 8 useful 3.6 switch 0.03 cost 802 rate 37
      ledger capacity 8\n ledger work 3.38\n ledger siblings 0.22\n ledger switch_refill 0.04
      ledger cage_empty 0.36\n ledger cage_limit 4 28`;
    const input = { b: { ...cagedValues, cpu_count: 4 } };
    // 4.36 idle, of which siblings make up for 1.78: 59.2 % of it lost, in 4 and 0.36 of 5.2; 0.76 less refilling.
    expect(headline(uncaged, narrow, input)).toBe(
      "Caging costs 35.0 % of throughput at 32 sessions: the cage holds 28.4 sessions back beside idle threads",
    );
    expect(why(uncaged, narrow, input)).toContain(
      "Idle time behind the cage: [−45.5 points]; less refilling of caches: [+14.6]; time of empty slots: [−4.1]. "
        + "The cage lets 4 run at once while 28.4 sessions wait: [none of 8 threads idle for that] with no cage, [4.0] "
        + "with cpu_count 4.",
    );
  });
  it("says where the capacity goes where there is no difference", () => {
    const idle = `lio 1.2M ±0.1%\n response 100\n running 100ms 2.00\n node threads 8 useful 2
      ledger capacity 8\n ledger work 2\n ledger no_work 6`;
    expect(why(idle, idle)).toBe(
      "With cpu_count 8, of eight threads’ capacity, sessions’ work is [25.0 %], idle time for lack of work "
        + "[75.0 %]. Next to nobody waits.",
    );
  });
  it("does not call threads fewer a loss that stood idle", () => {
    const many = `lio 3.0M ±0.1%\n response 100\n running 100ms 6\n node threads 16 useful 6\n ledger capacity 16
      ledger work 6\n ledger no_work 10`;
    const few = many.replace("lio 3.0M", "lio 2.5M").replace("threads 16 useful 6", "threads 5 useful 5")
      .replace("capacity 16", "capacity 5").replace("work 6", "work 5").replace("no_work 10", "no_work 0")
      + "\n ledger run_queue - 1";
    expect(why(many, few)).toMatch(/^Fewer threads: \[−16\.7 points\]\. Threads: \[16\] with no cage, \[5\] with/);
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

it("a name that ends in dots ends its sentence, too", () => {
  const spans = fitted([[[plain("94 % with "), strong("class FX of lgwr …"), plain(". Either way 3 wait. ")]],
    [[plain("Now one, then two …. ")]], [[plain("5.8 wait. ")]]]);
  expect(spans.map(({ text }) => text).join(""))
    .toBe("94 % with class FX of lgwr … Either way 3 wait. Now one, then two …; 5.8 wait.");
});

it.each([
  [-2.63, 2.58, "−2.63 % ±2.58"], [2.58, 2.63, "+2.6 % ±2.6"], [-2.6, 2.1, "−2.6 % ±2.1"],
  [0.052, 0.048, "+0.052 % ±0.048"],
])("what is certain has a shorter interval, as printed too: %f ±%f", (mean, ci95, shown) => {
  const { number, width } = signedWithWidth({ mean, ci95, pairs: 8 });
  expect(`${number} ${width}`.replaceAll("\u00a0", " ")).toBe(shown);
});

it("of several refusals the first is told, and how many more there are", () => {
  const headline = (refusal: string): string => findingIn(buildInput("lio 3.0M", "lio 3.3M", { refusal })).headline;
  expect(headline("class@session is FX")).toBe("class@session is FX");
  expect(headline("class@session is FX\nclass@lgwr is FX\nsessions is -1")).toBe("class@session is FX, and 2 more");
});

it("calls no difference equal where one side does something and the other nothing, and tells each by its own", () => {
  const idle = uncaged.replace("lio 3.0M", "lio 0");
  const input = buildInput(idle, caged);
  expect(headline(idle, caged)).toBe("With cpu_count 8 throughput is 3.30 M LIO/s; with no cage throughput is 0 LIO/s");
  expect(textOf(findingOf(input).short)).toBe("[3.30 M LIO/s] at 32 sessions");
  expect(textOf(howSureOf(input).sentence)).not.toMatch(/[Dd]ifference|equal|paired/);
  expect(headline(caged, idle)).toMatch(/ costs? 100 % of throughput/);
  expect(headline(idle, idle)).toMatch(/^No difference at 32 sessions/);
});

it("says of no instance that did nothing in A by how much it gains", () => {
  const told = (of: readonly number[]): string => {
    const input = buildInput(uncaged, caged);
    const side = (full: NonNullable<typeof input.fullA>, rates: readonly number[]): typeof full => {
      const instances = rates.map((rate) => ({ ...full.report.instances[0]!, transactions_per_s: estimate(rate) }));
      return { ...full, report: { ...full.report, instances } };
    };
    const b = of.map((rate) => Math.max(30, rate / 2));
    return textOf(findingOf({ ...input, fullA: side(input.fullA!, of), fullB: side(input.fullB!, b) }).why);
  };
  expect(told([100, 20])).toContain("Transactions of the instances: [−50 % and +50 %]");
  expect(told([0, 100, 20])).toContain("Transactions of instances 2 and 3: [−50 % and +50 %]");
  expect(told([0, 100])).not.toContain("Transactions of");
});
