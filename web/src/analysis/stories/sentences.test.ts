/**
 * Every number of every sentence, worked out anew from the rows of the reports, for random pairs of scenarios. A
 * sentence that no pattern here knows is a fault, so nothing is told that is not checked.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Report } from "../../engine";
import { loadWasm } from "../../engine/loadWasm";
import { redoPatterns } from "../../testing/redoPatterns";
import { serverPatterns } from "../../testing/serverPatterns";
import { randomPairs, unsureOf, type RandomPair } from "../../testing/randomPairs";
import {
  capacity, changes, clockedOver, countOf, crowd, held, idle, lio, msOf, oneDecimal, paired, pairedThroughput,
  percentOrNone, plain, rate, rowsOf, sessions, sum, threads, waiting, waitingOn, type Row,
} from "../../testing/reportFacts";
import { formatFixed, formatMs, formatPercent, formatShort, formatSignedPercent } from "../../units";
import { countWord, namesOf } from "../read/names";
import { findingOf } from "./finding";
import { howSureOf } from "./howSure";

/** Cages that are full; all, where none is. */
function holding(all: Report["instances"]): Report["instances"] {
  const full = all.filter((row) => row.slots === null || (row.slot_utilisation ?? 1) > 0.9);
  return full.some((row) => row.slots !== null) ? full : all;
}

const module = await loadWasm(readFileSync(new URL("../../engine/wasm/sim_bg.wasm", import.meta.url)));
const pairs = [...randomPairs(module, 7, 60, 60_000), ...randomPairs(module, 11, 30, 60_000, "redo")];

interface Case extends RandomPair {
  readonly a: Report;
  readonly b: Report;
}

type Check = (found: readonly string[], one: Case) => void;

const hostIn = (text: string | undefined): number | null => {
  const digits = /host (\d+)/.exec(text ?? "")?.[1];
  return digits === undefined ? null : Number(digits);
};
const manyThreads = (count: number): string => (count === 1 ? "one" : formatShort(count));
const isSession = ({ kind }: Row): boolean => kind === "session";

/** Of slot time, what stands empty while somebody waits. */
function emptyPercent({ b, input }: Case, host: number | null): string {
  const { instances } = input.preset;
  const caged = b.instances.filter((row, i) => row.slots !== null && (host ?? instances[i]) === instances[i]);
  const all = (read: (row: Report["instances"][number]) => number): number => sum(caged.map(read));
  return plain(formatPercent((100 * all((row) => row.slots_empty ?? 0)) / all((row) => row.slots ?? 0)));
}

/** That all who are printed wait there, or most; or that nowhere most do. */
function expectPlace(report: Report, words: string | undefined): void {
  if (words === undefined || words === "") return;
  const [, most, at] = /^ (\(most )?in (.+?)\)?$/.exec(words) ?? [];
  const queue = report.aas.find((row) => row.class === "run queue")?.mean;
  const inEvents = report.waits.filter(({ process_kind: kind }) => kind === "session").map(({ aas }) => aas.mean);
  const own = at === "several places" ? waiting(report) - Math.max(queue ?? 0, ...inEvents)
    : /^the run queue( after .+)?$/.test(at ?? "") ? queue : report.waits.find(({ event }) => event === at)?.aas.mean;
  if (most === undefined && at !== "several places") expect(sessions(own ?? 0)).toBe(sessions(waiting(report)));
  expect((own ?? 0) / waiting(report)).toBeGreaterThan(at === "several places" ? 0.494999 : 0.505);
}
const limit = (row: Row): boolean => row.cause === "cage_limit";
const caging = (row: Row): boolean => limit(row) || row.cause === "cage_empty";

const causeOfIdle: Readonly<Record<string, string>> = {
  "while others have a queue": "balance", "where ready processes may not run": "binding", "for cpu.max": "throttled",
  "for the limit of real time": "throttled", "for cpu.max or the limit of real time": "throttled",
  "for CPU limits": "throttled", "for lack of work": "no_work", "beside empty slots": "cage_empty",
};

