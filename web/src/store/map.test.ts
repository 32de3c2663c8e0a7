/** A second knob across the axis: what is run for it, where it stands in a link, and what may stand there. */
import { describe, expect, it } from "vitest";
import { builtCatalogue } from "../engine/browserEngine";
import { pointOf } from "../testing/buildInput";
import { selectAxes } from "./axesChoice";
import { keysOf, type MapKeys } from "./keys";
import { reduce } from "./reducer";
import { selectInput } from "./selectors";
import { initialState, type AppState } from "./state";
import { decodeLink, encodeLink } from "./urlState";
import { nameOf, wantedOf } from "./wanted";
import { selectWork } from "./work";

function opened(link: string): AppState {
  const decoded = decodeLink(builtCatalogue, link);
  if (!decoded.ok) throw new Error(decoded.message);
  return { ...initialState(builtCatalogue), ...decoded.link };
}

function mapOf(state: AppState): MapKeys {
  const { map } = keysOf(state);
  if (map === null) throw new Error("no map");
  return map;
}

const link = "#v1/instance-caging-vm?view.by=rm_quantum_ms";

describe("a map of two knobs", () => {
  const state = opened(link);
  it("is asked for by the link or the menu, and by nothing else", () => {
    expect(encodeLink(builtCatalogue, state)).toBe(link);
    const plain = opened("#v1/instance-caging-vm");
    expect([keysOf(plain).map, selectAxes(plain).by]).toEqual([null, null]);
    const chosen = reduce(plain, { type: "axesChosen", by: "rm_quantum_ms" });
    expect([chosen.view.by, selectAxes(chosen).by]).toEqual(["rm_quantum_ms", "rm_quantum_ms"]);
    expect(reduce(reduce(chosen, { type: "axesChosen", by: null }), { type: "undo" }).view.by).toBe("rm_quantum_ms");
    expect(reduce(chosen, { type: "axesChosen", y: "switches_per_s" }).view.by).toBe("rm_quantum_ms");
  });
  it("has few places, the ends, and those where B stands", () => {
    const { by, place, xs, rows } = mapOf(opened("#v1/instance-caging-vm?sessions=13&view.by=rm_quantum_ms"));
    expect([xs.length, rows.length]).toEqual([9, 7]);
    expect([xs[0], xs.at(-1), xs.includes(13)]).toEqual([1, keysOf(state).axis.to, true]);
    const places = rows.map((row) => row.place);
    expect([places[0], places.at(-1), places.includes(place)]).toEqual([by.from, by.to, true]);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });
  it("gives up the nearest place for that of B, and no end", () => {
    const xs = (sessions: number) =>
      mapOf(opened(`#v1/instance-caging-vm?sessions=${sessions}&view.by=rm_quantum_ms`)).xs;
    const plain = xs(1);
    expect(plain).not.toContain(12);
    const [nearest] = plain.toSorted((one, other) => Math.abs(one - 12) - Math.abs(other - 12));
    expect(xs(12)).toEqual([...plain.filter((x) => x !== nearest), 12].toSorted((one, other) => one - other));
    expect([xs(2)[0], xs(47).at(-1)]).toEqual([plain[0], plain.at(-1)]);
  });
  it("looks at the row in which B stands first, and says what is under way", () => {
    const { rows, place } = mapOf(state);
    const own = new Set(rows.flatMap(({ curveA, curveB }) => [curveA, curveB]));
    const { curveA, curveB, family } = keysOf(state);
    for (const curve of [curveA, curveB, ...family.map((one) => one.curve)]) own.delete(curve);
    const wanted = wantedOf(state, keysOf(state));
    const first = wanted.find((one) => one.kind === "point" && own.has(one.curve));
    const nearest = rows.filter((row) => row.place !== place)
      .toSorted((one, other) => Math.abs(one.place - place) - Math.abs(other.place - place))[0];
    expect(first?.kind === "point" && first.curve).toBe(nearest?.curveB);
    const done = wanted.slice(0, wanted.indexOf(first!)).map(nameOf);
    expect(selectWork({ ...state, leftOut: done })?.what).toBe("the map of two knobs");
    expect(selectWork(state)?.what).not.toBe("the map of two knobs");
  });
  it("runs both sides with the second knob in each row, and one knob more sideways, in pairs", () => {
    const { rows, xs } = mapOf(state);
    const curves = new Set(rows.map(({ curveB }) => curveB));
    const own = wantedOf(state, keysOf(state)).filter((one) => one.kind === "point" && curves.has(one.curve));
    const pairs = own.filter((one) => one.other !== null);
    expect(new Set(pairs.map((one) => one.query)).size).toBeGreaterThanOrEqual(rows.length * xs.length);
    const told = pairs.find(({ query }) => query.includes("rm_quantum_ms="));
    const value = /rm_quantum_ms=([\d.]+)/.exec(told?.query ?? "")?.[1];
    expect(told?.options.against).toContain(`rm_quantum_ms=${value}`);
    expect(told?.options.against).toContain("resource_manager_plan=none");
    expect(told?.query).toMatch(/sessions=\d+$/);
  });
  it("runs nothing of it under a hand, and keeps its columns there", () => {
    const held = reduce(state, { type: "knobChanged", id: "sessions", value: 11, phase: "drag" });
    const before = new Set(mapOf(state).rows.map(({ curveB }) => curveB));
    const main = keysOf(held).curveB;
    const own = wantedOf(held, keysOf(held)).filter(
      (one) => one.kind === "point" && before.has(one.curve) && one.curve !== main,
    );
    expect(own).toEqual([]);
    expect(mapOf(held).xs).toEqual(mapOf(state).xs);
  });
  it("asks for one side alone where both are the same", () => {
    const alone = opened(`${link}&a=`);
    expect(mapOf(alone).rows.every(({ curveA, curveB }) => curveA === curveB)).toBe(true);
    const wanted = wantedOf(alone, keysOf(alone));
    expect(wanted.every(({ other }) => other === null)).toBe(true);
    const last = wanted.filter(({ kind, options }) => kind === "point" && !options.coarse).at(-1);
    expect(last?.kind === "point" && last.mayBeCoarse).toBe(true);
    expect(selectInput(alone).map?.rows.some(({ isCompared }) => isCompared)).toBe(false);
  });
  it("hands the points of its rows to the page", () => {
    const [row] = mapOf(state).rows;
    const item = { kind: "point", curve: row?.curveB ?? "", x: 1, isCoarse: true, point: pointOf(1e6) } as const;
    const input = selectInput(reduce(state, { type: "resultsArrived", items: [item] }));
    expect(input.map?.rows[0]?.b?.coarse.get(1)?.lioPerS).toBe(1e6);
    expect(input.map?.rows[0]).toMatchObject({ a: null, isCompared: true });
  });
});

