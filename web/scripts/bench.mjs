import { cpus } from "node:os";
import { writeFileSync } from "node:fs";
import { weights } from "./budgets.mjs";
import { buildPage } from "./build.mjs";
import { engineRows } from "./bench/rows.mjs";
import { main, say } from "./shell.mjs";

/** A browser tells of tasks from 50 ms on. */
const longTask = (ms) => (ms === 0 ? "under 50" : whole(ms));
const whole = (number) => (Number.isFinite(number) ? Math.round(number).toString() : "-");

/** Columns as wide as what stands in them: names to the left, numbers to the right. */
export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const cell = (text, column) => (column === 0 ? text.padEnd(widths[column]) : text.padStart(widths[column]));
  return rows.map((row) => row.map(cell).join("  ").trimEnd()).join("\n");
}

function pageTable(figures) {
  return table([
    ["page in Chromium", "measured", "wanted"],
    [
      `another scenario: first complete coarse chart (${figures.warmCurves} curves), ms`, whole(figures.warmCoarseMs),
      "200",
    ],
    ["another scenario: every point at 3 %, both sides and the assumption, ms", whole(figures.warmSettledMs), "1000"],
    ["lpar-smt4, 1 to 50 sessions: first complete coarse chart, ms", whole(figures.partitionCoarseMs), "300"],
    ["lpar-smt4, 1 to 50 sessions: every point at 3 %, ms", whole(figures.partitionSettledMs), "2000"],
    ["knob to first new point while dragging, median ms", whole(figures.answerP50Ms), "-"],
    [`knob to first new point, 95th percentile ms (${figures.moves} moves)`, whole(figures.answerP95Ms), "30"],
    ["knob to whole new curve while dragging, 95th percentile ms", whole(figures.curveP95Ms), "-"],
    ["longest main-thread task while dragging, ms", longTask(figures.longestTaskMs), "50"],
    ["page memory after a minute of dragging, MB", whole(figures.memoryMB), "200"],
    ["its process, Chromium's own part included, MB", whole(figures.processMB), "-"],
    ...weights().map(({ what, bytes, raw, most }) => [
      `${what}, kB gzipped (${whole(raw / 1000)} raw)`, whole(bytes / 1000), whole(most / 1000),
    ]),
  ]);
}

/**
 * Prints what was measured beside what is wanted; never fails on a time. `npm run bench -- engine`, `-- peers` or
 * `-- page` for one part; `-- engine FILE` keeps the turns of the engine as JSON.
 */
await main(async ([part, file]) => {
  const asks = (name) => part === undefined || part === name;
  if (asks("page") || part === "timeline") await buildPage();
  console.log(`${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}, Node.js ${process.versions.node}\n`);
  if (part === "timeline") return (await import("./bench/timeline.mjs")).tellTimeline(table);
  if (asks("engine")) {
    const { nativeTurns } = await import("./bench/native.mjs");
    const { chromiumTurns } = await import("./bench/wasm.mjs");
    say("native …");
    const native = await nativeTurns();
    say("Chromium …");
    const inChromium = await chromiumTurns(native.groups.map((group) => Object.keys(group)));
    if (file !== undefined) writeFileSync(file, `${JSON.stringify({ native, inChromium })}\n`);
    console.log(`${table(engineRows(native, inChromium))}\n`);
  }
  if (asks("peers")) {
    const { peerFigures } = await import("./bench/peers.mjs");
    say("simcore and desim …");
    console.log(`${table(await peerFigures())}\n`);
  }
  if (asks("page")) {
    const { pageFigures } = await import("./bench/page.mjs");
    const { visitFigures } = await import("./bench/visit.mjs");
    say("first visits …");
    console.log(`${table(await visitFigures())}\n`);
    say("page …");
    console.log(pageTable(await pageFigures()));
  }
});
