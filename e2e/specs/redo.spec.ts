import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "../fixtures/lab";

/** A load that is over in a moment: few sessions, small logs, and little precision. */
const quick = "#v1/dbwr-moderate?sessions=4&think_time_ms=50&redo_log_mb=1&precision=0.2";

test("a run with redo has its stalls over time and its Statspack, and the keyboard reads them", async ({ lab }) => {
  await lab.open(quick);
  const { page } = lab;
  const chart = page.locator(".redo");
  await expect(chart.getByRole("heading"))
    .toHaveText(/^(?:Stalls for a checkpoint(?: so far)?: .+|(?:So far n|N)o log switch waits for a checkpoint.*)$/);
  await chart.getByRole("slider").focus();
  await page.keyboard.press("ArrowRight");
  await expect(chart.getByRole("slider")).toHaveAttribute(
    "aria-valuetext", /^A: [\d,]+(?:, stalled)? commits a second; checkpoint late by [\d.]+ MB; .+ B: .+ CPUs$/,
  );
  await page.keyboard.press("t");
  await expect(chart.getByRole("table")).toContainText("A commits (1/s)");
  const statspack = page.getByRole("region", { name: "Statspack of B: 15 minutes" });
  await expect(statspack.getByRole("rowheader", { name: "CPU time" })).toBeVisible();
  await expect(statspack.getByRole("rowheader", { name: "Redo size" })).toBeVisible();
  // Published of the moderate run is the load profile with eight writers, and B has as many.
  await expect(statspack).toContainText("3,222,270");
  const { violations } = await new AxeBuilder({ page }).include(".main").analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
});

test("a published Statspack stands beneath no side with other writers", async ({ lab }) => {
  await lab.open(`${quick}&view.side=A`);
  const statspack = lab.page.getByRole("region", { name: "Statspack of A: 15 minutes" });
  await expect(statspack.getByRole("rowheader", { name: "Redo size" })).toBeVisible();
  await expect(statspack).not.toContainText("3,222,270");
});

test("a run without redo has none of it, and a frame may show one panel alone", async ({ lab }) => {
  await lab.open();
  await expect(lab.page.locator(".redo, .statspack, .variants")).toHaveCount(0);
  await lab.open(`${quick}&view.panels=statspack`);
  await expect(lab.page.locator(".statspack")).toBeVisible();
  await expect(lab.page.locator(".redo, .events")).toHaveCount(0);
});

test("what a published difference could come from is run when it is asked for", async ({ lab }) => {
  await lab.open("#v1/dbwr-heavy?sessions=2&think_time_ms=50&redo_log_mb=1&precision=0.3");
  const panel = lab.page.locator(".variants");
  await expect(panel.getByRole("heading")).toHaveText("Where could 8 % come from?");
  await panel.getByRole("button", { name: /^Run \d+ pairs$/ }).click();
  await expect(panel.getByRole("heading")).toHaveText(/^Nearest to the published 1\.081: .+, \d\.\d{3}$/, {
    timeout: 60_000,
  });
  await expect(panel.getByRole("button", { name: /^Run/ })).toHaveCount(0);
});
