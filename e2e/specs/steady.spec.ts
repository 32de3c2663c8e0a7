/** What stays as it is while something else moves: the form of the headline, the ear, the axes, the names. */
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/lab";

/** Every text that the headline and the live region had since. */
async function listen(page: Page): Promise<() => Promise<{ shown: string[]; said: string[] }>> {
  await page.evaluate(() => {
    const heard = { shown: [] as string[], said: [] as string[] };
    const textOf = (selector: string): string => document.querySelector(selector)?.textContent ?? "";
    const before = textOf("h1");
    const note = (list: string[], selector: string): void => {
      const text = textOf(selector);
      if (text !== "" && (list.at(-1) ?? before) !== text) list.push(text);
    };
    const look = (): void => {
      note(heard.shown, "h1");
      note(heard.said, ".answer [role=status]");
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
    Object.assign(globalThis, { heard });
  });
  return () => page.evaluate(() => (globalThis as unknown as { heard: { shown: string[]; said: string[] } }).heard);
}

/** Its words without names, numbers, how well they are known, and which way it goes. */
const formOf = (headline: string): string =>
  headline.replaceAll("\u00a0", " ").replace("either way about", "either way")
    .replaceAll(/[−+±<]?\d[\d.,]*( %| ms| s)?/g, "#")
    .replace(/\b(adds?|costs?|gives?|lengthens?|shortens?)\b/, "moves").replaceAll(/ (equal|# ±?#|#)(?= at)/g, " #")
    .replaceAll(/( ?±#| #)+/g, " #");

test("one drag across the range: two forms of headline at most, and nothing said to the ear but what stands", async ({
  lab,
}) => {
  await lab.open("#v1/instance-caging-vm");
  const heard = await listen(lab.page);
  await lab.dragTo("sessions", 4);
  await lab.settled();
  const settled = (await lab.headline.textContent()) ?? "";
  await expect.poll(async () => (await heard()).said).toEqual([settled]);
  const dragged = (await heard()).shown.filter((text) => text !== settled);
  expect(dragged.length).toBeGreaterThan(3);
  expect(new Set(dragged.map(formOf)).size, dragged.join("\n")).toBeLessThanOrEqual(2);
});

test("what the assumption hangs on is the same whatever stands on the axis", async ({ lab }) => {
  const axis = lab.page.locator(".sure").getByRole("img");
  const told: string[] = [];
  for (const x of ["sessions", "switch_refill_us"]) {
    await lab.open(`#v1/instance-caging-vm?view.x=${x}`);
    told.push(`${await axis.getAttribute("aria-label")} ${await lab.page.locator(".sure p").innerText()}`);
  }
  expect(told[0]).toMatch(/loses below [\d.,]{1,6}\sµs/);
  expect(told[1]).toBe(told[0]);
});

test("a typed question mark stays in its field, outside it the keys are shown", async ({ lab }) => {
  await lab.open();
  await lab.field("sessions").focus();
  await lab.page.keyboard.press("?");
  await expect(lab.page.getByRole("dialog")).toHaveCount(0);
  await lab.page.keyboard.press("Escape");
  await lab.headline.click();
  await lab.page.keyboard.press("?");
  await expect(lab.page.getByRole("dialog", { name: "Keys" })).toContainText("outside of a field");
});

test("in forced colours each slider has a track that can be seen, and each swatch its colour", async ({ lab }) => {
  await lab.page.emulateMedia({ forcedColors: "active" });
  await lab.open();
  const paper = await lab.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  for (const [what, part] of [[".slider-track", "::before"], [".slider-tick", undefined]] as const) {
    const drawn = await lab.page.locator(what).evaluateAll(
      (all, pseudo) => all.map((one) => getComputedStyle(one, pseudo).backgroundColor), part,
    );
    expect(drawn.length, what).toBeGreaterThan(2);
    expect(drawn.filter((colour) => colour === paper || /^rgba.*, 0\)$|transparent/.test(colour)), what).toEqual([]);
  }
  const swatches = await lab.page.locator(".events .swatch").evaluateAll((all) =>
    all.map((one) => getComputedStyle(one).backgroundColor));
  expect(swatches.length).toBeGreaterThan(2);
  expect(new Set(swatches).size).toBeGreaterThan(2);
});

test("a phone laid on its side shows the curve and its knob at once", async ({ lab }) => {
  await lab.page.setViewportSize({ width: 844, height: 390 });
  await lab.open();
  await lab.page.evaluate(() => scrollTo(0, 0));
  const handle = lab.page.getByRole("slider", { name: /, on the curve$/ });
  await expect(lab.headline).toBeInViewport({ ratio: 1 });
  await expect(handle).toBeInViewport();
  await expect(lab.page.locator(".curve .chart-body").first()).toBeInViewport({ ratio: 0.5 });
  await handle.press("ArrowLeft");
  await expect(handle).toHaveAttribute("aria-valuetext", /^31\b/);
});

test("knobs say their own value to the ear, not a place on the track", async ({ lab }) => {
  await lab.open("#v1/instance-caging-vm?lio_us=2.2");
  const said = await lab.page.locator(".knobs input[type=range]").evaluateAll((all) =>
    all.map((one) => [one.getAttribute("aria-valuetext") ?? "", one.getAttribute("max") ?? ""]));
  expect(said.length).toBeGreaterThan(3);
  expect(said.filter(([text, most]) => text === "" || text === most)).toEqual([]);
  await expect(lab.knob("sessions")).toHaveAttribute("aria-valuetext", /^32\b/);
});

/** The score of Web Vitals: how much of the window moved, and how far, with nobody touching it. Good is below 0.1. */
const windows = [["desk", { width: 1440, height: 900 }], ["phone", { width: 390, height: 844 }]] as const;

for (const [where, viewport] of windows)
  test(`a first visit on a ${where} hardly moves what is being read, and nothing as a whole`, async ({ lab }) => {
    await lab.page.setViewportSize(viewport);
    await lab.page.addInitScript(() => {
      const moved: { readonly value: number; readonly whole: string[] }[] = [];
      Object.assign(globalThis, { moved });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { value, sources } = entry as PerformanceEntry & { value: number; sources: { node: Node | null }[] };
          const names = sources.map(({ node }) => node?.nodeName ?? "");
          moved.push({ value, whole: names.filter((name) => /^(BODY|MAIN|FOOTER)$/.test(name)) });
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    await lab.open("#v1/instance-caging-vm");
    type Moved = { readonly moved: readonly { readonly value: number; readonly whole: readonly string[] }[] };
    const moved = await lab.page.evaluate(() => (globalThis as unknown as Moved).moved);
    expect(moved.flatMap(({ whole }) => whole)).toEqual([]);
    expect(moved.reduce((sum, { value }) => sum + value, 0)).toBeLessThan(0.1);
  });