const how: readonly (readonly [string, Check])[] = [
  [
    "Of (the|host \\d+’s) capacity, (.+?) takes ([^,]*none|[\\d.,]+ %) with {A}, ([^,]*none|[\\d.,]+ %) with {B}\\.",
    ([, whose, noun, was, is], { a, b }) => {
      const host = hostIn(whose);
      const share = (report: Report): string =>
        percentOrNone((100 * threads(report, rowsOf(noun!), host)) / capacity(report, host));
      expect([was, is]).toEqual([share(a), share(b)]);
    },
  ],
  [
    "Idle ([^:]+?)( on host \\d+)?: (\\S+) of (\\S+) threads? with {A}, (\\S+)(?: of (\\S+) threads?)? with {B}\\.",
    ([, why, where, was, ofA, is, ofB], { a, b }) => {
      const [host, cause] = [hostIn(where), causeOfIdle[why!]];
      expect(cause).toBeDefined();
      const none = (report: Report): string => oneDecimal(idle(report, (row) => row.cause === cause, host));
      const all = (report: Report): string => manyThreads(countOf(report, host));
      expect([was, ofA, is, ofB ?? ofA]).toEqual([none(a), all(a), none(b), all(b)]);
    },
  ],
  [
    "A busy thread( on host \\d+)? changes process (.+?) with {A}, (.+?) with {B}\\.",
    ([, where, was, is], { a, b }) =>
      expect([was, is]).toEqual([changes(a, hostIn(where)), changes(b, hostIn(where))]),
  ],
  [
    "Processes change (last-level cache|core) (.+?) with {A}, (.+?) with {B}\\.",
    ([, what, was, is], { a, b }) => expect([was, is]).toEqual([rate(a, what!), rate(b, what!)]),
  ],
  [
    "(?:The cage|Cages)(?: of instance \\d+)?( on host \\d+)? lets? (\\S+) run at once while (.+?) waits?: "
      + "(\\S+) of (\\S+) threads idle for that with {A}, (\\S+) with {B}\\.",
    ([, where, slots, waiter, was, of, is], { a, b, input }) => {
      const host = hostIn(where);
      const side = held(a, limit, host) > held(b, limit, host) ? a : b;
      const caged = holding(side.instances.filter((_, i) => host === null || input.preset.instances[i] === host));
      expect([slots, waiter]).toEqual([
        formatShort(sum(caged.map((row) => row.slots ?? 0))), sessions(held(side, caging, host)),
      ]);
      expect([was, of, is]).toEqual([
        oneDecimal(idle(a, limit, host)), formatShort(countOf(a, host)), oneDecimal(idle(b, limit, host)),
      ]);
    },
  ],
  [
    "A slot given up( on host \\d+)? stands empty(?: until the next (.+?) tick)?: ([\\d.]+ %) of slot time"
      + "(?:; sibling threads run faster meanwhile)?\\.",
    ([, where, tick, percent], one) => {
      expect(percent).toBe(emptyPercent(one, hostIn(where)));
      if (tick !== undefined) expect(tick).toBe(plain(formatMs(Number(one.input.b["rm_tick_ms"]))));
    },
  ],
  [
    "Threads( on host \\d+)?: (\\S+) with {A}, (\\S+) with {B}\\.",
    ([, where, was, is], { a, b }) =>
      expect([was, is]).toEqual([a, b].map((report) => formatShort(countOf(report, hostIn(where))))),
  ],
  [
    "CPU time of a read: (\\S+) µs with {A}, (\\S+) µs with {B}\\.",
    ([, was, is], { a, b, input }) => {
      const us = (values: typeof input.a): string => formatFixed(Number(values["lio_us"]), 2);
      expect([was, is]).toEqual([us(input.a), us(input.b)]);
      const worked = (report: Report): number => threads(report, (row) => row.cause === "work" && isSession(row));
      expect(Number(was) / Number(is)).toBeCloseTo(worked(a) / lio(a) / (worked(b) / lio(b)), 1);
    },
  ],
  [
    "Blocks that cores share make a read ([\\d.]+ %) longer\\.",
    ([, longer], { b }) => {
      const shared = threads(b, ({ cause }) => cause === "shared");
      const work = threads(b, (row) => row.cause === "work" && isSession(row));
      expect(longer).toBe(plain(formatPercent((100 * shared) / work)));
    },
  ],
];

