import { dist } from "../paths.mjs";
import { serveFolder } from "../static-server.mjs";
import { launchChromium } from "./wasm.mjs";

const isolation = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
const stage = ".chart-body [data-stage]";

/** Runs in the page before it does: notes when the chart's stage and its present line change, and every long task. */
function watch(stageSelector) {
  const seen = { stages: [], lines: [], tasks: [], moves: [] };
  globalThis.seen = seen;
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) seen.tasks.push({ at: task.startTime, ms: task.duration });
  }).observe({ type: "longtask", buffered: true });
  let lastStage = null;
  let lastLine = null;
  const look = () => {
    const chart = document.querySelector(stageSelector);
    const line = chart?.querySelector("path.b")?.getAttribute("d") ?? null;
    const now = chart?.dataset.stage ?? null;
    if (now !== lastStage) seen.stages.push({ at: performance.now(), stage: now });
    if (line !== lastLine && line) seen.lines.push(performance.now());
    lastStage = now;
    lastLine = line;
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["d", "data-stage"] });
}

function percentile(numbers, part) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted.length === 0 ? Number.NaN : sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)];
}

/** From the first change of the knob that is not answered yet to the next change of the line. */
export function answerTimes(moves, lines) {
  const times = [];
  let waitingSince = null;
  const all = [...moves.map((at) => ({ at, isMove: true })), ...lines.map((at) => ({ at, isMove: false }))];
  for (const { at, isMove } of all.sort((a, b) => a.at - b.at)) {
    if (isMove) waitingSince ??= at;
    else if (waitingSince !== null) {
      times.push(at - waitingSince);
      waitingSince = null;
    }
  }
  return times;
}

/** Swings the knob's thumb to and fro with the mouse, at the rate of a display. */
async function drag(page, knob, ms) {
  const box = await page.locator(`.slider:has(input[aria-label="${knob}"])`).boundingBox();
  const slider = page.getByRole("slider", { name: knob, exact: true });
  const thumb = await slider.locator("xpath=ancestor::*[contains(@class,'slider-thumb')]").boundingBox();
  await slider.evaluate((input) => {
    new MutationObserver(() => globalThis.seen.moves.push(performance.now())).observe(input, { attributes: true, attributeFilter: ["aria-valuetext"] });
  });
  const y = thumb.y + thumb.height / 2;
  await page.mouse.move(thumb.x + thumb.width / 2, y);
  await page.mouse.down();
  const started = Date.now();
  while (Date.now() - started < ms) {
    const swing = 0.5 - 0.45 * Math.cos((Date.now() - started) / 900);
    await page.mouse.move(box.x + box.width * swing, y);
    await page.waitForTimeout(16);
  }
  await page.mouse.up();
}

async function settle(page) {
  await page.waitForFunction((selector) => document.querySelector(selector)?.dataset.stage === "settled", stage, { timeout: 60_000 });
}

async function memoryOf(page) {
  const { bytes } = await page.evaluate(() => performance.measureUserAgentSpecificMemory());
  return bytes / 1e6;
}

/** What a first visit and a drag cost, in Chromium: milliseconds from navigation, and megabytes. */
export async function pageFigures({ knob = "cpu_count", dragMs = 10_000, memoryDragMs = 60_000 } = {}) {
  const site = await serveFolder({ folder: dist, prefix: "/bench/", headers: isolation });
  const browser = await launchChromium(["--enable-blink-features=ForceEagerMeasureMemory"]);
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(watch, stage);
    await page.goto(site.address);
    await settle(page);
    const loaded = await page.evaluate(() => globalThis.seen);
    const at = (name) => loaded.stages.find((one) => one.stage === name)?.at ?? Number.NaN;
    await page.evaluate(() => Object.assign(globalThis.seen, { tasks: [], moves: [], lines: [] }));
    await drag(page, knob, dragMs);
    const dragged = await page.evaluate(() => globalThis.seen);
    const times = answerTimes(dragged.moves, dragged.lines);
    await drag(page, knob, memoryDragMs - dragMs);
    return {
      coarseMs: at("refining"),
      settledMs: at("settled"),
      longestTaskAtLoadMs: Math.max(0, ...loaded.tasks.map(({ ms }) => ms)),
      moves: dragged.moves.length,
      answerP50Ms: percentile(times, 0.5),
      answerP95Ms: percentile(times, 0.95),
      longestTaskMs: Math.max(0, ...dragged.tasks.map(({ ms }) => ms)),
      memoryMB: await memoryOf(page),
    };
  } finally {
    await browser.close();
    await site.close();
  }
}
