import { chromium } from "@playwright/test";
import { buildBenchWasm } from "../build-wasm.mjs";
import { wasmPackage } from "../paths.mjs";
import { ensureBrowser } from "../setup/browser.mjs";
import { serveFolder } from "../static-server.mjs";

const plan = { turns: 15, turnMs: 40, trialEvents: 100_000, trials: 5 };

/**
 * Nanoseconds an event by workload, turn by turn, those of a group by turns: V8 swaps its optimised code in only
 * between calls, and the page advances in slices too. Runs in a page by its text: it may use nothing outside.
 */
export function measureTurns(model, groups, { turns, turnMs, trialEvents, trials }) {
  const turn = (name, events) => {
    const before = performance.now();
    const done = model.benchRun(name, events);
    return ((performance.now() - before) * 1e6) / done;
  };
  return groups.map((names) => {
    const found = Object.fromEntries(names.map((name) => [name, []]));
    const trial = (name) => Math.min(...Array.from({ length: trials }, () => turn(name, trialEvents)));
    const events = Object.fromEntries(names.map((name) => [name, Math.ceil((turnMs * 1e6) / trial(name))]));
    for (let i = 0; i < turns; i++) for (const name of names) found[name].push(turn(name, events[name]));
    return found;
  });
}

/** A Chromium with nothing of its own going on; `args` come on top. */
export async function launchChromium(args = []) {
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
  return chromium.launch({ executablePath: await ensureBrowser("chromium"), args: [...asRoot, ...quiet, ...args] });
}

/** Loads a package of the model into an empty page, as built for the site or with what benchmarks need. */
export async function withModelInChromium(work, folder = wasmPackage) {
  const site = await serveFolder({ folder });
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

/** The groups by name, measured in Chromium. */
export async function chromiumTurns(groups) {
  const folder = await buildBenchWasm();
  const words = [groups, plan].map((one) => JSON.stringify(one)).join(", ");
  const script = `(${measureTurns.toString()})(globalThis.model, ${words})`;
  return withModelInChromium((page) => page.evaluate(script), folder);
}
