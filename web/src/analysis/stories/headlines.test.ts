/** Every number of headlines and of how sure they are, worked out anew for random pairs of scenarios. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Report } from "../../engine";
import { loadWasm } from "../../engine/loadWasm";
import { randomPairs, type RandomPair } from "../../testing/randomPairs";
import {
  capacity, clockedOver, countOf, held, idle, lio, msOf, paired, pairedThroughput, plain, sessions, sum,
  threads, waiting, type Row,
} from "../../testing/reportFacts";
import { simulatedInput } from "../../testing/simulatedInput";
import { formatCount, formatFixed, formatLio, formatMs, formatPercent, formatShort } from "../../units";
import { namesOf, placeHere, whereTold } from "../read/names";
import { findingOf } from "./finding";
import { howSureOf } from "./howSure";

const module = await loadWasm(readFileSync(new URL("../../engine/wasm/sim_bg.wasm", import.meta.url)));
/** Of two kinds of load. */
const loads = ["arrivals=open&a.arrivals=closed", "arrivals=closed&sessions=3&a.arrivals=open&a.arrivals_per_s=30"]
  .map((said) => `instance-caging-vm?${said}`)
  .map((link) => ({ link, input: simulatedInput(module, `#v1/${link}`, 60_000)! }));
const pairs = [...randomPairs(module, 2024, 48, 60_000), ...randomPairs(module, 77, 24, 60_000, "redo"), ...loads];

interface Case extends RandomPair {
  readonly a: Report;
  readonly b: Report;
}

type Check = (found: readonly string[], one: Case) => void;

const numberIn = (text: string): number => Number(text.replaceAll(",", "").replace("−", "-"));

/** Right to the last digit that is shown. */
function isRounded(shown: string, value: number): boolean {
  const decimals = /\.(\d+)/.exec(shown)?.[1]?.length ?? 0;
  return Math.abs(numberIn(shown) - value) <= 0.5 * 10 ** -decimals + 1e-9;
}

const expectRounded = (shown: string, value: number): void =>
  expect(`${shown} ${isRounded(shown, value) ? "" : value}`).toBe(`${shown} `);

const throughput = ({ a, b, input }: Case): number => pairedThroughput(a, b, input.metric.id)[0];
const response = ({ a, b }: Case): number => paired(a.response_ms, b.response_ms)[0];

const isIn = (...causes: readonly string[]) => ({ cause }: Row): boolean => causes.includes(cause);
const isOther = ({ cause, kind }: Row): boolean => cause === "work" && kind !== "session";

const idleOf: Readonly<Record<string, string>> = {
  "idle beside queues": "balance", "idle, out of bounds": "binding", "idle for cpu.max": "throttled",
  "idle for the limit of real time": "throttled", "idle for lack of work": "no_work",
  "idle for cpu.max or the limit of real time": "throttled", "idle for CPU limits": "throttled",
};

const costs: Readonly<Record<string, readonly string[]>> = {
  "refilling caches": ["switch_refill"], switching: ["switch_direct", "switch_post", "switch_wake"],
  "refilling after moves": ["switch_migration"],
};

function instanceSum(report: Report, hosts: readonly number[], host: number): readonly number[] {
  const own = report.instances.filter((_, i) => hosts[i] === host);
  return own[0]!.lio_per_s.reps.map((_, i) => sum(own.map((row) => row.lio_per_s.reps[i]!)));
}

/** "host 1 loses 4.6 %, host 2 loses 71 %". */
function expectHosts(text: string, { a, b, input }: Case): void {
  const found = [...text.matchAll(/host (\d+) (loses|gains|shows no difference)(?: ([\d.,]+) %)?/g)];
  expect(found).toHaveLength(b.nodes.length);
  for (const [, host, verb, percent] of found) {
    if (percent === undefined) continue;
    const [was = [], is = []] = [a, b].map((report) => instanceSum(report, input.preset.instances, Number(host)));
    const count = Math.min(was.length, is.length);
    // Of as many starts as both have; in percent of the mean of all.
    const more = (sum(is.slice(0, count)) - sum(was.slice(0, count))) / count;
    const by = (100 * more * was.length) / sum(was);
    expect(verb).toBe(by > 0 ? "gains" : "loses");
    expectRounded(percent, Math.abs(by));
  }
}

