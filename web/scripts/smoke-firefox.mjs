import { launch } from "puppeteer-core";
import { buildPage } from "./build.mjs";
import { dist } from "./paths.mjs";
import { ensureBrowser } from "./setup/browser.mjs";
import { busy, button, countFocus, expected, focusCount, holdTab, lookAtMenu, rows } from "./menu-keys.mjs";
import { Told, main } from "./shell.mjs";
import { serveFolder } from "./static-server.mjs";
import { isMain } from "./steps.mjs";

const patienceMs = 60_000;
const isSettled = () => document.querySelector('main[data-stage="settled"]:not([data-busy])') !== null;
const hasMoved = (hash) => location.hash !== hash;

/** Puppeteer's own way of waiting builds a function from text, which the page's policy rightly refuses. */
async function until(page, condition, ...args) {
  const started = Date.now();
  while (!(await page.evaluate(condition, ...args))) {
    if (Date.now() - started > patienceMs) throw new Told(`Firefox: waited in vain for ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function look(browser, address) {
  const page = await browser.newPage();
  await page.setViewport({ width: 1440, height: 900 });
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  await page.goto(address, { waitUntil: "load", timeout: patienceMs });
  await until(page, isSettled);
  const before = await page.evaluate(() => ({
    hash: location.hash, headline: document.querySelector("h1").textContent,
  }));
  await page.focus('input[type="range"][aria-label="cpu_count"]');
  await page.keyboard.press("ArrowLeft");
  await until(page, hasMoved, before.hash);
  await until(page, isSettled);
  const headline = await page.$eval("h1", (heading) => heading.textContent);
  if (headline === before.headline) faults.push(`the headline stays at “${headline}”`);
  await pressMenus(page);
  await tabOn(page, address);
  if (faults.length > 0) throw new Told(`Firefox: ${faults.join("\n")}`);
}

/** The keys of a menu, by the table that Chromium is held to as well. */
async function pressMenus(page) {
  for (const row of rows) {
    await page.focus(`button[aria-label="${button}"]`);
    for (const key of row.keys) await page.keyboard.press(key);
    const [is, was] = [await page.evaluate(lookAtMenu, button), expected(row)];
    if (JSON.stringify(is) !== JSON.stringify(was))
      throw new Told(`Firefox: ${row.keys.join(" ")} leads to ${JSON.stringify(is)}, not ${JSON.stringify(was)}`);
    await page.keyboard.press("Escape");
  }
}

/** Focus goes where a key leads it, and nowhere by itself. */
async function tabOn(page, address) {
  await page.goto(`${address}${busy}`, { waitUntil: "load", timeout: patienceMs });
  // All that can have the focus is there before the page has no time left to draw it.
  const parts = ["main[data-busy]", "header button", "aside [role=slider], aside input[type=range]"];
  for (const part of parts) await page.waitForSelector(part, { timeout: patienceMs });
  await page.evaluate(countFocus);
  const pressed = await holdTab(() => page.keyboard.press("Tab"), 3);
  const during = await page.evaluate(focusCount);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const after = (await page.evaluate(focusCount)).times - during.times;
  if (during.times > pressed || during.places < Math.min(20, during.times) || after > 0)
    throw new Told(
      `Firefox: ${pressed} Tabs gave the focus ${during.times} times to ${during.places} places, and ${after} times `
        + "after the last",
    );
}

/** The built page opens in Firefox, computes, and answers to keys. The page must be built. */
export async function smokeInFirefox() {
  const executablePath = await ensureBrowser("firefox");
  const site = await serveFolder({ folder: dist, prefix: "/lab/" });
  const browser = await launch({ browser: "firefox", executablePath, headless: true });
  try {
    await look(browser, site.address);
    return { note: await browser.version() };
  } finally {
    await browser.close();
    await site.close();
  }
}

if (isMain(import.meta)) {
  await main(async () => {
    await buildPage();
    console.log((await smokeInFirefox()).note);
  });
}