const responses: readonly (readonly [string, Check])[] = [
  [
    "Of a transaction’s (.+?) with {A}, (.+?) is (.+?); of (.+?) with {B}, (.+?)\\.(?= |$)",
    ([, wholeA, was, noun, wholeB, is], { a, b }) => {
      const ms = (report: Report): string => {
        const own = msOf(report, noun!);
        const whole = report.response_ms.mean;
        return own < 0.0005 * whole ? "none" : plain(formatMs(Math.min(own, whole)));
      };
      expect([was, is]).toEqual([ms(a), ms(b)]);
      expect([wholeA, wholeB]).toEqual([a, b].map((report) => plain(formatMs(report.response_ms.mean))));
    },
  ],
  [
    "Of a transaction ([a-z].+?) takes (.+?) with {A}, (.+?) with {B}\\.(?= |$)",
    ([, event, was, is], { a, b }) => {
      const [before, now] = [a, b].map((report) => msOf(report, event!)) as [number, number];
      const times = [clockedOver(a, event!), clockedOver(b, event!)];
      expect([was, is]).toEqual([before, now].map((ms, i) => plain(formatMs(ms * times[i]!))));
      // Nothing else makes a transaction so much longer, or shorter.
      const way = Math.sign(now - before);
      const events = b.ledger.filter(({ cause, kind }) => cause === "wait" && kind === "session");
      const others = ["time in the run queue", ...events.map((row) => row.event!)];
      for (const other of others)
        expect(way * (msOf(b, other) - msOf(a, other))).toBeLessThan(way * (now - before) + 1e-9);
    },
  ],
  [
    "Transactions take next to nothing but their work\\.",
    (_, { a, b }) => {
      for (const report of [a, b])
        expect(msOf(report, "time in the run queue") / report.response_ms.mean).toBeLessThan(0.005);
    },
  ],
  [
    "Transactions of the instances: (.+?)\\.(?= |$)",
    ([, gains], { a, b }) => {
      const each = b.instances.map((row, i) => {
        const [by] = paired(a.instances[i]!.transactions_per_s, row.transactions_per_s);
        return plain(formatSignedPercent(by, Math.abs(by) < 9.95 ? 1 : 0));
      });
      expect(gains).toBe(each.join(" and "));
    },
  ],
];

const crowds: readonly (readonly [string, Check])[] = [
  [
    "Next to nobody waits\\.",
    (_, { a, b }) => [a, b].forEach((report) => expect(waiting(report)).toBeLessThan(0.06 * report.nodes.length)),
  ],
  [
    "Either way (.+? waits?)( \\(most in .+?\\)| in .+?)?\\.",
    ([, who, place], { a, b }) => {
      expect([crowd(a), crowd(b)]).toEqual([who, who]);
      [a, b].forEach((report) => expectPlace(report, place));
    },
  ],
  [
    "(\\S+(?: sessions?)? waits?)( \\(most in .+?\\)| in .+?)? with {A}, and "
      + "(.+? waits?)( \\(most in .+?\\)| in .+?)? with {B}\\.",
    ([, was, placeA, is, placeB], { a, b }) => {
      expect([was, is]).toEqual([crowd(a).replace(/^[no]/, (letter) => letter.toUpperCase()), crowd(b)]);
      expectPlace(a, placeA);
      expectPlace(b, placeB);
    },
  ],
  [
    "With {A}, ([\\d., and]+) sessions wait on hosts 1 and 2; with {B}, ([\\d., and]+)\\.",
    ([, was, is], { input }) => {
      const on = (full: typeof input.fullA): string =>
        [1, 2].map((host) => formatFixed(waitingOn(full!, host), 1)).join(" and ");
      expect([was, is]).toEqual([on(input.fullA), on(input.fullB)]);
    },
  ],
  [
    "(\\S+ sessions? waits?)( \\(most in .+?\\)| in .+?)? with {A}, (\\S+)( \\(most in .+?\\)| in .+?)? with {B}\\.",
    ([, was, placeA, is, placeB], { a, b }) => {
      expect(was).toBe(crowd(a).replace(/^o/, "O"));
      expect(is).toBe(formatFixed(waiting(b), waiting(b) >= 100 ? 0 : 1));
      expectPlace(a, placeA);
      expectPlace(b, placeB ?? placeA);
    },
  ],
];

