import { launch } from "puppeteer-core";
import { buildPage } from "./build.mjs";
import { dist } from "./paths.mjs";
import { ensureBrowser } from "./setup/browser.mjs";
import { Told, main } from "./shell.mjs";
import { serveFolder } from "./static-server.mjs";
import { isMain } from "./steps.mjs";

const patience = 60_000;
/** A figure that the model has computed: the headline speaks of LIO only once there is one. */
const hasAnswer = () => /\d/.test(document.querySelector("main")?.innerText ?? "") && document.querySelector("main svg path[d]") !== null;

async function look(browser, address) {
  const page = await browser.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  await page.goto(address, { waitUntil: "load", timeout: patience });
  await page.waitForFunction(hasAnswer, { timeout: patience });
  const slider = await page.waitForSelector('input[type="range"]', { timeout: patience });
  const before = await page.evaluate(() => location.hash);
  await slider.focus();
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction((hash) => location.hash !== hash, { timeout: patience }, before);
  if (faults.length > 0) throw new Told(`Firefox: ${faults.join("\n")}`);
}

/** The built page opens in Firefox, computes, and answers to a key. The page must be built. */
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
