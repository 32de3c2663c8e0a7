import { readFileSync } from "node:fs";
import { platform } from "node:os";
import { dist } from "../paths.mjs";
import { serveFolder } from "../static-server.mjs";
import { launchChromium } from "./wasm.mjs";

export const isolation = {
  "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp",
};

/** Runs in the page before it does: notes when curves appear, when all is computed, and every long task. */
export function watch() {
  const seen = { curves: [], settled: [], lines: [], points: [], tasks: [], moves: [] };
  globalThis.seen = seen;
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) seen.tasks.push({ at: task.startTime, ms: task.duration });
  }).observe({ type: "longtask", buffered: true });
  const plot = ".chart-body [data-stage] svg.plot";
  let lastCount = 0;
  let lastLine = null;
  let wasSettled = false;
  const drawn = (path) => (path.getAttribute("d")?.length ?? 0) > 20;
  const look = () => {
    const count = [...document.querySelectorAll(`${plot} path.family, ${plot} path.ghost, ${plot} path.b`)].filter(
      drawn,
    ).length;
    const line = document.querySelector(`${plot} path.b`)?.getAttribute("d") ?? null;
    const isSettled = document.querySelector('main[data-stage="settled"]:not([data-busy])') !== null;
    if (count > lastCount) seen.curves.push({ at: performance.now(), count });
    if (line !== lastLine && line) seen.lines.push(performance.now());
    if (isSettled && !wasSettled) seen.settled.push(performance.now());
    lastCount = Math.max(count, lastCount);
    lastLine = line;
    wasSettled = isSettled;
  };
  const attributeFilter = ["d", "data-stage", "data-busy"];
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter });
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

/** The knob says its value and, after a comma, the result as soon as there is one. */
function watchKnob(input) {
  let lastValue = input.value;
  const look = () => {
    const hasResult = input.getAttribute("aria-valuetext").endsWith("LIO/s");
    if (input.value !== lastValue) globalThis.seen.moves.push(performance.now());
    if (hasResult) globalThis.seen.points.push(performance.now());
    lastValue = input.value;
  };
  new MutationObserver(look).observe(input, { attributes: true, attributeFilter: ["aria-valuetext", "value"] });
}

/** Swings the knob's thumb to and fro with the mouse, at the rate of a display. */
async function drag(page, knob, ms) {
  const slider = page.getByRole("slider", { name: knob, exact: true });
  await slider.locator("xpath=..").scrollIntoViewIfNeeded();
  const track = await page.locator(`.slider:has(input[aria-label="${knob}"])`).boundingBox();
  const thumb = await slider.locator("xpath=ancestor::*[contains(@class,'slider-thumb')]").boundingBox();
  await slider.evaluate(watchKnob);
  const y = thumb.y + thumb.height / 2;
  await page.mouse.move(thumb.x + thumb.width / 2, y);
  await page.mouse.down();
  const started = Date.now();
  while (Date.now() - started < ms) {
    const swing = 0.5 - 0.45 * Math.cos((Date.now() - started) / 1500);
    await page.mouse.move(track.x + track.width * swing, y);
    await page.waitForTimeout(16);
  }
  await page.mouse.up();
}

export const settle = (page) =>
  page.waitForSelector('main[data-stage="settled"]:not([data-busy])', { timeout: 60_000 });

/** What the page itself holds, workers and wasm included, as the browser counts it. */
async function memoryOf(page) {
  const { bytes } = await page.evaluate(() => performance.measureUserAgentSpecificMemory());
  return bytes / 1e6;
}

/** What the largest renderer process keeps from all others, the browser's own code included; known on Linux alone. */
async function processMemoryOf(browser) {
  if (platform() !== "linux") return Number.NaN;
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const privateOf = ({ id }) => {
    const lines = readFileSync(`/proc/${id}/smaps_rollup`, "utf8").matchAll(/^Private_\w+:\s+(\d+) kB/gm);
    return [...lines].reduce((sum, line) => sum + Number(line[1]) * 1024, 0) / 1e6;
  };
  return Math.max(...processInfo.filter(({ type }) => type === "renderer").map(privateOf));
}

/**
 * Opens another scenario in the page that stands, its engine warm, and tells after how many milliseconds every curve of
 * the chart had been drawn anew, and after how many every point was as precise as asked. `curves`: how many that
 * scenario draws, where not as many.
 */
function wholeChart({ hash, curves }) {
  const ds = () =>
    [...document.querySelectorAll(".chart-body [data-stage] svg.plot path:is(.family, .ghost, .b)")].map((path) =>
      path.getAttribute("d"),
    );
  const before = new Set(ds());
  const count = curves ?? before.size;
  const started = performance.now();
  let coarseMs = null;
  let wasBusy = false;
  location.hash = hash;
  return new Promise((resolve) => {
    const look = () => {
      const now = performance.now() - started;
      const fresh = ds().filter((d) => (d?.length ?? 0) > 20 && !before.has(d)).length;
      if (coarseMs === null && fresh >= count) coarseMs = now;
      const isSettled = document.querySelector('main[data-stage="settled"]:not([data-busy])') !== null;
      wasBusy ||= !isSettled;
      if (wasBusy && isSettled && coarseMs !== null) resolve({ count, coarseMs, settledMs: now });
      else requestAnimationFrame(look);
    };
    look();
  });
}

/** What another scenario and a drag cost, in Chromium: milliseconds, and megabytes. */
export async function pageFigures({ knob = "switch_refill_us", dragMs = 10_000, memoryDragMs = 60_000 } = {}) {
  const site = await serveFolder({ folder: dist, prefix: "/bench/", headers: isolation });
  const browser = await launchChromium(["--enable-blink-features=ForceEagerMeasureMemory"]);
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(watch);
    await page.goto(site.address);
    await settle(page);
    const warm = await page.evaluate(wholeChart, { hash: "#v1/instance-caging-metal" });
    const partition = await page.evaluate(wholeChart, { hash: "#v1/lpar-smt4", curves: 2 });
    await page.evaluate(wholeChart, { hash: "#v1/instance-caging-vm", curves: 9 });
    await page.evaluate(() => Object.assign(globalThis.seen, { tasks: [], moves: [], points: [], lines: [] }));
    await drag(page, knob, dragMs);
    const dragged = await page.evaluate(() => globalThis.seen);
    const times = answerTimes(dragged.moves, dragged.points);
    const curveTimes = answerTimes(dragged.moves, dragged.lines);
    await drag(page, knob, memoryDragMs - dragMs);
    return {
      warmCurves: warm.count,
      warmCoarseMs: warm.coarseMs,
      warmSettledMs: warm.settledMs,
      partitionCoarseMs: partition.coarseMs,
      partitionSettledMs: partition.settledMs,
      moves: dragged.moves.length,
      answerP50Ms: percentile(times, 0.5),
      answerP95Ms: percentile(times, 0.95),
      curveP95Ms: percentile(curveTimes, 0.95),
      longestTaskMs: Math.max(0, ...dragged.tasks.map(({ ms }) => ms)),
      memoryMB: await memoryOf(page),
      processMB: await processMemoryOf(browser),
    };
  } finally {
    await browser.close();
    await site.close();
  }
}
