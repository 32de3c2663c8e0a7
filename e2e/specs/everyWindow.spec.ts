import { expect, test } from "../fixtures/lab";
import type { Page } from "@playwright/test";

/** Things of the page's head that lie on one another. */
async function overlapsIn(page: Page, selector: string): Promise<string[]> {
  const boxes = await page.locator(selector).evaluateAll((elements) =>
    elements.map((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return { name: element.getAttribute("aria-label") ?? element.textContent ?? "", left, right, top, bottom };
    }),
  );
  return boxes.flatMap((one, i) =>
    boxes
      .slice(i + 1)
      .filter((other) => one.right > other.left + 1 && other.right > one.left + 1 && one.bottom > other.top + 1
        && other.bottom > one.top + 1)
      .map((other) => `${one.name} on ${other.name}`),
  );
}

const HEAD = ".bar button:visible, .bar .side:visible, .bar .name:visible";

test.describe("at 200 % of a notebook", () => {
  test.use({ viewport: { width: 720, height: 450 } });
  test("nothing of the head lies on another, and all that is below can be scrolled to", async ({ lab }) => {
    await lab.open();
    expect(await overlapsIn(lab.page, HEAD)).toEqual([]);
    expect(await lab.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    const trust = lab.page.locator(".trust");
    await expect(trust).not.toBeInViewport();
    await trust.scrollIntoViewIfNeeded();
    await expect(trust).toBeInViewport();
    await lab.choose(/^More$/, "Timeline");
    await expect(lab.page.locator('main[data-view="timeline"]')).toBeVisible();
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  test("each item of the menu has a line of its own", async ({ lab }) => {
    await lab.open();
    await lab.page.getByRole("button", { name: "More", exact: true }).tap();
    const lines = await lab.page.getByRole("menu").locator(".menu-item").evaluateAll((items) =>
      items.map((item) => ({
        top: Math.round(item.getBoundingClientRect().top), height: item.getBoundingClientRect().height,
        isCut: item.scrollWidth > item.clientWidth,
      })),
    );
    expect(lines.length).toBeGreaterThan(6);
    expect(new Set(lines.map(({ top }) => top)).size).toBe(lines.length);
    expect(lines.filter(({ height, isCut }) => isCut || height < 44)).toEqual([]);
  });
});

test("on paper stand the finding, every chart and no knob", async ({ lab }) => {
  await lab.open();
  await lab.page.emulateMedia({ media: "print" });
  await lab.page.setViewportSize({ width: 720, height: 1000 });
  await expect(lab.headline).toBeVisible();
  for (const hidden of [".knobs", ".tools", ".past", ".axis-menus"])
    await expect(lab.page.locator(hidden).first()).toBeHidden();
  const charts = await lab.page.locator(".main .chart-body svg:visible")
    .evaluateAll((plots) => plots.map((plot) => {
      const { width, right, height } = plot.getBoundingClientRect();
      return { isWide: width > 100, isIn: right <= innerWidth + 1, isHigh: height > 20 };
    }));
  expect(charts.length).toBeGreaterThan(3);
  expect(charts.filter(({ isWide, isIn, isHigh }) => !isWide || !isIn || !isHigh)).toEqual([]);
  const height = await lab.page.evaluate(() => document.documentElement.scrollHeight);
  expect(height).toBeGreaterThan(1200);
});

test("paper is white, and what is data keeps its colours there", async ({ lab }) => {
  await lab.page.emulateMedia({ colorScheme: "dark" });
  await lab.open();
  const root = lab.page.locator("html");
  await expect(root).toHaveAttribute("data-theme", "dark");
  await lab.page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(root).toHaveAttribute("data-theme", "light");
  await expect(lab.page.locator(".events .swatch").first()).toHaveCSS("print-color-adjust", "exact");
  await lab.page.emulateMedia({ media: "screen", colorScheme: "dark" });
  await expect(root).toHaveAttribute("data-theme", "dark");
});
