/** A part of a scenario on the axis, `sessions@instance2`: chosen, moved by the handle, in the link. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtCatalogue as catalogue } from "../engine/browserEngine";
import { findKnob, findPreset, type KnobValue } from "../engine";
import { required } from "../base/assert";
import { answerOf, pointOf } from "../testing/buildInput";
import { randomLinks } from "../testing/randomLinks";
import type { Action } from "./actions";
import { isSweepable, valueOn, xAxisOf } from "./axes";
import { selectAxes, selectHandle } from "./axesChoice";
import { reduce } from "./reducer";
import { Scopes } from "./scope";
import { selectInput, selectLink } from "./selectors";
import { initialState, type AppState } from "./state";
import { decodeLink, type LinkState } from "./urlState";
import { coerce, queryOf } from "./values";
import { keysOf } from "./keys";

const after = (...actions: Action[]): AppState => actions.reduce(reduce, initialState(catalogue));
const on = (preset: string, x: string): AppState =>
  after({ type: "presetChosen", preset }, { type: "axesChosen", x });

function pulled(state: AppState, id: string, ...values: KnobValue[]): AppState {
  const drags = values.map((value): Action => ({ type: "knobChanged", id, value, phase: "drag" }));
  const last = required(values.at(-1), "a value");
  return [...drags, { type: "knobChanged", id, value: last, phase: "commit" } as const].reduce(reduce, state);
}

describe("a part on the axis", () => {
  it.each([
    ["two-instances", "sessions@instance2", 9],
    ["two-instances", "cpu_count@instance2", 3],
    ["two-instances", "priority@session@instance2", 30],
    ["two-hosts", "switch_refill_us@node2", 20],
    ["two-hosts", "class@session@instance2", "FIFO"],
  ])("%s: the handle of %s says that knob in that part alone", (preset, key, value) => {
    const state = on(preset, key);
    expect(keysOf(state).axis.knob).toBe(key);
    const moved = pulled(state, key, value);
    expect(moved.base).toEqual({ [key]: value });
    expect(moved.ghost).toEqual(state.ghost);
    expect(selectLink(moved)).toBe(`#v1/${preset}?${key}=${value}&view.x=${key}`);
    const read = decodeLink(catalogue, selectLink(moved));
    expect(read.ok && [read.link.base, read.link.view.x]).toEqual([{ [key]: value }, key]);
    expect(reduce(moved, { type: "undo" }).base).toEqual({});
  });

  it("leads to the scenario of the curve's point under the handle", () => {
    const links = randomLinks(catalogue).map((hash): LinkState | null => {
      const read = decodeLink(catalogue, hash);
      return read.ok ? read.link : null;
    });
    const withoutAxis = links.filter((link) => link !== null);
    fc.assert(
      fc.property(withoutAxis, fc.nat(), fc.nat(), fc.nat(), (link, which, part, place) => {
        const preset = required(findPreset(catalogue, link.preset), "a preset");
        const knobs = catalogue.knobs.filter(isSweepable);
        const knob = required(knobs[which % knobs.length], "a knob");
        const parts = new Scopes(catalogue, preset).keysOf(knob).filter((key) => /@(?:instance|node)\d+$/.test(key));
        const key = parts[part % parts.length];
        if (key === undefined) return;
        const axis = xAxisOf(catalogue, link, key);
        const wished = valueOn(axis, required(axis.grid[place % axis.grid.length], "a place"));
        const value = required(coerce(knob, wished), "a value that the knob may hold");
        const state = { ...initialState(catalogue), ...link, view: { ...link.view, x: key, locked: [] } };
        const pair = pulled(state, key, value);
        const text = queryOf(catalogue, link, "B", {}, key);
        const hash = `#v1/${text}${text.includes("?") ? "&" : "?"}${encodeURIComponent(key)}=${value}&a=`;
        const point = decodeLink(catalogue, hash);
        expect(point.ok ? queryOf(catalogue, point.link, "B") : point.message).toBe(queryOf(catalogue, pair, "B"));
      }),
      { numRuns: 500, seed: 11 },
    );
  });

  it("has the place of A where A speaks of more, and A's answer there, not beside B's", () => {
    const state = on("two-instances", "cpu_count@instance2");
    const { curveA, fullA, fullB } = keysOf(state);
    expect(state.ghost).toEqual({ cpu_count: 4 });
    const answers = [fullA, fullB].map((full) => ({
      kind: "full" as const, full, isCoarse: false, answer: { ...answerOf(""), pair: "one" },
    }));
    const point = { kind: "point" as const, curve: curveA, x: 1, isCoarse: false, point: pointOf(1e6) };
    const input = selectInput(reduce(state, { type: "resultsArrived", items: [...answers, point] }));
    expect([input.xHandle, input.xA]).toEqual([6, 4]);
    expect([...(input.curveA?.fine.keys() ?? [])]).toEqual([1, 4]);
  });

  it("is offered in the menu beside its whole, and beside what is said", () => {
    const isOfPart = (id: string) => /@(?:instance|node)\d$/.test(id);
    const ids = (state: AppState) => selectAxes(state).knobs.map(({ id }) => id).filter(isOfPart);
    const sessions = ["sessions@instance1", "sessions@instance2"];
    expect(ids(on("two-instances", "sessions"))).toEqual(sessions);
    const moved = pulled(on("two-instances", "sessions"), "cpu_count@instance2", 3);
    expect(ids(moved)).toEqual(["cpu_count@instance2", ...sessions]);
  });
});

describe("the handle", () => {
  it("stops where the knob does, whether the column shows it or not", () => {
    expect(selectHandle(on("two-hosts", "sessions@node2"))).toEqual({ step: 1, isWhole: true, isLocked: false });
    const { step } = required(findKnob(catalogue, "lio_us"), "a knob");
    expect(selectHandle(on("two-hosts", "lio_us@node2"))).toEqual({ step, isWhole: false, isLocked: false });
  });
  it("is locked with the whole of which it moves a part", () => {
    const state = on("two-instances", "sessions@instance2");
    const locked = (...keys: string[]) => selectHandle({ ...state, view: { ...state.view, locked: keys } }).isLocked;
    expect([locked("sessions"), locked("sessions@instance2"), locked("sessions@instance1")]).toEqual([
      true, true, false,
    ]);
  });
});

describe("the preset's knob", () => {
  const axisOf = (hash: string): string =>
    keysOf(reduce(initialState(catalogue), { type: "linkOpened", hash: `#v1/two-instances${hash}` })).axis.knob;
  it("gives way to that of the first part, where each part has a value of its own on both sides", () => {
    expect(axisOf("")).toBe("sessions");
    expect(axisOf("?sessions@instance2=90")).toBe("sessions");
    expect(axisOf("?sessions@instance1=3&sessions@instance2=90")).toBe("sessions@instance1");
    expect(axisOf("?sessions@instance1=3&sessions@instance2=90&a.sessions=12")).toBe("sessions");
    expect(axisOf("?sessions@instance1=3&sessions@instance2=90&view.x=sessions")).toBe("sessions");
  });
});
