/**
 * Pictures of the page as it should look. After a change of looks: `npm run e2e -- goldens --update-snapshots`, then
 * look at each that git says is new before it is kept.
 */
import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../fixtures/lab";
import { sideBySide } from "../fixtures/picture";
import { catalogue } from "../fixtures/randomScenarios";
import { Lab } from "../pages/lab";

type Size = readonly [width: number, height: number];
/** Holds in the frames of the page, too. */
const STYLE = readFileSync(new URL("../fixtures/frozen.css", import.meta.url), "utf8");
const DESK: Size = [1440, 900];
const PHONE: Size = [390, 844];
const SIZES: readonly Size[] = [DESK, [1024, 768], [844, 390], PHONE];

/** No part of the page is yet to be fetched, either. */
const STANDS = 'main:not([data-busy], :has([data-coming])):is([data-stage="settled"],[data-stage="truncated"])';

async function sized(page: Page, [width, height]: Size): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.evaluate(async () => {
    scrollTo(0, 0);
    await document.fonts.ready;
    for (let i = 0; i < 3; i++) await new Promise((done) => requestAnimationFrame(done));
  });
}

async function opened(lab: Lab, hash: string): Promise<void> {
  await lab.page.setViewportSize({ width: DESK[0], height: DESK[1] });
  await lab.page.goto(Lab.address(hash));
  await lab.page.locator(STANDS).waitFor({ timeout: 100_000 });
}

/** As it stands once two in a row are the same. */
async function seen(page: Page, isWhole = false): Promise<Buffer> {
  const take = async (): Promise<Buffer> =>
    page.screenshot({ animations: "disabled", caret: "hide", style: STYLE, fullPage: isWhole });
  let last = await take();
  for (let i = 0; i < 5; i++) {
    const next = await take();
    if (next.equals(last)) return next;
    last = next;
  }
  throw new Error("the page does not come to rest");
}

async function wideAndOnPhone(page: Page): Promise<Buffer> {
  const pictures: Buffer[] = [];
  for (const size of [DESK, PHONE]) {
    await sized(page, size);
    pictures.push(await seen(page));
  }
  return sideBySide(pictures);
}

/** What the frozen look adds is no part of the page, whose policy would refuse it. */
test.use({ bypassCSP: true });

for (const view of ["opening page", "timeline"])
  test(`${view}, at each size in each theme`, async ({ lab }) => {
    await opened(lab, `#v1/instance-caging-vm${view === "timeline" ? "?view=timeline" : ""}`);
    for (const theme of ["light", "dark", "projector"]) {
      await lab.page.emulateMedia({ colorScheme: theme === "dark" ? "dark" : "light" });
      if (theme === "projector") {
        await sized(lab.page, DESK);
        await lab.choose("Theme and colours", "Projector");
      }
      for (const size of SIZES) {
        await sized(lab.page, size);
        const name = `${view.replace(" ", "-")}-${theme}-${size.join("x")}.png`;
        expect.soft(sideBySide([await seen(lab.page)])).toMatchSnapshot(name);
      }
    }
  });

/** Of these a run takes a minute or more: they stand as they do when their budget of events has stopped them. */
const STOPPED: readonly string[] = [
  "soft-affinity-hackbench", "log-writer-starved", "starved-lms", "slow-redo-elsewhere", "dbwr-heavy", "dbwr-moderate",
];

for (const { id } of catalogue.presets.filter((preset) => preset.id !== "instance-caging-vm"))
  test(`preset ${id}, both wide and on a phone`, async ({ lab }) => {
    await opened(lab, `#v1/${id}?${STOPPED.includes(id) ? "max_events=200000" : "precision=0.5"}`);
    expect(await wideAndOnPhone(lab.page)).toMatchSnapshot(`preset-${id}.png`);
  });

/** The page's own address is another in each run. */
async function withoutAddress(dialog: Locator): Promise<void> {
  await dialog.evaluate((all) => {
    const words = document.createTreeWalker(all, NodeFilter.SHOW_TEXT);
    while (words.nextNode() !== null) {
      const { currentNode } = words;
      currentNode.nodeValue = currentNode.nodeValue?.replaceAll(location.origin, "https://host.example") ?? "";
    }
  });
}

for (const name of ["Published", "What this model leaves out", "Keys", "Share", "Embed"])
  test(`dialog “${name}”, on a desk and a phone`, async ({ lab }) => {
    await opened(lab, "#v1/instance-caging-vm");
    await lab.page.getByRole("button", { name, exact: true }).click();
    const dialog = lab.page.getByRole("dialog");
    await expect(dialog).toBeVisible();
    if (name === "Published") await expect(dialog.getByRole("status")).toHaveText(/^All \d+ /, { timeout: 60_000 });
    if (name === "Embed") {
      await dialog.frameLocator("iframe").locator(STANDS).waitFor({ timeout: 60_000 });
      await expect(dialog.getByText(/^It said: ready.*settled/)).toBeVisible();
    }
    await withoutAddress(dialog);
    expect(await wideAndOnPhone(lab.page)).toMatchSnapshot(`dialog-${name.toLowerCase().replaceAll(" ", "-")}.png`);
  });

test("the printed page", async ({ lab }) => {
  await opened(lab, "#v1/instance-caging-vm");
  await lab.page.emulateMedia({ media: "print" });
  await sized(lab.page, [720, 1000]);
  expect(sideBySide([await seen(lab.page, true)])).toMatchSnapshot("printed.png");
});
