/** Four rows on one clock, two columns on one scale. */
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { RedoSide } from "../../analysis/types";
import { heightsOf, layoutRedo, readingAt, ROWS, type RedoPart } from "./layout";
import { rowsOf } from "./RedoChart";
import { RedoSideView } from "./RedoSide";

const figure = (value: number, ci95: number | null = null) => ({ value, ci95 });
const side: RedoSide = {
  spanS: 12, warmupS: 0, binS: 4, commitsPerS: [1340, 0, 1490], commitsPerWrite: [2.2, null, 2.4],
  writersCpus: [0.3, 0.5, 0.2],
  late: [{ timeS: 0, value: 0 }, { timeS: 6, value: 1.1 }, { timeS: 12, value: 0.1 }],
  stalls: [
    { fromS: 4, toS: 8, ms: 4000 }, { fromS: 8.05, toS: 8.1, ms: 50 }, { fromS: -1, toS: 0.5, ms: 1500 },
  ],
};
const part: RedoPart = {
  side,
  totals: {
    commitsPerS: figure(1345, 6), commitsPerWrite: figure(2.26, 0.01), writersCpus: figure(0.32), stallMs: figure(180),
    stallsPerS: figure(0.3), switchesPerS: figure(0.3), switchMs: null,
  },
};
const column = { left: 24, right: 324 };
const heights = heightsOf([side]);
const layout = layoutRedo("B", part, column, heights);

it("scales end with round numbers, and are the same for both sides", () => {
  expect(heights).toEqual({ rate: 1500, late: 1.2, batch: 2.5, writers: 0.5 });
  expect(heightsOf([side, { ...side, commitsPerS: [4000] }]).rate).toBe(4000);
});

it("steps from bin to bin, and has a gap where no log write ended", () => {
  expect(layout.paths.batch.match(/M/g)).toHaveLength(2);
  expect(layout.paths.rate.match(/M/g)).toHaveLength(1);
  // No commits: on the axis, from a third of the column to two thirds.
  expect(layout.paths.rate).toContain(`V${ROWS.rate.bottom}H224`);
  // The top of the scale, 1,500, is 10 above 1,490 of 56 pixels.
  expect(layout.paths.rate).toMatch(/V36\.37H324$/);
});

it("draws a stall as long as it lasts, cut at the edge, and says its length where there is room", () => {
  const [long, short, cut] = layout.stalls;
  expect(long).toMatchObject({ x: 124, width: 100 });
  expect(short?.width).toBeGreaterThan(1);
  expect([long?.label?.text, short?.label?.text]).toEqual(["4\u00a0s", "50\u00a0ms"]);
  expect(short!.label!.x - long!.label!.x).toBeGreaterThan(40);
  expect(cut).toMatchObject({ x: 24, width: 12.5 });
});

it("veils the warm-up over all rows, stalls and all, and says so in place of nought", () => {
  const drawn = (warmupS: number) => {
    const own = layoutRedo("B", { ...part, side: { ...side, warmupS } }, column, heights);
    const svg = renderToStaticMarkup(<svg><RedoSideView column={own} reading={null} cursorX={null} isFirst /></svg>);
    return { own, svg, veil: /<rect class="veil" x="24" y="18" width="([\d.]+)" height="314">/.exec(svg)?.[1] };
  };
  expect(drawn(8).veil).toBe("200");
  expect(drawn(12).veil).toBe("300");
  expect(drawn(8).own.xTicks[0]).toMatchObject({ at: 24, text: "warm-up cut" });
  expect(drawn(8).own.xTicks.map(({ text }) => text)).not.toContain("2");
  // Above what it veils, and beneath the words.
  const { svg } = drawn(8);
  const order = ["stall", 'class="b"', "veil", "commits a second"].map((of) => svg.lastIndexOf(of));
  expect(Math.max(...order.slice(0, 2))).toBeLessThan(order[2]!);
  expect(order[2]).toBeLessThan(order[3]!);
  expect([drawn(0).veil, drawn(0).own.xTicks[0]?.text]).toEqual([undefined, "0"]);
});

it("says what the whole run does beside each row", () => {
  expect(layout.totals).toEqual({ rate: "1,345 ±6", batch: "2.26 ±0.01", writers: "0.32" });
});

it("has decimals where commits are few", () => {
  const totals = { ...part.totals, commitsPerS: figure(0.358, 0.021) };
  const few = { side: { ...side, commitsPerS: [0.358] }, totals };
  expect(layoutRedo("B", few, column, heights).totals.rate).toBe("0.36 ±0.02");
  expect(readingAt(few.side, 0).rate).toBe("0.36");
});

it("reads a bin: rate, whether it is stalled, how late the checkpoint is, commits a write, CPUs", () => {
  expect(readingAt(side, 1)).toEqual({ rate: "0, stalled", late: "1.1 MB", batch: "none written", writers: "0.50" });
  expect(readingAt(side, 2)).toMatchObject({ rate: "1,490", batch: "2.40" });
});

it("has each figure of a side in the table beneath its own name", () => {
  const late = { ...part, side: { ...side, commitsPerS: [5, 6], commitsPerWrite: [7, 8], writersCpus: [9, 10] } };
  const { columns, rows } = rowsOf([{ letter: "A", part: late }, { letter: "B", part }]);
  const at = (bin: number) => columns.map((name, i) => [name, rows[bin]?.[i]]);
  expect(at(0)).toEqual([
    ["from (s)", 0], ["A commits (1/s)", 5], ["A commits a log write", 7], ["A database writers (CPUs)", 9],
    ["B commits (1/s)", 1340], ["B commits a log write", 2.2], ["B database writers (CPUs)", 0.3],
  ]);
  expect(at(2).map(([, value]) => value)).toEqual([8, null, null, null, 1490, 2.4, 0.2]);
});
