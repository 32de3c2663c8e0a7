/** Sentences about servers, and what their numbers are in the rows of the reports. */
import { expect } from "vitest";
import { valuesAt } from "../analysis/read/host";
import { countWord, namesOf } from "../analysis/read/names";
import { aloneMs } from "../analysis/read/service";
import type { Report } from "../engine";
import { formatFixed, formatMs, formatShort } from "../units";
import type { RandomPair } from "./randomPairs";
import { plain, sum } from "./reportFacts";

interface Sides extends RandomPair {
  readonly a: Report;
  readonly b: Report;
}

type Pattern = readonly [string, (found: readonly string[], one: Sides) => void];

export const serverPatterns: readonly Pattern[] = [
  [
    "The (\\S+ )?servers?(?: of host (\\d+))? asks? for (\\S+) (?:of a CPU|CPUs)"
      + "(?:; an equal share of (\\S+) threads? among (\\S+) processes (?:is|gives them) (\\S+))?\\.(?= |$)",
    ([, many, host, demand, ofThreads, among, share], { b, input }) => {
      const row = b.services.find(({ node }) => host === undefined || node === Number(host))!;
      expect(demand).toBe(formatFixed(row.demand, 2));
      if (share === undefined) return;
      const own = valuesAt(input.b, row.node);
      const sleepers = new Set(["background", "background2", "background3"].filter((kind) => own[`${kind}_sleep_ms`]));
      const others = b.processes.filter(
        ({ kind, node }) => kind !== "service" && !sleepers.has(kind) && node === row.node,
      );
      const servers = Number(own["service_servers"]);
      expect(many ?? "").toBe(servers === 1 ? "" : `${countWord(servers)} `);
      const all = sum(others.map(({ count }) => count)) + servers;
      const { threads } = b.nodes[row.node - 1]!;
      const equal = formatFixed((servers * threads) / all, 2);
      expect([ofThreads, among, share]).toEqual([countWord(threads), countWord(all), equal]);
    },
  ],
  [
    "(With {A}|With {B}|Here) (?:(?:it|they) answers? (\\S+) of (\\S+) a second"
      + "|(?:its|their) mean answer takes (.+?))\\.(?= |$)",
    ([, side, answered, asked, ms], { a, b, input }) => {
      const [report, values] = side === `With ${plain(namesOf(input).a)}` ? [a, input.a] : [b, input.b];
      const row = report.services.toSorted((one, other) => other.response_ms.p99! - one.response_ms.p99!)[0]!;
      if (ms !== undefined) return expect(ms).toBe(plain(formatMs(row.response_ms.mean)));
      const own = valuesAt(values, row.node);
      const wanted = Number(own["service_per_s"]) * Number(own["service_servers"]);
      expect([answered, asked]).toEqual([formatShort(row.answered_per_s.mean), formatShort(wanted)]);
    },
  ],
  [
    "(?:Alone|Each alone) on a CPU, theory gives (.+?)( with {B})?\\.(?= |$)",
    ([, ms, isOfB], { b, input }) => {
      const [other, own] = [input.a, input.b].map((values) => aloneMs(valuesAt(values, b.services[0]!.node))!);
      expect([ms, isOfB === undefined]).toEqual([plain(formatMs(own!)), own === other]);
    },
  ],
];
