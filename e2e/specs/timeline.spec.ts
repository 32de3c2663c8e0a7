import { readFile } from "node:fs/promises";
import { AxeBuilder } from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../fixtures/lab";
import { Lab } from "../pages/lab";

const HASH = "#v1/instance-caging-vm?view.view=timeline&view.timelineSide=a";

const canvasOf = (page: Page): Locator => page.locator(".timeline canvas");
const areaOf = (page: Page): Locator => page.getByRole("application");

async function open(lab: Lab, more = ""): Promise<void> {
  await lab.open(HASH + more);
  await expect(canvasOf(lab.page)).toBeVisible();
}

/** From and to in the link, ms; null: the whole recording. */
function windowIn(link: string): [number, number] | null {
  const [, from, to] = /view\.t=([\d.]+)\.\.([\d.]+)(?:&|$)/.exec(link) ?? [];
  return from === undefined || to === undefined ? null : [Number(from), Number(to)];
}

test("the button opens it, and its title says who changes hands and who waits", async ({ lab }) => {
  await lab.open();
  await lab.page.getByRole("button", { name: "Timeline" }).click();
  const title = /^Fewer than 0\.01 in the run queue; [\d.]+ wait for the cage\. Thread \d+ changes/;
  await expect(lab.headline).toHaveText(title, { timeout: 30_000 });
  await expect(lab.page.getByRole("heading", { level: 2 }).first()).toHaveText(/^8 threads: [\d.]+\s%/);
  expect(lab.link()).toContain("view.view=timeline");
});

test("by keyboard from stay to stay: a process is followed, the window zoomed, and the link holds both", async ({
  lab,
}) => {
  await open(lab);
  const area = areaOf(lab.page);
  await area.focus();
  for (const key of ["ArrowDown", "ArrowRight", "ArrowRight"]) await area.press(key);
  await expect(lab.page.locator(".timeline-readout")).toContainText(/session \d+ running on thread 0/);
  await area.press("Enter");
  await expect.poll(() => lab.link()).toMatch(/view\.follow=\d+/);
  await expect(lab.page.getByRole("combobox", { name: "Search" })).toHaveValue(/session \d+/);
  for (let i = 0; i < 6; i++) await area.press("+");
  await expect.poll(() => windowIn(lab.link()) !== null).toBe(true);
  const before = await lab.page.locator(".timeline-readout").innerText();
  await area.press("]");
  await expect.poll(() => lab.page.locator(".timeline-readout").innerText()).not.toBe(before);
  await area.press("Escape");
  await area.press("0");
  await expect.poll(() => lab.link()).not.toMatch(/view\.(follow|t)=/);
});

test("the wheel zooms at the pointer down to single switches, a drag moves, a click follows", async ({ lab }) => {
  await open(lab);
  const box = await canvasOf(lab.page).boundingBox();
  if (box === null) throw new Error("no canvas");
  const [x, y] = [box.x + box.width * 0.5, box.y + 60];
  await lab.page.mouse.move(x, y);
  for (let i = 0; i < 24; i++) await lab.page.mouse.wheel(0, -120);
  const length = () => (windowIn(lab.link()) ?? [0, 5000]).reduce((from, to) => to - from);
  await expect.poll(length).toBeLessThan(100);
  const [from = 0] = windowIn(lab.link()) ?? [];
  await lab.page.mouse.down();
  await lab.page.mouse.move(x - 90, y, { steps: 4 });
  await lab.page.mouse.up();
  await expect.poll(() => windowIn(lab.link())?.[0] ?? 0).toBeGreaterThan(from);
  expect(lab.link()).not.toContain("view.follow");
  let clicks = 0;
  await expect.poll(async () => {
    await lab.page.mouse.click(x + 7 * clicks++, y);
    return lab.link();
  }).toMatch(/view\.follow=\d+/);
});

test("the same link shows the same picture", async ({ lab }) => {
  await open(lab, "&view.follow=5&view.t=2000..2100");
  await expect(lab.headline).toContainText("changes hands");
  await expect(lab.page.locator(".timeline-readout")).toContainText("session 5 in these 100");
});

test("Back and a button lead from it to the answer, and undo leads there, too", async ({ lab }) => {
  await lab.open();
  const main = lab.page.locator("main");
  const timeline = lab.page.getByRole("button", { name: "Timeline", exact: true });
  for (const leave of [
    () => lab.page.getByRole("button", { name: "Back to the answer" }).click(),
    () => lab.page.keyboard.press("Control+z"), () => lab.page.goBack(),
  ]) {
    await timeline.click();
    await expect(main).toHaveAttribute("data-view", "timeline");
    await expect.poll(() => lab.link()).toContain("timeline");
    await leave();
    await expect(main).toHaveAttribute("data-view", "lab");
  }
});

