/** Pairs behind a published difference: run when asked for, each side at its own place on the axis. */
import { describe, expect, it } from "vitest";
import { builtCatalogue } from "../engine/browserEngine";
import { reduce } from "./reducer";
import { selectInput } from "./selectors";
import { initialState, type AppState } from "./state";
import { decodeLink } from "./urlState";
import { keysOf, WHOLE } from "./keys";
import { isKnown, wantedOf } from "./wanted";
import { pointOf } from "../testing/buildInput";

function opened(link: string): AppState {
  const decoded = decodeLink(builtCatalogue, link);
  if (!decoded.ok) throw new Error(decoded.message);
  return { ...initialState(builtCatalogue), ...decoded.link };
}

const wholes = (state: AppState) =>
  wantedOf(state, keysOf(state)).filter((one) => one.kind === "point" && one.curve.includes(" whole"));

describe("what a published difference could come from", () => {
  const state = opened("#v1/dbwr-heavy");
  const asked = reduce(state, { type: "variantsAsked" });
  const rows = state.catalogue.presets.find(({ id }) => id === "dbwr-heavy")!.variants!.rows;
  it("is not run before it is asked for, and then after everything else", () => {
    const before = wholes(state);
    const after = wholes(asked);
    expect(after.length - before.length).toBe(rows.length);
    const all = wantedOf(asked, keysOf(asked));
    expect(all.slice(-rows.length)).toEqual(after.slice(-rows.length));
  });
  it("compares A as it is with B as it is, both with the change, or B alone", () => {
    const queries = wholes(asked).slice(-rows.length).map(({ query, options }) => [options.against, query]);
    const [same, cfs] = queries;
    expect(same).toEqual(["dbwr-heavy?db_writer_processes=1", "dbwr-heavy"]);
    expect(cfs).toEqual(["dbwr-heavy?db_writer_processes=1&os_scheduler=CFS", "dbwr-heavy?os_scheduler=CFS"]);
    const alone = queries[rows.findIndex(({ label }) => label.includes("B alone"))];
    expect(alone).toEqual(["dbwr-heavy?db_writer_processes=1", "dbwr-heavy?data_io_ms=3.95"]);
  });
  it("reaches the page when both halves are in", () => {
    const wanted = wholes(asked).at(-rows.length)!;
    if (wanted.kind !== "point" || wanted.other === null) throw new Error("no pair");
    const item = (curve: string, rate: number) =>
      ({ kind: "point", curve, x: WHOLE, isCoarse: false, point: { ...pointOf(rate, 0), pair: "p" } }) as const;
    const done = reduce(asked, { type: "resultsArrived", items: [item(wanted.curve, 2e6), item(wanted.other, 1e6)] });
    expect([isKnown(asked, wanted), isKnown(done, wanted)]).toEqual([false, true]);
    const [first, second] = selectInput(done).variants;
    expect([first?.label, first?.a?.lioPerS, first?.b?.lioPerS]).toEqual(["as here", 1e6, 2e6]);
    expect([second?.a, selectInput(done).areVariantsAsked]).toEqual([null, true]);
  });
  it("is asked of one preset, and there is nothing to ask without a difference", () => {
    const other = reduce(asked, { type: "presetChosen", preset: "dbwr-moderate" });
    expect(selectInput(other).areVariantsAsked).toBe(false);
    const alone = { ...asked, ghost: {} };
    expect(keysOf(alone).variants).toEqual([]);
  });
  it("asks of no assumption that does not act on either side", () => {
    const hinges = (link: string) => keysOf(opened(link)).hinge.length;
    const link = "#v1/instance-caging-vm?os_scheduler=processor_sharing";
    expect([hinges(link), hinges(`${link}&a.os_scheduler=CFS`)]).toEqual([0, 9]);
  });
  it("what the answer hangs on is compared so, too: of the knob sideways each side has its own", () => {
    const hinge = wholes(opened("#v1/instance-caging-vm?a.sessions=8"))[0];
    expect([hinge?.options.against, hinge?.query]).toEqual([
      "instance-caging-vm?sessions=8&switch_refill_us=10",
      "instance-caging-vm?switch_refill_us=10",
    ]);
  });
});