const causes: readonly (readonly [RegExp, Check])[] = [
  [
    /^slots stand empty while (?<figure>.+?) waits?$/,
    ([, who], { b }) => expect(who).toBe(sessions(held(b, isIn("cage_empty", "cage_limit")))),
  ],
  [
    /^the cage holds (?<figure>.+?) back beside idle threads$/,
    ([, who], { b }) => expect(who).toBe(sessions(held(b, isIn("cage_empty", "cage_limit")))),
  ],
  [
    /^(refilling caches|switching|refilling after moves) takes (?<figure>[\d.]+) % of (?:the|host (\d)’s) capacity$/,
    ([, what, percent, host], { b }) => {
      const isHere = (row: Row): boolean => host === undefined || row.node === Number(host);
      const taken = threads(b, (row) => isHere(row) && isIn(...costs[what!]!)(row));
      expectRounded(percent!, (100 * taken) / threads(b, (row) => isHere(row) && row.cause === "capacity"));
    },
  ],
  [
    /^(?<figure>[\d.]+) of (\S+) threads (idle.+)$/,
    ([, count, of, why], { b, input }) => {
      expectRounded(count!, idle(b, isIn(idleOf[why!]!)));
      expect(of).toBe(formatShort(countOf(input.fullB!.report, null)));
    },
  ],
  [
    /^a transaction waits (?<figure>.+) for (.+)$/,
    ([, ms, event], { b }) => expect(ms).toBe(plain(formatMs(msOf(b, event!) * clockedOver(b, event!)))),
  ],
  [
    /^others’ work takes (?<figure>[\d.]+) % of capacity$/,
    ([, percent], { b }) => expectRounded(percent!, (100 * threads(b, isOther)) / capacity(b)),
  ],
  [
    /^latches keep (?<figure>.+?) spinning or asleep$/,
    ([, who], { b }) =>
      expect(who).toBe(sessions(held(b, (row) => row.cause === "spinning" || row.event?.startsWith("latch") === true))),
  ],
  [
    /^commits wait (?<figure>.+)$/,
    ([, lasts], { b }) =>
      expect(lasts).toBe(plain(formatMs(b.waits.find(({ event }) => event === "log file sync")!.clocked_ms.mean))),
  ],
  [
    /^log switches wait for the checkpoint$/,
    (_, { b }) => expect(b.waits.some(({ event }) => event === "log file switch (checkpoint incomplete)")).toBe(true),
  ],
  [
    /^(?<figure>.+? sessions?) in (.+)$/,
    ([, who, event], { b }) => {
      const own = (row: Row): boolean => row.kind === "session" && row.event === event;
      expect(who).toBe(sessions(held(b, own)).replace(/ waits?$/, ""));
    },
  ],
  [/^(?:fewer|slower) threads$/, (_, { a, b }) => expect(capacity(b)).toBeLessThan(capacity(a))],
  [/^threads of a core slow one another$/, (_, { b }) => expect(threads(b, isIn("siblings"))).toBeGreaterThan(0)],
  [/^reads are slower with [a-z ]+$/, (_, { b }) => expect(threads(b, isIn("shared"))).toBeGreaterThan(0)],
  [/^more active cores take turbo away$/, (_, { b }) => expect(threads(b, isIn("turbo"))).toBeGreaterThan(0)],
  [
    /^a read takes more CPU time$/,
    (_, { input }) => expect(Number(input.b["lio_us"])).toBeGreaterThan(Number(input.a["lio_us"])),
  ],
  [/^host 1 .+$/, ([text], one) => expectHosts(text!, one)],
];

/** As it stands beside the chart. */
const slowestOf = ({ response_ms: response }: Report): string => plain(formatMs(response.p99));

const clauses: readonly (readonly [RegExp, Check])[] = [
  [
    /^(?:, but|, and|;) 1 % of transactions take (.+?) or more, not (.+)$/,
    ([, is, was], { a, b }) => {
      for (const { p99, p99_ci95: half } of [a.response_ms, b.response_ms]) expect(half! / p99!).toBeLessThan(0.15);
      expect([is, was]).toEqual([b, a].map(slowestOf));
    },
  ],
];

