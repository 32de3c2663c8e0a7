import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fakeCatalogue as catalogue } from "../testing/fakeCatalogue";
import { decodeLink, encodeLink, freshLink, plainView, type LinkState } from "./urlState";
import { coerce, presetOf, tidy } from "./values";
import type { KnobValue } from "../engine";

function decoded(hash: string): LinkState {
  const read = decodeLink(catalogue, hash);
  if (!read.ok) throw new Error(read.message);
  return read.link;
}

describe("a link", () => {
  it("of a preset alone says nothing else", () => {
    expect(encodeLink(catalogue, freshLink(catalogue, "instance-caging-vm"))).toBe("#v1/instance-caging-vm");
  });

  it.each([
    ["#v1/instance-caging-vm?sessions=9", { sessions: 9 }, { resource_manager_plan: "none" }],
    ["#v1/instance-caging-vm?cpu_count=4&a.cpu_count=6", { cpu_count: 4 }, { cpu_count: 6 }],
    ["#v1/instance-caging-vm?a=", {}, {}],
    ["#v1/two-cages?cpu_count@instance2=4", { "cpu_count@instance2": 4 }, {}],
    [
      "#v1/two-cages?cpu_count=3&cpu_count@instance2=4&a.cpu_count=6", { cpu_count: 3, "cpu_count@instance2": 4 },
      { cpu_count: 6 },
    ],
    ["#v1/instance-caging-vm?smt_yield=1/1.4", { smt_yield: "1/1.4" }, { resource_manager_plan: "none" }],
    ["", {}, { resource_manager_plan: "none" }],
  ])("%s is B and A", (hash, base, ghost) => {
    const link = decoded(hash);
    expect([link.base, link.ghost]).toEqual([base, ghost]);
    expect(encodeLink(catalogue, link)).toBe(hash === "" ? "#v1/instance-caging-vm" : hash);
  });

  it.each([
    ["view=timeline&follow=12&t=1200.5..1210", "view.view=timeline&view.follow=12&view.t=1200.5..1210"],
    ["view.view=timeline&view.timelineSide=a", "view.view=timeline&view.timelineSide=a"],
    ["view=lab", ""],
  ])("%s is a way to look at it, written %s", (said, written) => {
    expect(encodeLink(catalogue, decoded(`#v1/no-cage?${said}`))).toBe(
      `#v1/no-cage${written === "" ? "" : `?${written}`}`,
    );
  });

  it("leaves out what the preset says anyway", () => {
    expect(decoded("#v1/instance-caging-vm?switch_refill_us=800&sessions=32").base).toEqual({});
  });

  it("keeps what it does not know, and says so", () => {
    const read = decodeLink(catalogue, "#v1/instance-caging-vm?warp=9&view.mood=blue&a.flux=1");
    expect(read.ok && read.notice).toMatch(/“warp”, “view.mood”, “a.flux”/);
    expect(read.ok && encodeLink(catalogue, read.link)).toBe("#v1/instance-caging-vm?warp=9&view.mood=blue&a.flux=1");
  });

  it("carries a title as text, whatever it says", () => {
    const title = `<script>alert("1")</script>&a=;%`;
    const link = { ...freshLink(catalogue, "instance-caging-vm"), view: { ...plainView, title, seed: 7 } };
    expect(decoded(encodeLink(catalogue, link)).view).toMatchObject({ title, seed: 7 });
  });

  it("stays short for a typical comparison", () => {
    const view = { ...plainView, title: "Monday’s lesson", theme: "dark" as const, seed: 1234 };
    const link = {
      ...freshLink(catalogue, "instance-caging-vm"), base: { cpu_count: 6, sessions: 24, switch_refill_us: 400 },
      ghost: { cpu_count: 4 }, view,
    };
    expect(encodeLink(catalogue, link).length).toBeLessThan(300);
  });
});

