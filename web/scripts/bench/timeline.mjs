import { dist } from "../paths.mjs";
import { serveFolder } from "../static-server.mjs";
import { launchChromium } from "./wasm.mjs";

/** 88 threads, asked so precisely that the recording fills. */
const scenario = "#v1/soft-affinity-tpcc?sessions=60&precision=0.004&view.view=timeline";
const ms = 5_000;

/**
 * Runs in the page: zooms in and out over the middle of the canvas and drifts aside, one wheel event a frame; gives the
 * times between frames.
 */
function swing({ ms }) {
  const canvas = document.querySelector(".timeline canvas");
  const box = canvas.getBoundingClientRect();
  const wheel = (deltaX, deltaY) =>
    canvas.dispatchEvent(
      new WheelEvent("wheel", {
        deltaX, deltaY, clientX: box.left + box.width * 0.4, clientY: box.top + box.height * 0.3, bubbles: true,
        cancelable: true,
      }),
    );
  const tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map((one) => one.duration))).observe({
    type: "longtask",
  });
  return new Promise((resolve) => {
    const times = [];
    const started = performance.now();
    let last = started;
    const step = (now) => {
      times.push(now - last);
      last = now;
      const at = now - started;
      if (at > ms) return resolve({ times: times.slice(2), longestTaskMs: Math.max(0, ...tasks) });
      if (Math.floor(at / 100) % 5 === 4) wheel(40, 0);
      else wheel(0, Math.sin(at / 600) < 0 ? 60 : -60);
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
}

const percentile = (sorted, part) =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;

/**
 * Frame times of the timeline in Chromium while its window is zoomed and moved, and what the index of the recording
 * cost.
 */
export async function timelineFigures(address, hash = scenario) {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(address + hash);
    await page.waitForSelector(".timeline canvas", { timeout: 60_000 });
    await page.waitForSelector("main[data-stage]:not([data-busy])", { timeout: 60_000 });
    const indexed = await page.evaluate(() =>
      performance.getEntriesByName("timeline index").map(({ duration, detail }) => ({ duration, stays: detail })),
    );
    const { times, longestTaskMs } = await page.evaluate(swing, { ms });
    const sorted = times.toSorted((a, b) => a - b);
    const sum = sorted.reduce((total, one) => total + one, 0);
    return {
      stays: indexed.at(-1)?.stays, indexMs: indexed.at(-1)?.duration, p50Ms: percentile(sorted, 0.5),
      p95Ms: percentile(sorted, 0.95), framesPerS: (1000 * sorted.length) / sum, longestTaskMs,
    };
  } finally {
    await browser.close();
  }
}

/** Prints what was measured beside what is wanted. */
export async function tellTimeline(table) {
  const site = await serveFolder({ folder: dist, prefix: "/bench/" });
  try {
    const figures = await timelineFigures(site.address);
    const one = (number) => (Number.isFinite(number) ? number.toFixed(1) : "-");
    console.log(table([
      [`timeline in Chromium, zooming and moving for ${ms / 1000} s`, "measured", "wanted"],
      ["stays recorded", String(figures.stays ?? "-"), "100000"],
      ["index of the recording, ms", one(figures.indexMs), "-"],
      ["time between frames, median ms", one(figures.p50Ms), "16.7"],
      ["time between frames, 95th percentile ms", one(figures.p95Ms), "-"],
      ["frames per second", one(figures.framesPerS), "60"],
      ["longest main-thread task, ms", one(figures.longestTaskMs), "50"],
    ]));
  } finally {
    await site.close();
  }
}
