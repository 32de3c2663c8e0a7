/**
 * Over random links the page reads what the simulation's own decoder reads: values, what acts, and how it is written.
 */
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtCatalogue as catalogue } from "../engine/browserEngine";
import { loadWasm } from "../engine/loadWasm";
import type { Description, Preset } from "../engine";
import { randomLinks } from "../testing/randomLinks";
import { textOf } from "./readValue";
import { Scopes } from "./scope";
import { decodeLink, type LinkState } from "./urlState";
import { presetOf, queryOf, sideOf } from "./values";

const LINKS = 2_000;
const SEEDS = [7, 8, 9, 10, 11, 12, 13, 14];

const module = await loadWasm(readFileSync(new URL("../engine/wasm/sim_bg.wasm", import.meta.url)));
const told = (text: string): Description => JSON.parse(module.describe(text)) as Description;
/** Of a query compared with nothing. */
const describeAlone = (query: string): Description => told(`${query}${query.includes("?") ? "&" : "?"}a=`);

/** Codes of names that the page keeps, for another version may know them. */
const UNKNOWN: ReadonlySet<string> = new Set(["unknown_knob", "unknown_scope"]);

/** Without the run's own words, which the page keeps elsewhere. */
function scenarioOnly(canonical: string): string {
  const [preset = "", text = ""] = canonical.split("?");
  const pairs = [...new URLSearchParams(text)].filter(([key]) => !["seed", "title", "note"].includes(key));
  return pairs.length === 0 ? preset : `${preset}?${new URLSearchParams(pairs).toString()}`;
}

/** Of every part that may have values of its own, and what the simulation tells of besides: whatever was said. */
function keysOf(preset: Preset, told: readonly string[]): string[] {
  const scopes = new Scopes(catalogue, preset);
  return [...new Set([...catalogue.knobs.flatMap((knob) => scopes.keysOf(knob)), ...told])];
}

interface Side {
  readonly query: string;
  /** `key=value`, in order. */
  readonly values: readonly string[];
  readonly acts: readonly string[];
}

function pageSide(read: LinkState, side: "A" | "B", told: Readonly<Record<string, unknown>>): Side {
  const scenario = sideOf(catalogue, read, side);
  const keys = keysOf(scenario.preset, Object.keys(told)).filter((key) => key !== "seed");
  return {
    query: queryOf(catalogue, read, side),
    acts: keys.filter((key) => scenario.acts(key)).toSorted(),
    values: keys.map((key) => `${key}=${textOf(scenario.value(key))}`).toSorted(),
  };
}

function trueSide({
  canonical,
  resolved,
  acts,
}: {
  canonical: string;
  resolved: Record<string, number | string>;
  acts: readonly string[];
}): Side {
  const values = Object.entries(resolved)
    .filter(([key]) => key !== "seed")
    .map(([key, value]) => `${key}=${textOf(value)}`)
    .toSorted();
  return { query: scenarioOnly(canonical), acts: acts.filter((key) => key !== "seed").toSorted(), values };
}

/** The link without the pairs that the page keeps unread. */
function known(hash: string, unknown: LinkState["unknown"]): string {
  const strange = new Set(unknown.map(([key]) => key));
  const [head = "", text = ""] = hash.split("?");
  return `${head}?${text
    .split("&")
    .filter((pair) => !strange.has(decodeURIComponent((pair.split("=")[0] ?? "").replaceAll("+", " "))))
    .join("&")}`;
}

type Kind = "refused" | "unknown" | "apart" | "compared" | "withA" | "dropped";

/** What the page makes of a link, and what it should. */
interface Verdict {
  readonly kind: Kind;
  readonly page: unknown;
  readonly truth: unknown;
}

const fate = (word: Description): string =>
  word.ok ? "accepted" : word.is_read ? "values that do not fit together" : "refused";

function ownWords({ view }: LinkState): readonly unknown[] {
  return [view.seed, view.title, view.note];
}

/** Both sides; A's is refused where the preset's own comparison does not fit, which only the simulation knows. */
function comparedSides(link: LinkState, word: Extract<Description, { ok: true }>): Verdict {
  const [a, b] = [pageSide(link, "A", word.compared.resolved), pageSide(link, "B", word.resolved)];
  const hasA = Object.keys(link.ghost).length > 0;
  const isDropped = hasA && Object.keys(word.compared.overrides).length === 0;
  const title = word.title === presetOf(catalogue, link.preset).title ? "" : word.title;
  const told = isDropped ? fate(describeAlone(a.query)) : trueSide(word.compared);
  return {
    kind: isDropped ? "dropped" : hasA ? "withA" : "compared",
    page: [b, ownWords(link), isDropped ? "values that do not fit together" : a],
    truth: [trueSide(word), [word.resolved["seed"], title, word.note], told],
  };
}

function verdictOn(hash: string): Verdict {
  const read = decodeLink(catalogue, hash);
  const word = told(hash);
  if (!read.ok) return { kind: "refused", page: "refused", truth: fate(word) };
  const strange = read.link.unknown.filter(([key]) => !key.startsWith("view."));
  if (strange.length > 0) {
    const rest = verdictOn(known(hash, strange));
    const isTold = !word.ok && word.errors.some(({ code }) => UNKNOWN.has(code));
    return { kind: "unknown", page: ["refused", true, rest.page], truth: [fate(word), isTold, rest.truth] };
  }
  return word.ok
    ? comparedSides(read.link, word)
    : { kind: "apart", page: "values that do not fit together", truth: fate(word) };
}

