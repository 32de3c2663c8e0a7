import { expect, it } from "vitest";
import type { KnobItem } from "../features/knobs/item";
import { namedVectors } from "../features/knobs/vectors";
import { fitOf, yieldsOf } from "./hostPanel";

const item = (key: string, more: Partial<KnobItem> = {}) =>
  ({ key, base: key, group: "", unit: null, kind: "number", acts: true, isLocked: false, ...more }) as KnobItem;

it("finds from points what is a number, acts and can be turned, but for the load itself", () => {
  const knobs = [
    item("lio_us"), item("cpu_count", { kind: "integer" }), item("locked", { isLocked: true }),
    item("idle", { acts: false }), item("os_scheduler", { kind: "choice" }), item("sessions"),
    item("sessions@instance1", { base: "sessions" }),
  ];
  const props = { knobs, on: {} } as unknown as Parameters<typeof fitOf>[1];
  const points = { load: "sessions" } as unknown as Parameters<typeof fitOf>[0]["points"];
  expect(fitOf({ points, isOnCurve: true }, props).knobs.map(({ id }) => id)).toEqual(["lio_us", "cpu_count"]);
});

it("has the yields of POWER7 up to four threads a core, and those of POWER8 beyond", () => {
  const told = (id: string) => ({ smt_yield: namedVectors.find((one) => one.id === id)?.yields });
  expect([2, 4].map((threads) => yieldsOf(threads, true))).toEqual([told("power7"), told("power7")]);
  expect([5, 8].map((threads) => yieldsOf(threads, true))).toEqual([told("power8"), told("power8")]);
  expect([yieldsOf(1, true), yieldsOf(8, false)]).toEqual([{}, {}]);
});
