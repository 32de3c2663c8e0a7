/** Products of kind, instance and host on the page: what holds where, what a sweep or an edit leaves of the rest. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtCatalogue as catalogue } from "../engine/browserEngine";
import { findKnob, findPreset, splitScope, type Knob, type KnobValue, type KnobValues } from "../engine";
import { required } from "../base/assert";
import { randomLinks } from "../testing/randomLinks";
import { readAddress } from "./address";
import { reduce } from "./reducer";
import { Scenario } from "./scenario";
import { scopeOfKey, Scopes } from "./scope";
import { initialState } from "./state";
import { decodeLink, type LinkState } from "./urlState";
import { queryOf, tidy } from "./values";

const preset = required(findPreset(catalogue, "two-hosts"), "a preset of two hosts");

function scenario(...layers: KnobValues[]): Scenario {
  return new Scenario(catalogue, preset, layers);
}

/** Nice values of the sessions of both instances, the background and the servers of both hosts. */
function nices(...layers: KnobValues[]): string {
  const parts = [
    "session@instance1",
    "session@instance2",
    "background@node1",
    "background@node2",
    "service@node1",
    "service@node2",
  ];
  return parts.map((part) => scenario(...layers).value(`nice@${part}`)).join(" ");
}

function linkOf(hash: string): LinkState | null {
  const read = decodeLink(catalogue, hash);
  return read.ok ? read.link : null;
}

const knownLinks = randomLinks(catalogue)
  .map(linkOf)
  .filter((link) => link !== null);

describe("what is kept of scopes", () => {
  const scopesOf = (id: string): Scopes => new Scopes(catalogue, required(findPreset(catalogue, id), id));
  const knobOf = (id: string): Knob => required(findKnob(catalogue, id), id);

  it("is of one preset, of one knob and of one key, and the same when asked again", () => {
    const ask = (id: string): string => {
      const scopes = scopesOf(id);
      const parts = (knob: string, key: string): string =>
        scopes.partsOf(knobOf(knob), key).map((part) => part.replace(/^[^@]+/, "")).join(" ");
      return [parts("sessions", "sessions"), parts("threads_per_core", "threads_per_core"),
        parts("nice", "nice@session"), parts("nice", "nice@session@instance1")].join(" | ");
    };
    const two = "@instance1 @instance2 | @node1 @node2 | @session@instance1 @session@instance2 | ";
    expect([ask("two-hosts"), ask("instance-caging-vm"), ask("two-hosts")]).toEqual([two, " |  |  | @session", two]);
  });

  it("names the smallest parts alone", () => {
    const parts = scopesOf("two-hosts").partsOf(knobOf("nice"), "nice");
    expect(parts).toContain("nice@session@instance1");
    expect(parts).not.toContain("nice@session");
  });

  it("is of what a knob can differ between, and of the scope", () => {
    const scopes = scopesOf("two-hosts");
    const asked = ["sessions", "nice", "threads_per_core", "sessions@instance2"].map((key) =>
      scopes.places(knobOf(splitScope(key).id), scopeOfKey(key)).length,
    );
    const [kinds, again] = [catalogue.process_kinds.length, scopes.places(knobOf("sessions"), scopeOfKey("sessions"))];
    expect([...asked, again.length]).toEqual([2, 2 * kinds, 2, 1, 2]);
  });
});

