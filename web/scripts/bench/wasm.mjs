import { chromium } from "@playwright/test";
import { wasmPackage } from "../paths.mjs";
import { loadModel } from "../node-wasm.mjs";
import { ensureBrowser } from "../setup/browser.mjs";
import { serveFolder } from "../static-server.mjs";

const plan = { sliceEvents: 200_000, warmUpMs: 500, measureMs: 2_500 };

/**
 * Events per second by workload, as the median over slices: V8 swaps its optimised code in only between calls, and
 * the page advances in slices too. Runs as it stands in Node and, by its text, in a page: it may use nothing outside.
 */
export function measureRates(model, names, { sliceEvents, warmUpMs, measureMs }) {
  const rates = [];
  for (const name of names) {
    const started = performance.now();
    const slices = [];
    while (performance.now() - started < warmUpMs + measureMs) {
      const before = performance.now();
      const events = model.benchRun(name, sliceEvents);
      const after = performance.now();
      if (after - started > warmUpMs) slices.push((events / (after - before)) * 1000);
    }
    slices.sort((a, b) => a - b);
    rates.push([name, slices[Math.floor(slices.length / 2)]]);
  }
  return rates;
}

export async function nodeRates(names) {
  return new Map(measureRates(await loadModel(), names, plan));
}

/** A Chromium with nothing of its own going on; `args` come on top. */
export async function launchChromium(args = []) {
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
  return chromium.launch({ executablePath: await ensureBrowser("chromium"), args: [...asRoot, ...quiet, ...args] });
}

/** Loads the model's package, as built, into an empty page and calls `work` with it there. */
export async function withModelInChromium(work) {
  const site = await serveFolder({ folder: wasmPackage });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.goto(site.address); // An empty page of that origin: there is no index.
    await page.evaluate(async (address) => {
      const model = await import(`${address}sim.js`);
      await model.default();
      globalThis.model = model;
    }, site.address);
    return await work(page);
  } finally {
    await browser.close();
    await site.close();
  }
}

export async function chromiumRates(names) {
  const script = `(${measureRates.toString()})(globalThis.model, ${JSON.stringify(names)}, ${JSON.stringify(plan)})`;
  return new Map(await withModelInChromium((page) => page.evaluate(script)));
}