/** "sessions’ work is 64.9 %, slowing by siblings 25.0 %, the rest 10.1 %". */
function expectShares(text: string, report: Report): void {
  const items = text.split(/(?<=%), /).map((item) => /^(.+?)(?: is)? ([\d.,−]+) %$/.exec(item)!);
  const work = (row: Row): boolean => row.cause === "work" && isSession(row);
  let said = 0;
  for (const [, words, percent] of items.filter(([, words]) => words !== "the rest")) {
    const own = (100 * threads(report, words === "sessions’ work" ? work : rowsOf(words!))) / capacity(report);
    expect(`${words} ${percent}`).toBe(`${words} ${formatFixed(own, 1)}`);
    said += Number(percent);
  }
  const rest = items.find(([, words]) => words === "the rest")?.[2];
  expect(said + Number((rest ?? "0").replace("−", "-"))).toBeCloseTo(100, 0);
}

const alone: readonly (readonly [string, Check])[] = [
  [
    "(?:With {B}, o|O)f (one thread|\\S+ threads)’s? capacity, ((?:[^.]|\\.(?! |$))+)\\.",
    ([, of, items], { b }) => {
      const count = countOf(b, null);
      expect(of).toBe(count === 1 ? "one thread" : `${countWord(count)} threads`);
      expectShares(items!, b);
    },
  ],
  [
    "[^.:]+ on (one thread|\\S+ threads): (.+? waits?)( \\(most in .+?\\)| in .+?)?\\.",
    ([, of, who, place], { b }) => {
      const count = countOf(b, null);
      expect([of, who]).toEqual([count === 1 ? "one thread" : `${countWord(count)} threads`, crowd(b)]);
      expectPlace(b, place);
    },
  ],
  [
    "[^.:]+, hosts of (\\d+) and (\\d+) threads: (\\S+) and (\\S+) sessions wait\\.",
    ([, first, second, one, two], { b, input }) =>
      expect([first, second, one, two]).toEqual([
        ...b.nodes.map((row) => formatShort(row.threads)),
        ...[1, 2].map((host) => formatFixed(waitingOn(input.fullB!, host), 1)),
      ]),
  ],
  ["A busy thread changes process (.+?)\\.(?= |$)", ([, is], { b }) => expect(is).toBe(changes(b, null))],
  ["Processes change (\\S+ cache|core) (.+?)\\.(?= |$)", ([, what, is], { b }) => expect(is).toBe(rate(b, what!))],
  [
    "(?:The cage|Cages)(?: of instance \\d+)? lets? (\\S+)"
      + " run at once while (.+?) waits?: (\\S+) of (\\S+) threads idle for that\\.",
    ([, slots, waiter, is, of], { b }) => {
      expect([slots, waiter, is, of]).toEqual([
        formatShort(sum(holding(b.instances).map((row) => row.slots ?? 0))), sessions(held(b, caging)),
        oneDecimal(idle(b, limit)), formatShort(countOf(b, null)),
      ]);
    },
  ],
  [
    "ASH has (\\S+) sessions? on CPU, PURR (\\S+) cores?\\. CPU wait from PURR would be (\\S+); "
      + "(?:there is none|it is (\\S+))\\.(?= |$)",
    ([, ash, purr, wrong, wait], { b }) => {
      const of = (key: "on_cpu" | "time" | "purr"): number => sum(b.instances.map(({ cpu }) => cpu[key].mean));
      const real = of("on_cpu") - of("time");
      const counted = [of("on_cpu"), of("purr"), of("on_cpu") - of("purr")];
      expect([ash, purr, wrong]).toEqual(counted.map((one) => formatShort(one)));
      expect(wait).toBe(real < 0.05 ? undefined : formatShort(real));
    },
  ],
];

