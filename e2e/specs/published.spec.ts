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
  await expect(loss.getByRole("cell").nth(3)).toHaveText(/^miss ?not met, ±1\u00a0points$/);
  await expect(loss).toContainText("Not met: the empty slots alone");
  await expect(loss).toContainText("consistency check");
  await dialog.getByRole("link", { name: "nine sessions bound to six CPUs" }).click();
  await expect(dialog).toBeHidden();
  await expect(lab.page).toHaveURL(/#v1\/caging-nine-on-six\?resource_manager_plan=none$/);
});
