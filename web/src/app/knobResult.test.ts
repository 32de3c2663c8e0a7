import { expect, it } from "vitest";
import { builtCatalogue as catalogue } from "../engine/browserEngine";
import { initialState, reduceAll } from "../testing/knobRows";
import { knobItems } from "./knobItems";

it("has knobs say B's result only while they turn B", () => {
  const rows = reduceAll(initialState(catalogue), "#v1/instance-caging-vm").map((row) => ({
    ...row, announcement: "3.35 M LIO/s",
  }));
  const results = (turnsA: boolean) =>
    new Set(knobItems()(rows, new Set(), null, turnsA).map(({ result }) => result));
  expect([results(false), results(true)]).toEqual([new Set(["3.35 M LIO/s"]), new Set([""])]);
});