test("search finds a kind or a process and goes on to the next, and the sums are those of it", async ({ lab }) => {
  await open(lab, "&view.t=2000..2240");
  const { page } = lab;
  const search = page.getByRole("combobox", { name: "Search" });
  const sums = page.locator(".timeline-sums");
  await expect(sums).toContainText(/All processes in these 240\sms.*run queue.*running.*sum/s);
  await search.fill("session");
  await search.press("Enter");
  await expect.poll(() => lab.link()).toContain("view.follow=0");
  await page.getByRole("button", { name: "Next found" }).click();
  await expect.poll(() => lab.link()).toContain("view.follow=1");
  await expect(page.getByRole("search").getByRole("status")).toHaveText("2 of 32");
  await expect(sums).toContainText(/session 1 in these/);
  await page.getByRole("button", { name: "Previous found" }).click();
  await page.getByRole("button", { name: "Previous found" }).click();
  await expect.poll(() => lab.link()).toContain("view.follow=31");
  await search.fill("no such kind");
  await expect(page.getByRole("search").getByRole("status")).toHaveText("none");
});

test("zoom has buttons with names", async ({ lab }) => {
  await open(lab);
  const zoom = lab.page.getByRole("group", { name: "Zoom" });
  await zoom.getByRole("button", { name: "Zoom in" }).click();
  await expect.poll(() => windowIn(lab.link())).not.toBeNull();
  await zoom.getByRole("button", { name: /^All [\d.]+\ss$/ }).click();
  await expect.poll(() => windowIn(lab.link())).toBeNull();
});

test("T shows the stays as a table, and the picture can be taken along", async ({ lab }) => {
  await open(lab, "&view.t=2000..2100");
  await areaOf(lab.page).press("t");
  const table = lab.page.getByRole("region", { name: /as a table$/ });
  await expect(table.getByRole("columnheader", { name: "lost at its start (ms)" })).toBeVisible();
  expect(await table.getByRole("row").count()).toBeGreaterThan(50);
  await lab.page.keyboard.press("t");
  await expect(canvasOf(lab.page)).toBeVisible();
  const saved = lab.page.waitForEvent("download");
  await areaOf(lab.page).focus();
  await lab.choose(/^More of: 8 threads/, "Save as SVG");
  const svg = await readFile(await (await saved).path(), "utf8");
  expect(svg).toMatch(/^<svg[^>]*>.*Run queue, mean.*Processes, by what they do.*<\/svg>$/s);
});

test("the other side of the comparison, same window", async ({ lab }) => {
  await open(lab, "&view.t=2000..2100");
  const title = await lab.page.getByRole("heading", { level: 2 }).first().innerText();
  await lab.page.getByRole("radiogroup", { name: "Side shown" }).getByText(/^B /).click();
  await lab.settled();
  await expect(lab.page.getByRole("heading", { level: 2 }).first()).not.toHaveText(title);
  expect(windowIn(lab.link())).toEqual([2000, 2100]);
});

for (const theme of ["light", "dark", "projector"]) {
  test(`axe finds nothing in the ${theme} theme`, async ({ lab }) => {
    await open(lab, `&view.follow=5&view.t=2000..2100&view.theme=${theme}`);
    await areaOf(lab.page).press("ArrowDown");
    const { violations } = await new AxeBuilder({ page: lab.page }).analyze();
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`),
    ).toEqual([]);
  });
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("it fits, and axe finds nothing", async ({ lab }) => {
    await open(lab, "&view.follow=5&view.t=2000..2100");
    expect(await lab.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    const { violations } = await new AxeBuilder({ page: lab.page }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
  });
});

test("beside the knobs of a frame its heading has lines, and its lanes the room that there is", async ({ page }) => {
  await page.setViewportSize({ width: 720, height: 640 });
  await page.goto(Lab.address("#v1/instance-caging-vm?view.view=timeline", "embed.html"));
  const heading = page.locator(".timeline h2");
  await expect(heading).toContainText("at work");
  const [head, lanes] = [await heading.boundingBox(), await page.locator(".timeline-canvas").boundingBox()];
  expect(head?.width).toBeGreaterThan(300);
  expect(head?.height).toBeLessThan(60);
  expect(lanes?.width).toBeGreaterThan(300);
});
