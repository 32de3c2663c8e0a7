import {
  busy, button, countFocus, expected, focusCount, holdTab, lookAtMenu, rows,
} from "../../web/scripts/menu-keys.mjs";
import { expect, test } from "../fixtures/lab";
import { Lab } from "../pages/lab";

test("a menu has the keys of menus", async ({ lab }) => {
  test.slow();
  await lab.open();
  const { page } = lab;
  for (const row of rows) {
    await page.getByRole("button", { name: button }).focus();
    for (const key of row.keys) await page.keyboard.press(key);
    expect({ keys: row.keys, ...(await page.evaluate(lookAtMenu, button)) }).toEqual({
      keys: row.keys, ...expected(row),
    });
    await page.keyboard.press("Escape");
  }
});

test("a press elsewhere closes a menu, one on its button opens and closes it", async ({ lab }) => {
  await lab.open();
  const [menu, opener] = [lab.page.getByRole("menu"), lab.page.getByRole("button", { name: button })];
  // As slow as a hand: a press elsewhere would close it before the button hears of it.
  await opener.click({ delay: 200 });
  await expect(menu).toBeVisible();
  await opener.click({ delay: 200 });
  await expect(menu).toBeHidden();
  await opener.click();
  await lab.headline.click();
  await expect(menu).toBeHidden();
  await opener.click();
  await expect(menu).toBeVisible();
});

test("Tab held for ten seconds on a busy page leads on, and the focus never moves by itself", async ({ lab }) => {
  const { page } = lab;
  await page.goto(Lab.address(busy));
  await expect(page.locator("main[data-busy]")).toBeVisible();
  // All that can have the focus is there before the page has no time left to draw it.
  await expect(page.getByRole("button", { name: button })).toBeVisible();
  await expect(page.getByRole("slider", { name: "sessions", exact: true })).toBeVisible();
  await page.evaluate(countFocus);
  const pressed = await holdTab(() => page.keyboard.down("Tab"), 10);
  await page.keyboard.up("Tab");
  const during = await page.evaluate(focusCount);
  expect(during.times).toBeLessThanOrEqual(pressed);
  expect(during.times).toBeGreaterThan(10);
  expect(during.places).toBeGreaterThanOrEqual(Math.min(20, during.times));
  await page.waitForTimeout(1000);
  expect((await page.evaluate(focusCount)).times).toBe(during.times);
});
