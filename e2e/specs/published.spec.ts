import { expect, test } from "../fixtures/lab";

test("published figures are simulated while their list is open; a name leads to its scenario", async ({ lab }) => {
  await lab.open("#v1/caging-nine-on-six");
  await lab.page.getByRole("button", { name: "Published", exact: true }).click();
  const dialog = lab.page.getByRole("dialog", { name: "Published figures" });
  await expect(dialog.getByRole("status")).toHaveText(/^All \d+ scenarios behind these figures have run\.$/);
  await expect(dialog.getByRole("rowheader").first()).toHaveText("Nine sessions on six CPUs");
  await expect(dialog.getByRole("cell", { name: "running" })).toHaveCount(0);
  const loss = dialog.getByRole("row", { name: /caged to six against bound to six/ });
  await expect(loss.getByRole("cell").nth(1)).toHaveText(/^−\d\.\d+\u00a0%±0\.\d+$/);
  await expect(loss.getByRole("cell").nth(2)).toHaveText(/^[−+]\d+\.\d\u00a0±<?\d+\.\d\u00a0points$/);
  await expect(loss.getByRole("cell").nth(3)).toHaveText(/^not met within 1\u00a0point ?outside the interval$/);
  await expect(loss).toContainText("Not met: the empty slots alone");
  await expect(loss).toContainText("consistency check");
  await dialog.getByRole("link", { name: "nine sessions bound to six CPUs" }).click();
  await expect(dialog).toBeHidden();
  await expect(lab.page).toHaveURL(/#v1\/caging-nine-on-six\?resource_manager_plan=none$/);
});

test("the keyboard reaches the work that a figure is from, and the page that defaults are from", async ({ lab }) => {
  await lab.open("#v1/caging-nine-on-six");
  const { page } = lab;
  const focused = () =>
    page.evaluate(() => {
      const { activeElement: at } = document;
      return at instanceof HTMLAnchorElement && at.target === "_blank" ? [at.textContent, at.href, at.rel] : null;
    });
  const tabTo = async () => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      const found = await focused();
      if (found !== null) return found;
    }
    return null;
  };
  await page.getByRole("button", { name: "Published", exact: true }).click();
  const work = "https://bdrouvot.github.io/2015/01/15/"
    + "cpu-binding-processor_group_name-vs-instance-caging-comparison-during-lio-pressure/";
  await expect(page.getByRole("dialog").getByRole("link", { name: /^Drouvot/ }).first()).toBeVisible();
  const rel = "noopener noreferrer";
  expect(await tabTo()).toEqual(["Drouvot 2015-01-15, CPU binding versus instance caging", work, rel]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "What this model leaves out" }).click();
  const dialog = page.getByRole("dialog", { name: "What this model leaves out" });
  const cpuCount = dialog.getByRole("link", { name: "Oracle Database Reference 19c, CPU_COUNT" });
  await expect(cpuCount).toHaveAttribute(
    "href", "https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/CPU_COUNT.html",
  );
  expect(await tabTo()).toHaveLength(3);
});

test("below the knobs the source of the one in hand is a link", async ({ lab }) => {
  await lab.open("#v1/instance-caging-vm");
  await lab.knob("cpu_count").focus();
  const link = lab.page.getByRole("note", { name: "About the knob in hand" }).getByRole("link");
  await expect(link).toHaveText("Oracle Database Reference 19c, CPU_COUNT");
  await expect(link).toHaveAttribute("target", "_blank");
});
