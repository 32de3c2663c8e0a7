import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "../fixtures/lab";
import { Lab } from "../pages/lab";

/** A cluster that is over in a moment: few requests, and little precision. */
const quick = "#v1/slow-redo-elsewhere?arrivals_per_s=20&gc_log_flush_ms%40instance3=200&precision=0.3";

test("a cluster says where a block's time goes, beside what was published of its instances", async ({ lab }) => {
  await lab.open(quick);
  const blocks = lab.page.getByRole("region", { name: "Where a block's time goes in B" });
  const pairs = blocks.getByRole("table").first();
  await expect(pairs.getByRole("rowheader", { name: "cr block, 1 ← 3" })).toBeVisible();
  await expect(pairs.getByRole("img", { name: /log flush \d/ }).first()).toBeVisible();
  const cache = blocks.getByRole("table").nth(1);
  const row = cache.getByRole("row", { name: /^Avg global cache cr block flush time/ });
  // Published of instances 1 and 3.
  await expect(row).toContainText("51.5");
  await expect(row).toContainText("4,380.0");
  const { violations } = await new AxeBuilder({ page: lab.page }).include(".blocks").analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
});

test("instances that share nothing have no such panel", async ({ lab }) => {
  await lab.open("#v1/slow-redo-elsewhere?interconnect=none&arrivals_per_s=20&precision=0.3");
  await expect(lab.page.locator(".events")).toBeVisible();
  await expect(lab.page.locator(".blocks")).toHaveCount(0);
});

test("a cluster of one instance is refused by name", async ({ lab }) => {
  await lab.page.goto(Lab.address("#v1/dbwr-moderate?interconnect=1GbE"));
  await expect(lab.page.locator("body")).toContainText("joins two instances or more");
});