const sentences = [...redoPatterns, ...how, ...responses, ...crowds, ...alone, ...serverPatterns];

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Takes one sentence after another off the text; throws where none fits. */
function expectSentences(text: string, one: Case): void {
  const { a, b } = namesOf(one.input);
  let left = text;
  while (left !== "") {
    const fits = sentences.flatMap(([pattern, check]) => {
      const named = pattern.replaceAll("{A}", escaped(plain(a))).replaceAll("{B}", escaped(plain(b)));
      const found = new RegExp(`^${named}(?: |$)`).exec(left);
      return found === null ? [] : [{ found, check }];
    })[0];
    if (fits === undefined) throw new Error(`no pattern for “${left}”`);
    fits.check([...fits.found], one);
    left = left.slice(fits.found[0].length);
  }
}

interface Told {
  readonly items: readonly (readonly [string, number])[];
  /** Half of the last digit that is shown. */
  readonly rounding: number;
  readonly rest: string;
}

/** The sum of causes that may stand first, and what comes after it. */
function splitSum(text: string): Told {
  const [whole] = /^[^;:]+: [+−][\d.,]+ points(?:; [^;:]+: [+−][\d.,]+)*\.(?: |$)/.exec(text) ?? [""];
  const items = whole.replace(/\.\s*$/, "").split("; ").filter((item) => item !== "").map((item): [string, number] => {
    const [, words = "", sign, points = ""] = /^(.+?): ([+−])([\d.,]+)/.exec(item)!;
    return [words, Number(points.replaceAll(",", "")) * (sign === "−" ? -1 : 1)];
  });
  return { items, rounding: /\d\.\d/.test(whole) ? 0.0501 : 0.501, rest: text.slice(whole.length) };
}

/** What each host's work is worth in A's throughput [% a CPU]. */
function percentOfCpu({ a, input }: Case, host: number | null): number {
  const work = threads(a, (row) => row.cause === "work" && isSession(row), host);
  const own = a.instances.filter((_, i) => host === null || input.preset.instances[i] === host);
  return (100 * sum(own.map((row) => row.lio_per_s.mean))) / work / lio(a);
}

/** What there is more or less of, by words that no row has. */
const ofHosts: Readonly<Record<string, (report: Report, host: number | null) => number>> = {
  "more threads": countOf, "fewer threads": countOf,
  "faster threads": (report, host) => capacity(report, host) / countOf(report, host),
  "slower threads": (report, host) => capacity(report, host) / countOf(report, host),
  "less CPU time a read": (report) => lio(report) / threads(report, (row) => row.cause === "work" && isSession(row)),
  "more CPU time a read": (report) => lio(report) / threads(report, (row) => row.cause === "work" && isSession(row)),
};

/** What a noun takes of B's responses; of work, without what it takes longer on slower threads. */
function msIn(b: Report, noun: string, a: Report): number {
  if (noun !== "CPU work") return msOf(b, noun);
  const reference = (report: Report): number =>
    threads(report, (row) => row.cause === "work" && isSession(row)) / report.throughput.transactions_per_s.mean;
  return msOf(a, noun) + msOf(b, noun) * (1 - reference(a) / reference(b));
}

/** Of what transactions under way have lasted at the ends, in responses; a mean by Little's law leaves out nothing. */
const unfinished = (r: Report): number =>
  r.response_ms.count === 0 ? 0 : -held(r, (row) => row.cause === "under_way") / r.throughput.transactions_per_s.mean;

