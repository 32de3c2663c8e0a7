import { expect, test } from "../fixtures/lab";

test("a term is explained under the mouse and with the focus, stays while pointed at, and goes with Escape", async ({
  lab,
}) => {
  await lab.open("#v1/instance-caging-vm");
  const { page } = lab;
  const term = page.locator("section.sure").getByRole("button", { name: "paired replications" });
  const words = page.getByRole("tooltip");
  await term.hover();
  await expect(words).toContainText("equal random numbers");
  // From the word to its explanation, which stays.
  await words.hover();
  await page.waitForTimeout(400);
  await expect(words).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(words).toHaveCount(0);
  await lab.headline.hover();
  await term.focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await expect(words).toContainText("equal random numbers");
  await expect(term).toHaveAttribute("aria-describedby", (await words.getAttribute("id")) ?? "none");
  await page.keyboard.press("Tab");
  // The next to have the focus may be a term, too.
  await expect(words.filter({ hasText: "equal random numbers" })).toHaveCount(0);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("a tap explains a term, one elsewhere ends it", async ({ lab }) => {
    await lab.open("#v1/instance-caging-vm");
    await lab.page.getByRole("button", { name: "paired replications" }).tap();
    await expect(lab.page.getByRole("tooltip")).toContainText("equal random numbers");
    await lab.headline.tap();
    await expect(lab.page.getByRole("tooltip")).toHaveCount(0);
  });
});
