import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Told, say } from "./shell.mjs";

const secondsSince = (since) => (performance.now() - since) / 1000;
const column = (seconds) => `${seconds.toFixed(1).padStart(6)} s`;
const MOST_TOLD = 5;

/** One line about those that took longest, each {name, seconds}. */
export function slowest(took, most = MOST_TOLD) {
  const first = took.toSorted((a, b) => b.seconds - a.seconds).slice(0, most);
  return `slowest: ${first.map(({ name, seconds }) => `${name} ${seconds.toFixed(1)} s`).join(", ")}`;
}

/**
 * Runs the steps in order and stops at the first that fails. A step is {name, run}; what `run` returns is
 * `{passed, note}`, or nothing for a step that is one check in itself. Quiet but for one line a step, and one about
 * the slowest at the end.
 */
export async function runSteps(steps) {
  const started = performance.now();
  const took = [];
  let passed = 0;
  for (const { name, run } of steps) {
    const since = performance.now();
    try {
      const told = (await run()) ?? {};
      passed += told.passed ?? 1;
      took.push({ name, seconds: secondsSince(since) });
      say(`${column(secondsSince(since))}  ${name}${told.note ? `: ${told.note}` : ""}`);
    } catch (error) {
      say(`${column(secondsSince(since))}  ${name}: FAILED\n`);
      say(error instanceof Told ? error.message : String(error?.stack ?? error));
      console.log(`\n${passed} passed, ${error.failed ?? 1} failed`);
      return 1;
    }
  }
  say(`${column(secondsSince(started))}  in all`);
  if (took.length > MOST_TOLD) say(`          ${slowest(took)}`);
  console.log(`${passed} passed, 0 failed`);
  return 0;
}

/** True in the module that node was started with. */
export const isMain = (meta) =>
  Boolean(process.argv[1]) && meta.url === pathToFileURL(realpathSync(process.argv[1])).href;
