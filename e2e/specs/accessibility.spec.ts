import { expect, test } from "../fixtures/lab";
import { axeFaults } from "../fixtures/reach";
import { Lab } from "../pages/lab";

const map = "cpu-queue?arrivals=closed&sessions=16&precision=0.1&a=&y=throughput_lio&view.by=think_time_ms";

for (const scenario of ["lpar-smt4", "starved-service?x=class@service", map]) {
  test(`axe finds nothing in ${scenario}`, async ({ lab }) => {
    await lab.open(`#v1/${scenario}`);
    await lab.page.getByRole("button", { name: /^Vertical axis/ }).click();
    expect(await axeFaults(lab.page)).toEqual([]);
  });
}

test("axe finds nothing in a frame", async ({ page }) => {
  const frame = "embed.html?panels=answer,curve,knobs&show=sessions&lock=axes";
  await page.goto(Lab.address("#v1/instance-caging-vm", frame));
  await new Lab(page).settled();
  expect(await axeFaults(page)).toEqual([]);
});

for (const dialog of ["Share", "Embed", "Published", "What this model leaves out", "Keys"]) {
  test(`axe finds nothing in the dialog “${dialog}”, and Escape closes it`, async ({ lab }) => {
    await lab.open();
    const button = lab.page.getByRole("button", { name: dialog, exact: true });
    await button.click();
    await expect(lab.page.getByRole("dialog")).toBeVisible();
    expect(await axeFaults(lab.page)).toEqual([]);
    await lab.page.keyboard.press("Escape");
    await expect(lab.page.getByRole("dialog")).toBeHidden();
    await expect(button).toBeFocused();
  });
}

test("axe finds nothing on a phone", async ({ lab }) => {
  await lab.page.setViewportSize({ width: 390, height: 844 });
  await lab.open();
  expect(await axeFaults(lab.page)).toEqual([]);
});

test("axe finds nothing in the page for embedding", async ({ lab }) => {
  await lab.page.goto(`${process.env["SITE"]}embed.html?panels=answer,curve,knobs`);
  await lab.settled();
  expect(await axeFaults(lab.page)).toEqual([]);
});
