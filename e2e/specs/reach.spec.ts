/**
 * Every panel of every preset for those who listen, who read large, and who choose their colours: one load a preset,
 * zoom and theme changed in place.
 */
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/lab";
import { catalogue } from "../fixtures/randomScenarios";
import { axeFaults, namesOn } from "../fixtures/reach";
import { Lab } from "../pages/lab";

/** Runs that go on for longer are stopped: what is looked at here stands after the first of them. */
const PATIENCE_MS = 4000;

async function openQuickly(lab: Lab, preset: string): Promise<void> {
  await lab.page.goto(Lab.address(`#v1/${preset}?precision=0.3`));
  await expect(lab.page.locator("section.events tbody tr").first()).toBeVisible({ timeout: 40_000 });
  const calm = lab.page.locator("main:not([data-busy])");
  await calm.waitFor({ timeout: PATIENCE_MS }).catch(async () => {
    const stop = lab.page.getByRole("button", { name: "Stop", exact: true });
    await Promise.race([stop.click(), calm.waitFor()]);
    await calm.waitFor();
  });
}

/** What a theme can change; the rest is looked at once for each zoom. */
const COLOURS = ["color-contrast", "link-in-text-block"];

async function hasNames(page: Page, where: string): Promise<void> {
  const names = await namesOn(page);
  expect(names.count, where).toBeGreaterThan(10);
  expect(names.headings, where).toBeGreaterThan(2);
  expect(names.unnamed, where).toEqual([]);
  expect(names.twins, where).toEqual([]);
}

/** The scenario's name is cut only where the bar is full. */
async function titleIsWhole(page: Page): Promise<void> {
  const bar = await page.locator(".bar").evaluate((own) => {
    const [title, spacer] = [own.querySelector(".pick > span"), own.querySelector(".spacer")];
    return { cutPx: (title?.scrollWidth ?? 0) - (title?.clientWidth ?? 0), freePx: spacer?.clientWidth ?? 0 };
  });
  expect(bar.cutPx > 0 && bar.freePx > 40, JSON.stringify(bar)).toBe(false);
}

async function axeIsSilent(page: Page, where: string, rules: readonly string[] = []): Promise<void> {
  expect(await axeFaults(page, rules), where).toEqual([]);
}

test.use({ viewport: { width: 1440, height: 900 } });

/** In light at both zooms; in other colours at one of them, the next preset at the other. */
catalogue.presets.forEach(({ id }, i) => {
  test(`every panel of ${id} has names, and axe finds nothing, enlarged and in all colours`, async ({ lab }) => {
    const { page } = lab;
    await openQuickly(lab, id);
    await titleIsWhole(page);
    for (const zoom of i % 2 === 0 ? [2, 1] : [1, 2]) {
      await page.setViewportSize({ width: 1440 / zoom, height: 900 / zoom });
      await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
      await hasNames(page, `at ${100 * zoom} %`);
      await axeIsSilent(page, `light at ${100 * zoom} %`);
    }
    await page.emulateMedia({ colorScheme: "dark" });
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await axeIsSilent(page, "dark", COLOURS);
    await page.emulateMedia({ colorScheme: "light", forcedColors: "active" });
    await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
    await axeIsSilent(page, "forced colours", COLOURS);
    await page.emulateMedia({ forcedColors: "none" });
    await lab.choose(/^(More|Theme and colours)$/, "Projector");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "projector");
    await axeIsSilent(page, "projector", COLOURS);
  });
});