describe("a broken link says what is wrong", () => {
  it.each([
    ["#v1/no-such", "There is no scenario “no-such”."],
    ["#v2/instance-caging-vm", "version 2"],
    ["#hello", "does not begin with #v1/"],
    ["#v1/instance-caging-vm?sessions=many", "sessions is a number, not “many”."],
    ["#v1/instance-caging-vm?sessions=NaN", "sessions is a number, not “NaN”."],
    ["#v1/instance-caging-vm?sessions=1e999", "sessions is a number"],
    ["#v1/instance-caging-vm?sessions=-3", "sessions goes from 1 to 1000; the link says “-3”."],
    ["#v1/instance-caging-vm?sessions=2.5", "whole number"],
    ["#v1/instance-caging-vm?resource_manager_plan=maybe", "one of none, default"],
    ["#v1/instance-caging-vm?sessions=1&sessions=2", "“sessions” is said twice."],
    ["#v1/instance-caging-vm?view.theme=pink", "view.theme is one of"],
    ["#v1/instance-caging-vm?seed=-1", "seed goes from 0 to 9007199254740991; the link says “-1”."],
    ["#v1/instance-caging-vm?seed=1.5", "seed is a whole number, not “1.5”."],
    ["#v1/instance-caging-vm?a.seed=1", "a.seed: both scenarios share one seed."],
    [
      "#v1/instance-caging-vm?cpu_count@instance2=4",
      "“cpu_count@instance2”: there is no instance 2; the scenario has only one.",
    ],
    [
      "#v1/instance-caging-vm?sessions@session=4",
      "“sessions@session”: belongs to an instance: write @instance1, or @node1 for those of a host.",
    ],
    ["#v1/two-cages?sockets@instance2=4", "“sockets@instance2”: belongs to a host: write @node1."],
    ["#v1/two-cages?cpu_count@instance1@instance2=4", "says its instance twice; an address says each part"],
    ["#v1/two-cages?seed@node1=4", "“seed@node1”: holds for the whole run and takes no scope."],
    ["#v1/instance-caging-vm?cpu_count=4&cpu_count@instance1=5", "“cpu_count@instance1” is said twice."],
    ["#v1/instance-caging-vm?sessions=%E0%A4%A", "“sessions=%E0%A4%A” is cut off or wrongly percent-encoded."],
    ["#v1/instance-caging-vm?follow=me", "follow is the number of a process, not “me”."],
    ["#v1/instance-caging-vm?view.t=9..3", "view.t is a stretch of time in ms like 1200..1210, not “9..3”."],
  ])("%s", (hash, words) => {
    const read = decodeLink(catalogue, hash);
    expect(read.ok ? "fine" : read.message).toContain(words);
  });

  it("is refused unread when it is far too long", () => {
    const read = decodeLink(catalogue, `#v1/instance-caging-vm?note=${"x".repeat(9000)}`);
    expect(read.ok ? "fine" : read.message).toContain("longer than");
  });

  it("tells every fault at once", () => {
    const read = decodeLink(catalogue, "#v1/instance-caging-vm?sessions=0&cpu_count=x");
    expect(read.ok ? "" : read.message).toMatch(/sessions.*cpu_count/);
  });
});

const someValues = fc.dictionary(
  fc.constantFrom(...catalogue.knobs.filter((knob) => knob.name_scope !== "run").map((knob) => knob.id)),
  fc.double({ min: -10, max: 2000, noNaN: true }),
  { maxKeys: 6 },
).map((raw) => {
  const values: Record<string, KnobValue> = {};
  for (const [id, number] of Object.entries(raw)) {
    const knob = catalogue.knobs.find((one) => one.id === id);
    if (knob === undefined) continue;
    const names = knob.choices ?? [];
    const value = coerce(knob, names.length > 0 ? (names[Math.abs(Math.floor(number)) % names.length] ?? "") : number);
    if (value !== null) values[id] = value;
  }
  return values;
});

describe("any state", () => {
  it("comes back from its link", () => {
    const preset = presetOf(catalogue, "instance-caging-vm");
    fc.assert(
      fc.property(
        someValues, someValues, fc.string({ maxLength: 60 }), fc.nat(4_294_967_295),
        (base, ghost, note, seed) => {
          const link: LinkState = {
            preset: preset.id, base: tidy(catalogue, preset, base), ghost, view: { ...plainView, note, seed },
            unknown: [],
          };
          const back = decoded(encodeLink(catalogue, link));
          expect({ ...back, ghost: { ...back.ghost } }).toEqual(link);
          expect(encodeLink(catalogue, back)).toBe(encodeLink(catalogue, link));
        },
      ),
    );
  });
});

const good = "#v1/instance-caging-vm?cpu_count=4&sessions=24&a.cpu_count=6&view.theme=dark&seed=7&title=Hello";
const poison = [
  "<script>alert(1)</script>", "%00", "%", "&&&", "=", "a.a.a.", "__proto__=1", "constructor=x", "1e308", "-0",
  "\u202e", "?".repeat(50), "💥", "javascript:alert(1)", "9".repeat(400),
];
const mutation = fc.tuple(
  fc.nat(good.length), fc.nat(12), fc.oneof(fc.constantFrom(...poison), fc.string({ maxLength: 12 })),
);

/** "opened", or what a reader would find wrong with the way the page took the link. */
function verdict(hash: string): string {
  const read = decodeLink(catalogue, hash);
  if (!read.ok) return /^[A-Z“a-z].{8,700}\.$/s.test(read.message) ? "refused" : `unclear: ${read.message}`;
  if (Object.getPrototypeOf(read.link.base) !== Object.prototype) return "polluted";
  return decodeLink(catalogue, encodeLink(catalogue, read.link)).ok ? "opened" : "does not open again";
}

describe("200 mutated links", () => {
  it("open, or say in a short clear sentence why not; nothing throws, nothing leaks", () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(mutation, ([at, cut, insert]) => {
        const told = verdict(good.slice(0, at) + insert + good.slice(at + cut));
        seen.set(told, (seen.get(told) ?? 0) + 1);
      }),
      { numRuns: 200, seed: 20 },
    );
    expect([...seen.keys()].toSorted()).toEqual(["opened", "refused"]);
    expect(seen.get("refused")).toBeGreaterThan(20);
    expect(({} as Record<string, unknown>)["1"]).toBeUndefined();
  });
});
