import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Told, say } from "./shell.mjs";

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1).padStart(6)} s`;

/**
 * Runs the steps in order and stops at the first that fails. A step is {name, run}; what `run` answers is
 * `{passed, note}`, or nothing for a step that is one check in itself. Quiet but for one line a step.
 */
export async function runSteps(steps) {
  const started = performance.now();
  let passed = 0;
  for (const { name, run } of steps) {
    const since = performance.now();
    try {
      const answer = (await run()) ?? {};
      passed += answer.passed ?? 1;
      say(`${seconds(since)}  ${name}${answer.note ? `: ${answer.note}` : ""}`);
    } catch (error) {
      say(`${seconds(since)}  ${name}: FAILED\n`);
      say(error instanceof Told ? error.message : String(error?.stack ?? error));
      console.log(`\n${passed} passed, ${error.failed ?? 1} failed`);
      return 1;
    }
  }
  say(`${seconds(started)}  in all`);
  console.log(`${passed} passed, 0 failed`);
  return 0;
}

/** True in the module that node was started with. */
export const isMain = (meta) => Boolean(process.argv[1]) && meta.url === pathToFileURL(realpathSync(process.argv[1])).href;