/** "one in A" beside "4.1 sessions". */
const asFigure = (before: string, figure: string): string =>
  !/ sessions?$/.test(figure) ? before : before === "one" ? "one session" : `${before} sessions`;

/** The cause after the colon, or price or bonus. */
function expectRest(text: string, one: Case): void {
  if (text === "") return;
  const list = text.startsWith(": ") ? causes : clauses;
  const [, bare = "", before] = /^(?:: )?(.+?)(?:, (.+?)(?: %)? in A)?$/.exec(text) ?? [];
  const fits = list.flatMap(([pattern, check]) => {
    const found = pattern.exec(bare);
    return found === null ? [] : [{ found, check }];
  })[0];
  if (fits === undefined) throw new Error(`no pattern for “${text}”`);
  fits.check([...fits.found], one);
  const figure = fits.found.groups?.["figure"];
  if (before === undefined || figure === undefined) return expect(before).toBeUndefined();
  // The same of A, which has less of it.
  fits.check(fits.found.map((group) => (group === figure ? asFigure(before, figure) : group)), { ...one, b: one.a });
  expect(asFigure(before, figure)).not.toBe(figure);
}

const p99Of = (report: Report, node: number): string => {
  const { response_ms: answer } = report.services.find((row) => row.node === node)!;
  const width = answer.p99_ci95 === null ? "" : ` ±${formatPercent((100 * answer.p99_ci95) / answer.p99!, 0)}`;
  return plain(formatMs(answer.p99) + width);
};

const slowest = (report: Report): number =>
  report.services.toSorted((one, other) => other.response_ms.p99! - one.response_ms.p99!)[0]!.node;

