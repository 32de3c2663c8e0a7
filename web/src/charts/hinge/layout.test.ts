import { expect, it } from "vitest";
import { described, layoutHinge } from "./layout";

const hinge = {
  knob: "switch_refill_us", unit: "µs", from: 10, to: 3000, here: 800, even: 420,
  marks: [{ value: 55, label: "bare metal" }], leftWord: "cage loses", rightWord: "cage wins",
};

it("stands on a log axis", () => {
  const layout = layoutHinge({ ...hinge, from: 10, to: 1000, here: 100 }, 400);
  expect(layout.hereX).toBeCloseTo(200, 6);
});

it("names here first, and no two names touch", () => {
  for (const here of [10, 40, 55, 300, 400, 430, 800, 3000]) {
    const { labels } = layoutHinge({ ...hinge, here }, 392);
    expect(labels[0]?.kind).toBe("here");
    expect(labels.every((label) => label.x >= 0 && label.x <= 392)).toBe(true);
  }
});

it("has no turn where the sign holds everywhere", () =>
  expect(layoutHinge({ ...hinge, even: null }, 392).evenX).toBeNull());

it("says where the sign turns, with the unit where there is one", () => {
  const said = (one: Partial<Parameters<typeof described>[0]>) =>
    described({ ...hinge, ...one }).replaceAll("\u00a0", " ");
  expect(said(hinge))
    .toBe("switch_refill_us from 10 to 3,000 µs: cage loses below 420 µs, cage wins above; here 800 µs");
  expect(said({ ...hinge, unit: "" }))
    .toBe("switch_refill_us from 10 to 3,000: cage loses below 420, cage wins above; here 800");
  expect(said({ unit: "", even: null, rightWord: "cage wins everywhere" }))
    .toBe("switch_refill_us from 10 to 3,000: cage wins everywhere; here 800");
});

it("marks what is known, but for a value at which we stand", () => {
  const { marks, labels, toX } = layoutHinge(hinge, 392);
  expect(marks).toEqual([toX(55)]);
  expect(labels.map(({ text }) => text)).toContain("bare metal 55");
  expect(layoutHinge({ ...hinge, here: 55 }, 392).marks).toEqual([]);
});
