/** First visits with nothing cached: what the page has to show when, in times of its own first contentful paint. */
import { dist } from "../paths.mjs";
import { serveFolder } from "../static-server.mjs";
import { isolation, settle, watch } from "./page.mjs";
import { launchChromium } from "./wasm.mjs";

const VISITS = 7;
/** Until a browser that has just started has nothing more to do \[ms\]. */
const QUIET_MS = 1500;

/** Runs in the page before it does: notes what its workers are asked and what they answer. */
function watchWorkers() {
  const told = { events: 0, sketchMs: Number.NaN, isSketched: false };
  globalThis.told = told;
  const Own = globalThis.Worker;
  globalThis.Worker = class extends Own {
    sketches = new Set();

    constructor(...args) {
      super(...args);
      this.addEventListener("message", ({ data }) => this.note(data));
    }

    note({ kind, id, value }) {
      // A point's events are those of both scenarios, a report's are its own.
      const whole = (value?.report?.events ?? 0) + (value?.other?.report?.events ?? 0);
      if (kind !== "done") return;
      told.events += value?.report === undefined ? (value?.events ?? 0) : whole;
      if (this.sketches.delete(id)) requestAnimationFrame(() => (told.sketchMs = performance.now()));
    }

    postMessage(message, ...rest) {
      const isCoarse = message?.args?.options?.coarse;
      // What is coarse after that fills the curves of the sketch up.
      told.isSketched ||= isCoarse === false;
      if (isCoarse === true && !told.isSketched) this.sketches.add(message.id);
      super.postMessage(message, ...rest);
    }
  };
}

/** CPU of the page's main thread until its first contentful paint, and of its longest task \[ms\], from a trace. */
export function mainThread(trace) {
  const { traceEvents: all } = JSON.parse(trace);
  const painted = all.find(({ name, args }) => name === "firstContentfulPaint" && args?.data?.navigationId);
  if (painted === undefined) return { untilPaintMs: Number.NaN, longestMs: Number.NaN };
  const { pid, tid, ts: until } = painted;
  const since = Math.max(...all.filter((one) => one.name === "navigationStart" && one.ts < until).map(({ ts }) => ts));
  const here = all.filter((one) => one.pid === pid && one.tid === tid && one.ph === "X");
  const tasks = here.filter(({ name, ts }) => name.endsWith("RunTask") && ts >= since);
  const cpu = ({ dur, tdur = dur }) => tdur;
  const before = tasks.filter(({ ts }) => ts < until);
  return {
    untilPaintMs: before.reduce((sum, task) => sum + Math.min(cpu(task), until - task.ts), 0) / 1000,
    longestMs: Math.max(0, ...tasks.map(cpu)) / 1000,
  };
}

/** Opens the page in a browser of its own, once all is quiet and `before` was done. */
async function visited(address, before, tell) {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await before(page, browser);
    await page.waitForTimeout(QUIET_MS);
    await page.goto(address);
    await settle(page);
    return await tell(page, browser);
  } finally {
    await browser.close();
  }
}

function visit(address) {
  const watching = async (page) => {
    await page.addInitScript(watch);
    await page.addInitScript(watchWorkers);
  };
  return visited(address, watching, (page) =>
    page.evaluate(() => ({
      paintMs: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
      firstMs: globalThis.seen.curves[0]?.at ?? Number.NaN, settledMs: globalThis.seen.settled[0] ?? Number.NaN,
      longestTaskMs: Math.max(0, ...globalThis.seen.tasks.map(({ ms }) => ms)), ...globalThis.told,
    })));
}

/** A visit of its own, for a trace costs time. */
function traced(address) {
  const categories = ["toplevel", "loading", "blink.user_timing", "devtools.timeline"];
  const tracing = (page, browser) => browser.startTracing(page, { categories });
  return visited(address, tracing, async (_, browser) => mainThread((await browser.stopTracing()).toString("utf8")));
}

/** The middle of some figures, and their range. */
function spread(figures, of) {
  const sorted = figures.toSorted((one, other) => one - other);
  const told = [sorted[Math.floor(sorted.length / 2)], sorted[0], sorted.at(-1)].map((one) => one.toFixed(of));
  return `${told[0]} (${told[1]}–${told[2]})`;
}

export function visitRows(visits, traces) {
  const row = (what, of, least, figure) => [what, spread(visits.map(figure), of), least];
  const times = (ms) => (one) => Math.max(1, one[ms] / one.paintMs);
  return [
    [`${visits.length} first visits, nothing cached`, "measured", "wanted"],
    row("first contentful paint, ms from navigation", 0, "-", (one) => one.paintMs),
    row("first chart, in times of it", 2, "1", times("firstMs")),
    row("whole live sketch, in times of it", 2, "1.7", times("sketchMs")),
    row("every point at 3 %, in times of it", 2, "3", times("settledMs")),
    row("longest task of the main thread, ms on the clock", 0, "-", (one) => one.longestTaskMs),
    [
      "longest task of the main thread, ms of CPU, with a trace", spread(traces.map(({ longestMs: ms }) => ms), 0),
      "100",
    ],
    [
      "main thread until first contentful paint, ms of CPU, with a trace",
      spread(traces.map(({ untilPaintMs: ms }) => ms), 0), "120",
    ],
    row("events until all has settled, millions", 2, "1.2", (one) => one.events / 1e6),
  ];
}

export async function visitFigures() {
  const site = await serveFolder({ folder: dist, prefix: "/bench/", headers: isolation });
  try {
    const visits = [];
    const traces = [];
    for (let i = 0; i < VISITS; i++) {
      visits.push(await visit(site.address));
      traces.push(await traced(site.address));
    }
    return visitRows(visits, traces);
  } finally {
    await site.close();
  }
}