const headlines: readonly (readonly [RegExp, Check])[] = [
  [
    /^.+? (adds?|costs?) ([\d.,]+) % (?:to|of) throughput( .+)$/,
    ([, verb, percent, rest], one) => {
      expectRounded(percent!, (verb!.startsWith("add") ? 1 : -1) * throughput(one));
      const told = plain(whereTold(one.input));
      expect(rest!.slice(0, told.length)).toBe(told);
      // Beside a gain "but" is of what is worse, beside a loss of what is better.
      const [, how] = /, (but|and) 1 %/.exec(rest!) ?? [];
      const isWorse = one.b.response_ms.p99! > one.a.response_ms.p99!;
      if (how !== undefined) expect(how === "but").toBe(isWorse === throughput(one) > 0);
      expectRest(rest!.slice(told.length), one);
    },
  ],
  [
    /^.+? (lengthens?|shortens?) transactions by ([\d.,]+) % (?:at|against) .+?(; .*)?$/,
    ([, verb, percent, rest], one) => {
      expectRounded(percent!, (verb!.startsWith("lengthen") ? 1 : -1) * response(one));
      expectRest(rest ?? "", one);
    },
  ],
  [
    /^.+?(?: makes?|:) throughput (?:([\d.,]+) to )?([\d.,]+) times as high as with (.+?)( (?:at|,) .+?)?$/,
    ([, least, most], one) => {
      if (least !== undefined) expect(numberIn(least)).toBeLessThan(1 + throughput(one) / 100);
      else expect(numberIn(most!) / (1 + throughput(one) / 100)).toBeCloseTo(1, 1);
    },
  ],
  [
    /^.+? makes? transactions (?:([\d.,]+) to )?([\d.,]+) times as long as with (.+?)( at .+?)?(; .*)?$/,
    ([, least, most, other, , rest], one) => {
      const [from, to] = [least ?? most, most].map((text) => Number(text!.replaceAll(",", ""))) as [number, number];
      expect((from + to) / 2 / (1 + response(one) / 100)).toBeCloseTo(1, 1);
      expect(other!.startsWith(plain(namesOf(one.input).a))).toBe(true);
      expectRest(rest ?? "", one);
    },
  ],
  [
    /^With .+? transactions are another mix: mean response (.+?), not (.+?) with (.+)$/,
    ([, is, was, other], { a, b, input }) => {
      const means = [b, a].map((report) => plain(formatMs(report.response_ms.mean)));
      expect([is, was, other]).toEqual([...means, plain(namesOf(input).a)]);
    },
  ],
  [
    new RegExp(
      "^(?:With .+? m|M|(?:With .+? n|N)o difference in m)ean response(?: ([+−]?[\\d.,]+) ?%)?(?: ±<?[\\d.,]+)?"
        + "(, .*| (?:at|against) .*)?$",
    ),
    ([, percent, rest], one) => {
      expectRounded(percent ?? "0.00", response(one));
      if (rest?.startsWith(",") === true) expectRest(rest, one);
    },
  ],
  [
    new RegExp(
      "^No difference shown (?:over both hosts )?(?:at|against) .+?: (mean response )?"
        + "(equal|[+−]?[\\d.,]+) ?%?(?: ±<?[\\d.,]+)?$",
    ),
    ([, of, percent], one) =>
      expectRounded(percent === "equal" ? "0.00" : percent!, of === undefined ? throughput(one) : response(one)),
  ],
  [
    /^No difference shown over both hosts (?:at|against) .+?: (host 1 .+)$/,
    ([, hosts], one) => expectHosts(hosts!, one),
  ],
  [
    /^No difference (?:at|against) .+?: either way (?:about )?(.+)$/,
    ([, both], { b }) => expect(both).toBe(plain(formatLio(lio(b)))),
  ],
  [
    /^\S+ (?:sessions|arrivals\/s): (throughput|mean response) ([+−][\d.,]+) % ±<?[\d.,]+ against .+$/,
    ([, of, percent], one) => expectRounded(percent!, of === "throughput" ? throughput(one) : response(one)),
  ],
  [
    /^Too little was run to compare (?:at|against) .+?: ([+−]?[\d.,]+) %, without an interval$/,
    ([, percent], one) => expectRounded(percent!, throughput(one)),
  ],
  [
    /^.+?: a transaction takes (.+?), 1 % of them (.+) or more$/,
    ([, takes, p99], { b }) =>
      expect([takes, p99].map((told) => told?.replace(/^about | ±.*$/g, ""))).toEqual([
        plain(formatMs(b.response_ms.mean)), slowestOf(b),
      ]),
  ],
  [
    /^.+? at (.+? LIO\/s): (?:nobody waits|(\S+) sessions (?:of both hosts )?wait at any moment)$/,
    ([, all, who], { b }) => {
      expect(all).toBe(plain(formatLio(lio(b))));
      expect(who).toBe(waiting(b) < 0.05 ? undefined : formatFixed(waiting(b), 1));
    },
  ],
  [
    new RegExp(
      "^With [^;]+?, 99 %(?: of host \\d+’s requests| of requests)? are answered within (.+?)(?: at .+?)?"
        + "(?:, with .+? within (.+)|; with .+? the queue grows without bound)?$",
    ),
    ([, is, was], { a, b }) => {
      expect(is).toBe(p99Of(b, slowest(b)));
      if (was !== undefined) expect(was).toBe(p99Of(a, slowest(b)));
    },
  ],
  [
    /^.+?: 99 %(?: of host \d+’s requests| of requests)? are answered within (.+)$/,
    ([, is], { b }) => expect(is).toBe(p99Of(b, slowest(b))),
  ],
  [
    /^With .+? queue.* grows without bound(?: at .+?)?; with .+?, 99 % are answered within (.+)$/,
    ([, was], { a, b }) => expect(was).toBe(p99Of(a, slowest(b))),
  ],
  [
    /^.*queue.* grows?(?: at .+?)? either way: with .+? by (\S+) requests a second, with .+? by (\S+)$/,
    ([, was, is], { a, b }) => {
      const grows = (report: Report): string =>
        formatShort(report.services.find(({ node }) => node === slowest(b))!.growth_per_s.mean);
      expect([was, is]).toEqual([grows(a), grows(b)]);
    },
  ],
  [
    /^.+?: .*queue.* grows by (\S+) requests a second, without bound$/,
    ([, by], { b }) => {
      const row = b.services.find(({ node }) => node === slowest(b))!;
      expect(by).toBe(formatShort(row.growth_per_s.mean));
    },
  ],
];