describe("a scope", () => {
  it.each([
    ["class@instance2@session", "class@session@instance2"],
    ["class@node2@session@instance2", "class@session@instance2"],
    ["priority@node02@background", "priority@background@node2"],
    ["sessions@node1", "sessions@node1"],
  ])("%s is written %s", (text, key) => {
    const read = readAddress(catalogue, preset, text);
    expect(typeof read === "object" && "address" in read ? read.address.key : read).toBe(key);
  });

  it.each([
    [[{ nice: 1, "nice@node2": 2, "nice@session": 3 }], "3 3 1 2 1 2"],
    [[{ "nice@instance2": 4, "nice@session": 3 }], "3 3 0 0 0 0"],
    [[{ "nice@session@node1": 5, "nice@session@instance1": 6, "nice@node1": 7 }], "6 0 7 0 7 0"],
    [[{ "nice@session": 3 }, { "nice@node2": 2 }], "3 2 0 2 0 2"],
    [[{ "nice@session@instance1": 3, "nice@background": 1 }, { "nice@session": 2 }], "2 2 1 1 0 0"],
  ])("of layers %j holds as %s", (layers, expected) => {
    expect(nices(...layers)).toBe(expected);
  });

  it("is joined to its kind where all of the kind are alike", () => {
    expect(scenario({ "nice@session@instance1": 4, "nice@session@node2": 4 }).query()).toBe(
      "two-hosts?nice%40session=4",
    );
    expect(scenario({ nice: 4, "nice@background@node2": 5 }).query()).toBe(
      "two-hosts?nice%40session=4&nice%40background%40node1=4&nice%40background%40node2=5&nice%40service=4" +
        "&nice%40lgwr=4&nice%40dbwr=4&nice%40ckpt=4&nice%40client=4&nice%40lms=4&nice%40lmd=4&nice%40lck0=4" +
        "&nice%40slave=4&nice%40heartbeat=4&nice%40background2=4&nice%40background3=4",
    );
  });
});

describe("what is said", () => {
  it("means the same without what changes nothing", () => {
    fc.assert(
      fc.property(knownLinks, (link) => {
        const base = tidy(catalogue, required(findPreset(catalogue, link.preset), link.preset), link.base);
        expect(queryOf(catalogue, { ...link, base }, "B")).toBe(queryOf(catalogue, link, "B"));
      }),
      { numRuns: 400, seed: 3 },
    );
  });

  it("leaves to an axis all that the axis speaks of", () => {
    fc.assert(
      fc.property(
        knownLinks,
        fc.nat(),
        fc.nat(),
        fc.constantFrom("A" as const, "B" as const),
        (link, at, place, side) => {
          const of = required(findPreset(catalogue, link.preset), link.preset);
          const said = [...Object.keys(link.base), ...Object.keys(link.ghost)].filter(
            (key) => findKnob(catalogue, key)?.name_scope !== "run",
          );
          const knob = required(findKnob(catalogue, said[at % said.length] ?? "class@session"), "a knob");
          const keys = [
            ...new Scopes(catalogue, of).keysOf(knob),
            ...said.filter((key) => findKnob(catalogue, key) === knob),
          ];
          const key = required(keys[place % keys.length], "a key");
          const value: KnobValue =
            knob.choices?.[place % knob.choices.length] ??
            (knob.kind === "vector" ? "1/1.25" : knob.kind === "cpus" ? "0,2" : (knob.max ?? 1));
          const layers = [link.base, ...(side === "A" ? [link.ghost] : [])];
          // Where A says more than the axis does, the axis is A's; else it is B's.
          const scopes = new Scopes(catalogue, of);
          const topmost = Math.max(
            0,
            layers.findLastIndex((layer) =>
              Object.keys(layer).some((other) => other === key || scopes.isWithin(knob, key, other)),
            ),
          );
          const replaced = layers.map((layer, i) => (i === topmost ? { ...layer, [key]: value } : layer));
          const text = queryOf(catalogue, link, side, {}, key);
          const along = linkOf(
            `#v1/${text}${text.includes("?") ? "&" : "?"}${encodeURIComponent(key)}=${encodeURIComponent(value)}&a=`,
          );
          expect(along === null ? null : queryOf(catalogue, along, "B")).toBe(
            new Scenario(catalogue, of, replaced).query(),
          );
        },
      ),
      { numRuns: 600, seed: 5 },
    );
  });

  it("of a part goes when its whole is moved", () => {
    const link = required(linkOf("#v1/two-hosts?nice@session@instance1=4&nice@background@node2=5&a="), "a link");
    const state = { ...initialState(catalogue), ...link, view: { ...link.view, side: "B" as const } };
    const moved = reduce(state, { type: "knobChanged", id: "nice@session", value: 7, phase: "commit" });
    expect(moved.base).toEqual({ "nice@session": 7, "nice@background@node2": 5 });
  });
});
