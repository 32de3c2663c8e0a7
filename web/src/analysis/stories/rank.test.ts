import { expect, it } from "vitest";
import { textOf } from "../../testing/buildInput";
import { sumSentence } from "./rank";
import type { Claim } from "./types";

const claim = (words: string, points: number): Claim => ({
  worth: Math.abs(points), share: { words, points }, headline: null, sentences: [],
});

it.each([
  [[300.4, -50.3], 250.2, "Less waiting: [+300 points]; switching: [−50]. "],
  [[120.4, -20.3], 100.1, "Less waiting: [+120 points]; switching: [−20]. "],
  [[60.4, -20.3], 40.1, "Less waiting: [+60.4 points]; switching: [−20.3]. "],
])("points %j of %f are whole ones where there are hundreds", ([more = 0, less = 0], sum, told) => {
  expect(textOf(sumSentence([claim("less waiting", more), claim("switching", less)], sum))).toBe(told);
});
