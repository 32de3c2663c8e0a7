import type { KeyboardEvent, ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Reader } from "./Reader";

/** Where keys move the cursor, which stands at `index`. */
function moved(index: number | null, count: number, ...keys: readonly string[]): number | null {
  let at = index;
  for (const key of keys) {
    const Probe = () => {
      const drawn = Reader({
        label: "Chart", count, index: at, readout: "", indexAt: () => 0, onIndex: (next) => { at = next; },
      }) as ReactElement<{ readonly onKeyDown: (event: KeyboardEvent) => void }>;
      drawn.props.onKeyDown({ key, preventDefault: () => undefined } as KeyboardEvent);
      return drawn;
    };
    renderToStaticMarkup(<Probe />);
  }
  return at;
}

it("moves its cursor by keys as far as there are values, and no further", () => {
  expect(moved(8, 10, "ArrowRight")).toBe(9);
  expect(moved(8, 10, "ArrowRight", "ArrowRight")).toBe(9);
  expect([moved(35, 40, "PageUp"), moved(35, 40, "PageUp", "PageUp")]).toEqual([39, 39]);
  expect([moved(3, 10, "End"), moved(3, 10, "Home"), moved(0, 10, "ArrowLeft")]).toEqual([9, 0, 0]);
  expect([moved(null, 10, "ArrowRight"), moved(3, 10, "Escape"), moved(0, 0, "ArrowRight")]).toEqual([0, null, 0]);
});
