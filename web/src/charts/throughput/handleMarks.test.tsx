import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { fixturePage } from "../../testing/fixturePage";
import { HandleMarks } from "./HandleMarks";
import { layoutThroughput } from "./layout";

const state = { isHovered: false, isGrabbed: false, isFocused: false, isLocked: false };

/** From where to where each chevron of the handle goes, and between which ends of the plot. */
function chevronsAt(sessions: number, width: number): readonly (readonly [number, number])[] {
  const size = { width, height: 308, floorY: 0, floorPercent: [0, 0] } as const;
  const layout = layoutThroughput(fixturePage({ sessions }).curve, size);
  const markup = renderToStaticMarkup(<svg><HandleMarks layout={layout} state={state} /></svg>);
  const path = /class="chevron" d="([^"]*)"/.exec(markup)?.[1] ?? "";
  const found = [...path.matchAll(/M([\d.]+) [\d.]+l(-?\d)/g)].map(([, x, to]): [number, number] => {
    const [from, tip] = [Number(x), Number(x) + Number(to)];
    return [Math.min(from, tip), Math.max(from, tip)];
  });
  for (const [left, right] of found) {
    expect(left).toBeGreaterThanOrEqual(layout.frame.left);
    expect(right).toBeLessThanOrEqual(layout.frame.right);
  }
  return found;
}

it.each([358, 656])("chevrons stand within the plot: none beyond an end of the axis, %i wide", (width) => {
  expect([1, 24, 48].map((sessions) => chevronsAt(sessions, width).length)).toEqual([1, 2, 1]);
  const [[left] = [0], [right] = [0]] = chevronsAt(24, width);
  expect(left).toBeLessThan(right);
});
