import { expect, it } from "vitest";
import { fakeCatalogue } from "../testing/fakeCatalogue";
import { coerce } from "./values";

it("takes what is typed between the slider's steps, and whole numbers of what is counted", () => {
  const [first] = fakeCatalogue.knobs.filter(({ kind }) => kind === "number");
  const ms = { ...first!, min: 0, max: 600_000, step: 10, scale: "linear" } as const;
  expect([3, 0.5, 33, 700_000].map((typed) => coerce(ms, typed))).toEqual([3, 0.5, 33, 600_000]);
  expect(coerce({ ...ms, kind: "integer", step: 1 }, 2.6)).toBe(3);
});