describe("what can stand across the axis", () => {
  it("is no number of hosts, and no part of what stands on the axis itself", () => {
    const map = (text: string) => keysOf(opened(`#v1/${text}`)).map;
    expect(map("instance-caging-vm?view.by=sessions")).toBeNull();
    expect(map("two-instances?view.x=sessions@instance1&view.by=sessions")).toBeNull();
    expect(map("two-instances?view.x=sessions@instance1&view.by=sessions@instance2")).not.toBeNull();
    expect(map("starved-lms?view.by=cluster_nodes")).toBeNull();
    const offered = selectAxes(opened("#v1/starved-lms")).knobs;
    const crossing = (id: string) => offered.find((one) => one.id === id)?.crosses;
    expect([crossing("cluster_nodes"), crossing("gcs_server_processes")]).toEqual([false, true]);
  });
  it("is no part of a host that is left out", () => {
    const state = opened("#v1/starved-lms?view.by=sessions@instance3");
    expect(keysOf(state).map).not.toBeNull();
    const fewer = reduce(state, { type: "knobChanged", id: "cluster_nodes", value: 2, phase: "commit" });
    expect(keysOf(fewer).map).toBeNull();
    expect(selectAxes(fewer).by).toBeNull();
    const link = encodeLink(builtCatalogue, fewer);
    const again = decodeLink(builtCatalogue, link);
    expect(again.ok ? "" : `${link}: ${again.message}`).toBe("");
  });
  it("is a knob with numbers or words to choose from", () => {
    const wrong = decodeLink(builtCatalogue, "#v1/cpu-queue?view.by=smt_throughput");
    expect(wrong.ok ? "" : wrong.message).toMatch(/^view\.by is a knob with numbers or words/);
    expect(mapOf(opened("#v1/instance-caging-vm?view.by=os_scheduler")).by.words).toContain("EEVDF");
  });
  it("is nothing that a frame locks", () => {
    const view = opened("#v1/instance-caging-vm").view;
    const locked: AppState = {
      ...opened("#v1/instance-caging-vm"), view: { ...view, held: { locked: ["cpu_count"], areAxesLocked: false } },
    };
    expect(reduce(locked, { type: "axesChosen", by: "cpu_count" }).view.by).toBeNull();
    expect(reduce(locked, { type: "axesChosen", by: "rm_quantum_ms" }).view.by).toBe("rm_quantum_ms");
  });
});
