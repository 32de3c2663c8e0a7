import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPage } from "./build.mjs";
import { nodeProgram, root } from "./paths.mjs";
import { ensureBrowser, ensureStandIn } from "./setup/browser.mjs";
import { Told, main, run, show } from "./shell.mjs";
import { buildNativeRunner } from "./sim.mjs";
import { isMain } from "./steps.mjs";

export const playwright = ["test", "--config", join(root, "e2e/playwright.config.ts")];

/** Where stories find a browser and the command line. */
export async function environment() {
  await ensureStandIn();
  return { CHROME_PATH: await ensureBrowser("chromium"), NATIVE_RUNNER: await buildNativeRunner(), FORCE_COLOR: "0" };
}

/** Every user story, quietly; answers with how many passed. The page must be built. */
export async function runStories() {
  const scratch = mkdtempSync(join(tmpdir(), "stories-"));
  const report = join(scratch, "report.json");
  try {
    const env = { ...(await environment()), REPORT_TO: report };
    const result = await run(nodeProgram("playwright"), playwright, { env }).catch((error) => error);
    const { stats, suites, errors } = JSON.parse(readFileSync(report, "utf8"));
    if (stats.unexpected > 0 || errors.length > 0 || stats.expected === 0) {
      const told = new Told(
        [...errors.map((one) => one.message), ...suites.flatMap(failuresIn), result.message ?? ""].join("\n"),
      );
      throw Object.assign(told, { failed: Math.max(1, stats.unexpected) });
    }
    return { passed: stats.expected, note: `${stats.expected} stories` };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function failuresIn(suite) {
  const own = (suite.specs ?? []).filter((spec) => !spec.ok).map((spec) => {
    const messages = spec.tests.flatMap((test) =>
      test.results.flatMap((result) => result.errors.map((error) => error.message)),
    );
    return `${spec.file}:${spec.line} ${spec.title}\n${messages.join("\n")}\n`;
  });
  return [...own, ...(suite.suites ?? []).flatMap(failuresIn)];
}

/** By hand: `npm run e2e -- --grep link` and every other option of Playwright's. */
if (isMain(import.meta)) {
  await main(async (args) => {
    await buildPage();
    return show(nodeProgram("playwright"), [...playwright, ...args], { env: await environment() });
  });
}
