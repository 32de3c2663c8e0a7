/** Rows of knobs where there are several hosts, from the true catalogue. */
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { knobItems } from "./knobItems";
import { builtCatalogue as catalogue } from "../engine/browserEngine";
import { initialState, reduceAll } from "../testing/knobRows";
import { besideValue, spokenValue } from "../features/knobs/item";
import { KnobSheet } from "../features/knobs/KnobSheet";
import { linesFor, linesOf, partName, type KnobLine } from "../features/knobs/rows";

function told({ item, name, parts }: KnobLine): string {
  const each = parts.map((part) => `${partName(part, parts)} ${part.value}`).join(", ");
  return `${name} ${item.value}${item.isMixed ? `: ${each}` : ""}`;
}

function lines(hash: string, host: number | null, turnsA = false): readonly KnobLine[] {
  return linesOf(knobItems()(reduceAll(initialState(catalogue), hash), new Set(), null, turnsA), host);
}

const line = (hash: string, host: number | null, key: string): string =>
  lines(hash, host).filter(({ item }) => item.key === key || item.base === key).map(told).join(" | ");

it("shows one value where hosts have it alike, and both where they differ", () => {
  expect(line("#v1/two-hosts", null, "cpu_count")).toBe("cpu_count 8");
  expect(line("#v1/two-hosts?cpu_count@instance1=4&cpu_count@instance2=4", null, "cpu_count")).toBe("cpu_count 4");
  expect(line("#v1/two-hosts?cpu_count@instance2=16", null, "cpu_count")).toBe("cpu_count 8: host 1 8, host 2 16");
  expect(line("#v1/two-hosts?a.cpu_count@instance2=16", null, "cpu_count")).toBe("cpu_count 8: host 1 8, host 2 8");
  expect(line("#v1/two-hosts", null, "sockets")).toBe("sockets 1: host 1 1, host 2 2");
});

it("shows the values of the side that knobs turn, and says what the other has", () => {
  const hash = "#v1/instance-caging-vm?sessions=12&a.sessions=40";
  const item = (turnsA: boolean) => lines(hash, null, turnsA).find((one) => one.item.key === "sessions")?.item;
  const [b, a] = [item(false), item(true)];
  if (a === undefined || b === undefined) throw new Error("no sessions");
  expect([b.value, besideValue(b), spokenValue(b)]).toEqual([12, "A: 40", "12, A 40"]);
  expect([a.value, besideValue(a), spokenValue(a)]).toEqual([40, "B: 12", "40, B 12"]);
});

it("finds the knobs that a preset is about, also where it speaks of one host's", () => {
  const found = (host: number | null) =>
    linesFor(lines("#v1/starved-lms", host), ["background_processes@node3", "class@lms@node3", "sessions"])
      .map(({ item }) => item.key);
  expect(found(null)).toEqual(["background_processes", "class@lms", "sessions"]);
  expect(found(3)).toEqual(["background_processes@node3", "class@lms@instance3", "sessions@instance3"]);
});

it("shows of one host its own values under the knobs' own names", () => {
  expect(line("#v1/two-hosts?cpu_count@instance2=16", 2, "cpu_count")).toBe("cpu_count 16");
  expect(line("#v1/two-hosts", 2, "cores_per_socket")).toBe("cores_per_socket 8");
  expect(line("#v1/two-hosts", 1, "cores_per_socket")).toBe("cores_per_socket 4");
});

it("reaches every knob of every host, of instances and process kinds, too", () => {
  const scoped = catalogue.knobs.filter((knob) => knob.group !== "Run");
  const keys = scoped.flatMap((knob) =>
    knob.name_scope === "kind" ? catalogue.process_kinds.map(({ id }) => `${knob.id}@${id}`) : [knob.id],
  );
  const side = new Map(lines("#v1/two-hosts", null).map((one) => [one.item.key, one.parts.map(({ host }) => host)]));
  expect([...side.keys()].toSorted()).toEqual(keys.toSorted());
  const isOfAll = (key: string) => catalogue.knobs.some(({ id, name_scope: scope }) => id === key && scope === "run");
  for (const key of keys) expect([key, side.get(key)]).toEqual([key, isOfAll(key) ? [] : [1, 2]]);
  for (const host of [1, 2]) {
    const own = lines("#v1/two-hosts", host);
    expect(own.map(({ item }) => item.base).toSorted()).toEqual(keys.toSorted());
    expect(own.every(({ item }) => isOfAll(item.base) || item.host === host)).toBe(true);
  }
});

it("shows on a phone what each of several instances of one host has, and no value that none of them has", () => {
  const edit = { knob: () => undefined, knobs: () => undefined, check: () => Promise.reject(new Error("not asked")) };
  const hash = "#v1/two-instances?sessions@instance1=0&cpu_count@instance2=1&sessions@instance2=3";
  const items = knobItems()(reduceAll(initialState(catalogue), hash), new Set(), null, false);
  const drawn = renderToStaticMarkup(createElement(KnobSheet, {
    items, heldKnob: null, host: null, hosts: 1, edit, onHost: () => undefined, favourites: ["cpu_count", "sessions"],
    isOpen: false, onOpenChange: () => undefined,
  }));
  expect(drawn.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")).toContain("sessions 0 · 3");
  expect(drawn).toContain("instance 2");
});
