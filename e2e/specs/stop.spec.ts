import { expect, test } from "../fixtures/lab";
import { Lab } from "../pages/lab";

/** Scenarios of which nothing is known for seconds. */
const slow = "#v1/instance-caging-vm?lio_per_transaction=1";

test("a page that takes long says for what, stops when it is told to, and goes on from there", async ({ lab }) => {
  const { page } = lab;
  await page.goto(Lab.address(slow));
  const runs = page.getByRole("group", { name: "Runs under way" });
  await expect(runs).toContainText(/Running a first sketch of the curves: \d+ of \d+ runs/);
  await expect(page.getByText("Nothing has run yet")).toHaveCount(0);
  await expect(page.getByText(/^Running a first sketch of the curves …$/).first()).toBeVisible();
  await runs.getByRole("button", { name: "Stop" }).click();
  await expect(page.locator("main:not([data-busy])")).toBeVisible();
  await expect(page.getByText("Stopped before the first answer.").first()).toBeVisible();
  const done = async () => Number(await runs.getByRole("progressbar").getAttribute("value"));
  const stopped = await done();
  await page.waitForTimeout(1500);
  expect(await done()).toBe(stopped);
  await runs.getByRole("button", { name: "Go on" }).click();
  await expect.poll(done).toBeGreaterThan(stopped);
});

test("what stopped begins anew with the next value, and what is quick shows no progress", async ({ lab }) => {
  await lab.page.goto(Lab.address(slow));
  await lab.page.getByRole("button", { name: "Stop" }).click();
  await lab.field("lio_per_transaction").fill("60000");
  await lab.field("lio_per_transaction").press("Enter");
  await lab.settled();
  await expect(lab.page.getByRole("group", { name: "Runs under way" })).toHaveCount(0);
});
