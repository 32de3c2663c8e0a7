/** Knobs of one process kind at a time, of many. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Locator } from "@playwright/test";
import { expect, test } from "../fixtures/lab";
import { Lab } from "../pages/lab";

const quick = "#v1/dbwr-moderate?sessions=4&think_time_ms=50&redo_log_mb=1&precision=0.3";

const group = (lab: Lab): Locator => lab.page.getByRole("group", { name: "Process kinds", exact: true });
const picker = (lab: Lab): Locator => lab.page.getByRole("combobox", { name: "Knobs of which process kind" });

/** What the closed picker reads. */
const shown = (lab: Lab) =>
  picker(lab).evaluate((own: HTMLSelectElement) => own.selectedOptions[0]?.textContent ?? "");

async function open(lab: Lab): Promise<void> {
  const head = lab.page.getByRole("button", { name: "Process kinds", exact: true });
  await expect(head).toBeVisible({ timeout: 30_000 });
  if ((await head.getAttribute("aria-expanded")) === "false") await head.click();
  await expect(picker(lab)).toBeVisible();
}

test("a kind is picked, a knob of it moved: the kind says so, and so does the link", async ({ lab }) => {
  await lab.open(quick);
  await open(lab);
  expect(await shown(lab)).toBe("session");
  await expect(lab.knob("nice@session")).toBeAttached();
  await expect(lab.knob("nice@lgwr")).toHaveCount(0);
  await picker(lab).selectOption("lgwr");
  await expect(lab.knob("nice@session")).toHaveCount(0);
  await lab.field("nice@lgwr").fill("-5");
  await lab.field("nice@lgwr").press("Enter");
  await expect.poll(() => shown(lab)).toBe("lgwr (1 changed)");
  await expect.poll(() => lab.link()).toContain("nice@lgwr=-5");
  // Another kind hides it; the mark stays in the list.
  await picker(lab).selectOption("ckpt");
  await expect(lab.knob("nice@lgwr")).toHaveCount(0);
  await expect(picker(lab).getByRole("option", { name: "lgwr (1 changed)" })).toHaveCount(1);
  await lab.page.reload();
  await lab.settled();
  expect(await shown(lab)).toBe("lgwr (1 changed)");
  await expect(lab.field("nice@lgwr")).toHaveValue("−5");
});

test("of another scenario the picker begins anew", async ({ lab }) => {
  await lab.open(quick);
  await open(lab);
  await picker(lab).selectOption("ckpt");
  await lab.knob("nice@ckpt").focus();
  await lab.choose(/^One writer or eight/, "A small server among hogs");
  await expect.poll(() => shown(lab)).toBe("service (1 changed)");
});

test("by keyboard: the picker is walked, and no knob leaves the one that is reached", async ({ lab }) => {
  await lab.open(quick);
  await open(lab);
  await picker(lab).focus();
  await lab.page.keyboard.type("dbw");
  await expect.poll(() => shown(lab)).toBe("dbwr");
  await expect(picker(lab)).toBeFocused();
  await lab.page.keyboard.press("ArrowDown");
  await expect.poll(() => shown(lab)).toBe("ckpt");
  for (let i = 0; i < 4 && !(await lab.knob("nice@ckpt").evaluate((own) => own === document.activeElement)); i++)
    await lab.page.keyboard.press("Tab");
  await expect(lab.knob("nice@ckpt")).toBeFocused();
  await lab.page.keyboard.press("ArrowRight");
  await lab.page.keyboard.press("ArrowLeft");
  await expect(lab.knob("nice@ckpt")).toBeFocused();
  expect(await shown(lab)).toBe("ckpt");
});

test("a knob on the curve's axis that comes into the hand brings its kind", async ({ lab }) => {
  await lab.open(`${quick}&x=nice@lgwr`);
  await open(lab);
  expect(await shown(lab)).toBe("session");
  const box = await lab.page.getByRole("slider", { name: "nice@lgwr, on the curve" }).boundingBox();
  if (box === null) throw new Error("the handle is not on the screen");
  await lab.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await lab.page.mouse.down();
  await lab.page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2, { steps: 6 });
  await expect(lab.knob("nice@lgwr")).toBeAttached();
  await lab.page.mouse.up();
  await expect.poll(() => shown(lab)).toBe("lgwr (1 changed)");
});

test("kinds whose knobs do not act here come last, and say so when they are picked", async ({ lab }) => {
  await lab.page.goto(Lab.address("#v1/instance-caging-vm?precision=0.3"));
  await open(lab);
  const rest = picker(lab).locator("optgroup[label='Do not act here']");
  await expect(rest.getByRole("option", { name: "lgwr", exact: true })).toHaveCount(1);
  await expect(rest.getByRole("option", { name: "session", exact: true })).toHaveCount(0);
  await picker(lab).selectOption("lgwr");
  await expect(lab.knob("nice@lgwr")).toHaveCount(0);
  await group(lab).getByRole("button", { name: /^\d+ that do not act here$/ }).click();
  await expect(lab.knob("nice@lgwr")).toBeAttached();
  await expect(lab.knob("nice@ckpt")).toHaveCount(0);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("the sheet has the picker, and keeps the kind of the knob that was touched", async ({ lab }) => {
    await lab.page.goto(Lab.address("#v1/starved-lms?precision=0.3"));
    await lab.page.getByRole("button", { name: "Show all knobs" }).click();
    await open(lab);
    // The knob that stands on top of the sheet is counted as well.
    expect(await shown(lab)).toBe("lms (1 changed)");
    expect((await picker(lab).boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await picker(lab).selectOption("lgwr");
    // Once touched it stands on top of the sheet.
    await lab.knob("nice@lgwr").focus();
    await lab.knob("nice@lgwr").press("ArrowRight");
    await expect.poll(() => lab.link()).toContain("nice@lgwr=1");
    await lab.page.getByRole("button", { name: "Show fewer knobs" }).click();
    await lab.page.getByRole("button", { name: "Show all knobs" }).click();
    expect(await shown(lab)).toBe("lgwr (1 changed)");
    const wide = await lab.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    const { violations } = await new AxeBuilder({ page: lab.page }).include(".sheet").analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
  });
});
