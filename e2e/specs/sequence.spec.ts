import { expect, test } from "../fixtures/lab";
import { Lab } from "../pages/lab";

test("a sequence without CACHE says what it costs, beside the published listing", async ({ lab }) => {
  await lab.open("#v1/sequence-nocache");
  await expect(lab.headline).toContainText(/^With NOCACHE a session takes 116\ss, and 9\.9\d\ss with CACHE\s20/);
  const listing = lab.page.getByRole("region", { name: /^tkprof of B/ });
  const insert = listing.getByRole("table").first();
  // Published of one of two sessions.
  await expect(insert.getByRole("row", { name: /^total/ })).toContainText("81.23");
  await expect(listing.getByRole("row", { name: /^row cache lock/ })).toContainText("5,413");
  await expect(lab.page.getByRole("slider", { name: "sequence_cache", exact: true })).toBeVisible();
});

test("what holds of all hosts can differ between A and B", async ({ lab }) => {
  await lab.open("#v1/sequence-nocache?sequence_transfers=messages&sequence_cache=20&a.interconnect=10GbE");
  await expect(lab.headline).toContainText("1GbE");
  await expect(lab.headline).toContainText("10GbE");
});

test("CACHE 1 is refused by name", async ({ lab }) => {
  await lab.page.goto(Lab.address("#v1/sequence-nocache?sequence_cache=1"));
  await expect(lab.page.locator("body")).toContainText("write 0 for NOCACHE");
});
