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

test("keys of the page do nothing behind a dialog", async ({ lab }) => {
  const { page } = lab;
  await lab.open();
  const view = () => page.locator("main").first().getAttribute("data-view");
  const before = await view();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialogs = page.getByRole("dialog");
  const press = async () => {
    for (const key of ["t", "?", "Control+z"]) await page.keyboard.press(key);
  };
  await dialogs.getByRole("button", { name: "Close", exact: true }).focus();
  await press();
  await dialogs.getByRole("heading").first().click();
  await press();
  await expect(dialogs).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(dialogs).toBeHidden();
  expect(await view()).toBe(before);
  await page.keyboard.press("t");
  await expect.poll(view).toBe("timeline");
});

test.describe("in a narrow window", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("the bar of the sheet is pulled, pressed and reached by keys", async ({ lab }) => {
    const { page } = lab;
    await lab.open();
    const bar = page.locator(".sheet .grab");
    const isOpen = () => bar.getAttribute("aria-expanded");
    const pull = async (by: number) => {
      const box = await bar.boundingBox();
      if (box === null) throw new Error("there is no bar");
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 + by, { steps: 4 });
      await page.mouse.up();
    };
    await pull(-60);
    await expect.poll(isOpen).toBe("true");
    await pull(60);
    await expect.poll(isOpen).toBe("false");
    await bar.click();
    await expect.poll(isOpen).toBe("true");
    await bar.press("Enter");
    await expect.poll(isOpen).toBe("false");
  });
});

test("a value that is taken back while it is checked is not set", async ({ lab }) => {
  const { page } = lab;
  await page.goto(Lab.address("#v1/lpar-smt4"));
  const field = page.getByRole("textbox", { name: "smt_yield", exact: true });
  await field.fill("1/1.25/1.4/1.5");
  // Both keys before the decoder can answer.
  await field.evaluate((input) => {
    for (const key of ["Enter", "Escape"]) input.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  });
  await field.blur();
  await page.waitForTimeout(500);
  expect(lab.link()).not.toContain("smt_yield");
  await field.fill("1/1.25/1.4/1.5");
  await field.press("Enter");
  await expect.poll(() => lab.link()).toContain("smt_yield=1/1.25/1.4/1.5");
});
