import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "../fixtures/lab";
import { Lab } from "../pages/lab";

/** A cluster that is over in a moment: few requests, little precision, and three points on the axis. */
const few = "arrivals_per_s=20&gc_log_flush_ms%40instance3=200&precision=0.3";
const quick = `#v1/slow-redo-elsewhere?${few}&view.x=gc_log_flush%40instance3`;

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

test("the cluster is a picture, and AWR's tables of its load and messages stand beneath", async ({ lab }) => {
  await lab.open(quick);
  const blocks = lab.page.getByRole("region", { name: "Where a block's time goes in B" });
  const picture = blocks.getByRole("img", { name: /node 3: [\d.,]+ transactions a second; of 8 CPUs/ });
  await expect(picture).toBeVisible();
  await expect(picture.locator(".link")).toHaveCount(3);
  await expect(picture.locator(".link title").filter({ hasText: /1 → 2: [\d.]+ blocks\/s/ })).toHaveCount(1);
  const load = blocks.getByRole("row", { name: /^Estd Interconnect traffic/ });
  await expect(load.getByRole("cell")).toHaveCount(3);
  await expect(blocks.getByRole("row", { name: /^Avg message received queue time/ })).toBeVisible();
});

test("a node leaves whose real-time processes take every CPU, and the page says so first", async ({ lab }) => {
  const starved = "sched_rt_runtime_us%40node3=-1&class%40background%40node3=FIFO&css_misscount_s=3";
  // It runs for many times css_misscount_s: what comes first is waited for, not all points of the curve.
  await lab.page.goto(Lab.address(`#v1/starved-lms?sessions=2&${starved}&precision=0.3`));
  const headline = lab.page.getByRole("heading", { level: 1 });
  await expect(headline).toContainText(/node 3 leaves the cluster after/i, { timeout: 40_000 });
  const who = lab.page.getByRole("list", { name: "Who left the cluster" });
  await expect(who.getByRole("listitem").first()).toContainText("heartbeats were missing for css_misscount_s");
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
