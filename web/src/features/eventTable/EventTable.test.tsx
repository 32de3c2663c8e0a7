import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { EventRow } from "../../analysis/types";
import { EventTable } from "./EventTable";

const row = (event: string, difference: number, isSignificant: boolean): EventRow => ({
  event, difference, isSignificant, isDatabaseEvent: true, isOfSessions: true, class: "User I/O", ci95: 0.5,
  meanMsA: 5, meanMsB: 8, aasA: 1, aasB: 1 + difference,
});
const model = {
  title: "Events", rows: [row("certain", 0.5, true), row("doubtful", 4, false)],
  sum: { aasA: 2, aasB: 6.5, difference: 4.5, ci95: 5.25, isSignificant: false },
};
const rows = (isNarrow: boolean): readonly string[] =>
  renderToStaticMarkup(<EventTable model={model} isNarrow={isNarrow} hasBars />)
    .split("<tbody>")[1]!.split("</tbody>")[0]!.split("</tr>");

it("draws no bar of a difference that may be none, and others against the largest that is certain", () => {
  const widths = rows(false).slice(0, 2).map((one) => /class="class"[^>]* width="([\d.]+)"/.exec(one)?.[1]);
  expect(widths).toEqual(["36", "1"]);
});

it("doubts the sum as it does a row", () => {
  const foot = (isSignificant: boolean): string => renderToStaticMarkup(
    <EventTable model={{ ...model, sum: { ...model.sum, isSignificant } }} isNarrow={false} hasBars />,
  ).split("<tfoot>")[1]!;
  expect(foot(false)).toMatch(/^<tr data-doubtful="true">.*<b>\+4\.50<\/b><span class="plus-minus">±5\.25<\/span>/);
  expect(foot(true)).toMatch(/^<tr><th/);
});

it("says on a phone what changed, or that no difference is shown", () => {
  const details = rows(true).slice(0, 2).map((one) => /<small>([^<]*)/.exec(one)?.[1]?.replaceAll("\u00a0", " "));
  expect(details).toEqual(["1.00 → 1.50 active, 5.0 ms → 8.0 ms each", "no difference shown"]);
});

it("has a name whole, its bracket as one piece that goes to the next line where there is no room", () => {
  const name = "log file switch (checkpoint incomplete)";
  for (const isNarrow of [true, false]) {
    const text = renderToStaticMarkup(
      <EventTable model={{ ...model, rows: [row(name, 1, true)] }} isNarrow={isNarrow} hasBars />,
    );
    expect(text).toContain('log file switch <span class="bracket">(checkpoint incomplete)</span>');
  }
});