/** The number that comes first is that of the headline, and what it rests on is told of the run: shown and true. */
function sureOf(text: string, one: Case): readonly [readonly unknown[], readonly unknown[]] {
  const { a, b } = one;
  const [, by, of, count] =
    /^(No difference.*? %|[+−]?[\d.,]+ %)(?: ±<?[\d.,]+)?( in mean response)?.*?(?:, from| in each of) (\S+) paired/
      .exec(text) ?? [];
  if (by === undefined) {
    const [, runs, batches] = /, from (\S+) replications? and (\S+) batch(?:es)?\./.exec(text) ?? [];
    return [[runs, batches], [formatCount(b.replications), formatCount(b.batches)]];
  }
  const value = of === undefined ? throughput(one) : response(one);
  const pairs = Math.min(a.replications, b.replications);
  if (by.startsWith("No")) return [[Math.abs(value) < 0.01, Number(count)], [true, pairs]];
  const shown = by.replace(" %", "");
  return [[isRounded(shown, value), Number(count)], [true, pairs]];
}

it.each(pairs.map((pair): [string, RandomPair] => [pair.link, pair]))("%s", (_, pair) => {
  const one: Case = { ...pair, a: pair.input.fullA!.report, b: pair.input.fullB!.report };
  const text = plain(findingOf(pair.input).headline);
  const fits = headlines.flatMap(([pattern, check]) => {
    const found = pattern.exec(text);
    return found === null ? [] : [{ found, check }];
  })[0];
  if (fits === undefined) throw new Error(`no pattern for “${text}”`);
  fits.check([...fits.found], one);
  const places = [placeHere(pair.input), whereTold(pair.input)].map((place) => plain(place).toLowerCase());
  const isPlaceless = /^With .+? mean response/.test(text);
  expect(isPlaceless || places.some((place) => text.toLowerCase().includes(place))).toBe(true);
  expect(text).not.toMatch(/NaN|undefined|Infinity|\bone threads|\bone sessions/);
  const sure = plain(howSureOf(pair.input).sentence.map((span) => span.text).join(""));
  const isOfServer = /queue|answered/.test(text);
  const ofResponse = /mean response|transactions by|times as long/i;
  const areOfResponses = [sure.includes(" in mean response"), ofResponse.test(text)];
  expect(isOfServer ? 1 : new Set(areOfResponses).size).toBe(1);
  const [shown, really] = sureOf(sure, one);
  expect(shown).toEqual(really);
});

it("lengthens no transactions by asking for others", () => {
  const rates = "arrivals=open&resource_manager_plan=none&arrivals_per_s@instance1=2&arrivals_per_s@instance2=2";
  const headline = (of: string) =>
    plain(findingOf(simulatedInput(module, `#v1/two-instances?${rates}&${of}`)!).headline);
  const unlike = "lio_per_transaction@instance1=100&lio_per_transaction@instance2=200000";
  expect(headline(`${unlike}&a.arrivals_per_s@instance1=20`)).toMatch(
    /^With 2 arrivals\/s in instance 1 transactions are another mix: mean response \d+ ms, not [\d.]+ ms with 20 arr/,
  );
  expect(headline(`${unlike}&a.lio_us=0.3`)).toMatch(/ lengthens transactions by /);
  // As many more in each are the same mix.
  expect(headline(`${unlike}&arrivals_per_s=6&a.arrivals_per_s=2`)).not.toContain("mix");
});

it("where one host alone differs for certain, headline, why and how sure are of throughput", () => {
  const link = "#v1/two-hosts?turbo_one_core=1.1&a.resource_manager_plan=default&a.think_time_ms=60";
  const input = simulatedInput(module, link);
  const { headline } = findingOf(input!);
  expect(headline).toMatch(/^No difference shown over both hosts at .+: host 1 loses [\d.]+\s%, host 2/);
  const told = [findingOf(input!).why, howSureOf(input!).sentence].map((of) => of.map(({ text }) => text).join(""));
  expect(told.filter((text) => /mean response|transaction/.test(text))).toEqual([]);
});
