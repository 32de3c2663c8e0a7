import type { KeyboardEvent, ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Reader } from "./Reader";

/** Where keys move the cursor, which stands at `index`; in rows of so many. */
const moved = (index: number | null, count: number, ...keys: readonly string[]): number | null =>
  movedIn(undefined, index, count, keys);

function movedIn(
  columns: number | undefined, index: number | null, count: number, keys: readonly string[],
  onChoose?: (index: number) => void,
): number | null {
  let at = index;
  for (const key of keys) {
    const Probe = () => {
      const drawn = Reader({
        label: "Chart", count, index: at, readout: "", indexAt: () => 0, onIndex: (next) => { at = next; },
        ...(columns === undefined ? {} : { columns }), ...(onChoose === undefined ? {} : { onChoose }),
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

it("goes up and down by rows where values stand in rows, and not out of them", () => {
  const keyed = (index: number, key: string) => movedIn(3, index, 6, [key]);
  expect([keyed(1, "ArrowUp"), keyed(4, "ArrowDown"), keyed(1, "ArrowRight"), keyed(1, "ArrowLeft")]).toEqual([
    4, 1, 2, 0,
  ]);
  expect([keyed(4, "ArrowUp"), keyed(1, "ArrowDown")]).toEqual([4, 1]);
});

it("takes what is read with Enter, where there is anything to take and something is read", () => {
  const taken: number[] = [];
  const take = (index: number) => { taken.push(index); };
  movedIn(3, 4, 6, ["Enter"], take);
  movedIn(3, null, 6, ["Enter"], take);
  expect(movedIn(3, 4, 6, ["Enter"])).toBe(4);
  expect(taken).toEqual([4]);
});