describe("the page and the simulation", () => {
  const counts: Record<Kind, number> = { refused: 0, unknown: 0, apart: 0, compared: 0, withA: 0, dropped: 0 };

  it.each(SEEDS)(`read ${LINKS / SEEDS.length} random links alike, seed %i`, (seed) => {
    fc.assert(
      fc.property(randomLinks(catalogue), (hash) => {
        const { kind, page, truth } = verdictOn(hash);
        counts[kind]++;
        // In words: to compare the lists one by one takes longer than to read the link.
        expect(JSON.stringify(page, null, 1)).toBe(JSON.stringify(truth, null, 1));
      }),
      { numRuns: LINKS / SEEDS.length, seed },
    );
  });

  it("keep what is said of the first host apart from what is said of all while others are left out", () => {
    const { kind, page, truth } = verdictOn("#v1/starved-lms?cluster_nodes=1&sockets@node1=2&sockets=1");
    counts[kind]++;
    expect([kind, page]).toEqual(["apart", truth]);
  });

  // Too rare among random links to be left to them.
  it.each([
    "cpu-queue?resource_manager_plan=default", "log-writer-starved?os_scheduler=Solaris", "cpu-queue?workload=oltp",
  ])("drop the preset's own comparison where it does not fit: %s", (link) => {
    const { kind, page, truth } = verdictOn(`#v1/${link}`);
    counts[kind]++;
    expect([kind, page]).toEqual(["dropped", truth]);
  });
  // An entry for each core of a socket: longer than any list that random links are made of.
  it.each([[16, "withA"], [24, "withA"], [256, "withA"], [257, "refused"]])(
    "read a table of turbo with %i entries alike", (entries, expected) => {
      const { kind, page, truth } = verdictOn(`#v1/two-hosts?cpu_type=custom&turbo_table=${"1/".repeat(entries - 1)}1`);
      expect([kind, page]).toEqual([expected, truth]);
    },
  );
  it("say alike what holds of a host whose only instance says otherwise", () => {
    const { page, truth } = verdictOn("#v1/two-hosts?affinity@instance1@node1=none&affinity@node1=soft");
    expect(page).toEqual(truth);
  });

  // Numbers of nodes with words about nodes that are there, left out, or not there at all.
  it("read clusters of any size alike", () => {
    const nodes = fc.integer({ min: 1, max: 6 });
    const addresses = nodes.chain((at) =>
      fc.constantFrom(
        ["sessions", `@instance${at}`, "7"], ["cores_per_socket", `@node${at}`, "3"],
        ["class", `@lms@node${at}`, "FIFO"], ["nice", `@session@instance${at}`, "5"],
        ["sessions", "", "9"], ["background_processes", `@node${at}`, "2"],
      ),
    );
    const said = fc.uniqueArray(addresses, { maxLength: 4, selector: ([id, scope]) => `${id}${scope}` });
    const size = fc.option(fc.integer({ min: 2, max: 6 }), { nil: null });
    const link = fc.record({
      preset: fc.constantFrom(
        "starved-lms", "slow-redo-elsewhere", "sequence-nocache", "dbwr-moderate?interconnect=1GbE",
      ),
      own: said, ofA: said, isBefore: fc.boolean(), size, sizeOfA: size,
    });
    let compared = 0;
    fc.assert(
      fc.property(link, ({ preset, own, ofA, isBefore, size: b, sizeOfA: a }) => {
        const sizes = [...(b === null ? [] : [`cluster_nodes=${b}`]), ...(a === null ? [] : [`a.cluster_nodes=${a}`])];
        const pairs = [
          ...own.map(([id, scope, value]) => `${id}${scope}=${value}`),
          ...ofA.map(([id, scope, value]) => `a.${id}${scope}=${value}`),
        ];
        const query = (isBefore ? [...sizes, ...pairs] : [...pairs, ...sizes]).join("&");
        const { kind, page, truth } = verdictOn(`#v1/${preset}${preset.includes("?") ? "&" : "?"}${query}`);
        compared += Number(kind === "withA" || kind === "compared");
        expect(JSON.stringify(page, null, 1)).toBe(JSON.stringify(truth, null, 1));
      }),
      { numRuns: 300, seed: 11 },
    );
    expect(compared).toBeGreaterThan(80);
  });

  it("say alike what holds where both hosts say what the preset says of all", () => {
    const said = ["a.plan@instance1=default", "plan@instance2=default", "plan=none"].join("&");
    const { page, truth } = verdictOn(`#v1/two-hosts?${said.replaceAll("plan", "resource_manager_plan")}`);
    expect(page).toEqual(truth);
  });

  it("read links of every fate", () => {
    expect(counts.withA).toBeGreaterThan(LINKS / 3);
    expect(Math.min(counts.refused, counts.unknown, counts.apart)).toBeGreaterThan(20);
    expect(counts.dropped).toBeGreaterThan(0);
  });

  it.each(catalogue.presets.map(({ id }) => id))("read %s alike", (preset) => {
    const { page, truth } = verdictOn(`#v1/${preset}`);
    expect(page).toEqual(truth);
  });

  it("show the tick of the system that runs", () => {
    const read = decodeLink(catalogue, "#v1/lpar-smt4?a.os_scheduler=CFS");
    expect(read.ok && (["B", "A"] as const).map((side) => sideOf(catalogue, read.link, side).value("tick_hz"))).toEqual(
      ["100", "1000"],
    );
  });

  it("take what A says of all for every part", () => {
    const read = decodeLink(catalogue, "#v1/two-instances?cpu_count@instance2=2&a.cpu_count=6");
    const values = read.ok
      ? ["cpu_count", "cpu_count@instance1", "cpu_count@instance2"].map((key) =>
          sideOf(catalogue, read.link, "A").value(key),
        )
      : [];
    expect(values).toEqual([6, 6, 6]);
  });
});