/** Less of a loss gives, more of one takes, and never more than the threads' time that it is. What is not so. */
function faultsOf(
  words: string, points: number, one: Case, isOfResponses: boolean, rounding: number,
): readonly string[] {
  const { a, b } = one;
  const fault = (is: boolean, what: string): string[] => (is ? [] : [`${words} ${points}: ${what}`]);
  const [, how, rest = ""] = /^(more |less )?(.+)$/.exec(words) ?? [];
  const [noun = "", where] = rest.split(/(?= on host \d+$)/);
  const host = hostIn(where);
  const direct = ofHosts[words.replace(/ on host \d+$/, "")];
  const way = isOfResponses ? -1 : 1;
  if (direct !== undefined) return fault(way * (direct(b, host) - direct(a, host)) * points > 0, "the other way");
  if (noun.endsWith("transactions left unfinished"))
    return fault((unfinished(b) - unfinished(a)) * points < 0, "the other way");
  const isMore = (more: number): boolean => how === undefined || how === (more > 0 ? "more " : "less ");
  if (isOfResponses) {
    const more = (100 * (msIn(b, noun, a) - msOf(a, noun))) / a.response_ms.mean;
    const isRight = noun === "turbo lost to active cores"
      ? points * more > 0 && Math.abs(points) <= Math.abs(more) + rounding
      : Math.abs(points - more) < rounding;
    return [...fault(isMore(more), "more or less"), ...fault(isRight, `${more}`)];
  }
  const more = threads(b, rowsOf(noun), host) - threads(a, rowsOf(noun), host);
  const hosts = host === null ? a.nodes.map((_, i) => i + 1) : [host];
  const most = Math.abs(more) * Math.max(...hosts.map((own) => percentOfCpu(one, a.nodes.length < 2 ? null : own)));
  return [
    ...fault(more * points < 0, `${more} threads`), ...fault(isMore(more), "more or less"),
    ...fault(Math.abs(points) <= most + rounding, `at most ${most}`),
  ];
}

function capitalless(text: string): string {
  return text.startsWith("CPU ") ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

/** A name that ends in "…" ends its sentence; the patterns here want a stop. */
const withStops = (text: string): string => text.replaceAll(/…(?:;(?= \d)|(?= [A-Z]|$))/g, "….");

describe("random pairs", () => {
  it.each(pairs.map((pair): [string, RandomPair] => [pair.link, pair]))("%s", (_, pair) => {
    const { input } = pair;
    const one: Case = { ...pair, a: input.fullA!.report, b: input.fullB!.report };
    const why = plain(findingOf(input).why.map(({ text }) => text).join(""));
    expect(why.length).toBeGreaterThan(10);
    expect(why.length).toBeLessThanOrEqual(260);
    expect(why).not.toMatch(/NaN|undefined|Infinity|–|−0\.0|(?<![\w.,])(?:one|1) (?:threads|sessions|cores)\b/);
    expect(why).not.toContain("….");
    const { items, rounding, rest } = splitSum(withStops(why));
    const sure = plain(howSureOf(input).sentence.map(({ text }) => text).join(""));
    const isOfResponses = sure.includes(" in mean response");
    const named = items.filter(([words]) => words !== "the rest");
    const faults = named.flatMap(([words, points], i) =>
      faultsOf(i === 0 ? capitalless(words) : words, points, one, isOfResponses, rounding),
    );
    expect(faults).toEqual([]);
    const [by] = isOfResponses
      ? paired(one.a.response_ms, one.b.response_ms)
      : pairedThroughput(one.a, one.b, input.metric.id);
    const points = items.map(([, own]) => own);
    const said = points.length === 0 ? by : sum(points);
    expect(Math.abs(said - by)).toBeLessThan(rounding);
    expectSentences(rest, one);
  });

  it("tell sums of causes more often than not, and what is left over of them is little, or there is no room", () => {
    const whys = pairs.map(({ input }) => withStops(plain(findingOf(input).why.map(({ text }) => text).join(""))));
    const sums = whys.map((why, i) => ({ why, ...splitSum(why), unsure: unsureOf(pairs[i]!.input) }));
    const told = sums.filter(({ items }) => items.length > 0);
    expect(told.length).toBeGreaterThan(pairs.length / 4);
    // The sum has 165 characters; the name of a cause takes 45 at most.
    const roomy = told.filter(({ why }) => why.indexOf(". ", why.indexOf("the rest")) <= 165 - 45);
    expect(roomy.length).toBeGreaterThan(told.length / 2);
    for (const { items, unsure, rounding } of roomy) {
      const rest = Math.abs(items.find(([words]) => words === "the rest")?.[1] ?? 0) - rounding;
      expect(rest).toBeLessThan(1 + unsure + 0.3 * Math.max(...items.map(([, points]) => Math.abs(points))));
    }
  });
});
