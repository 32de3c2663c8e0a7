import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tellBudgets } from "./budgets.mjs";
import { buildPage } from "./build.mjs";
import { buildWasm } from "./build-wasm.mjs";
import { cheapSteps } from "./check.mjs";
import { runStories } from "./e2e.mjs";
import { checkGenerated } from "./generated.mjs";
import { nodeProgram, wasmWorkspace, web } from "./paths.mjs";
import { ensureBrowser } from "./setup/browser.mjs";
import { Told, main, run } from "./shell.mjs";
import { runSteps } from "./steps.mjs";

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

async function rustTests() {
  const { all } = await run("cargo", ["test", "--workspace", "--locked", "--quiet"], { cwd: wasmWorkspace });
  const lines = [...all.matchAll(/^test result: ok\. (\d+) passed; 0 failed; (\d+) ignored/gm)];
  const passed = sum(lines.map((line) => Number(line[1])));
  const ignored = sum(lines.map((line) => Number(line[2])));
  if (passed === 0) throw new Told("cargo ran no test");
  if (ignored > 0) throw new Told(`${ignored} Rust tests are switched off`);
  return { passed, note: `${passed} tests` };
}

async function unitTests() {
  const scratch = mkdtempSync(join(tmpdir(), "units-"));
  const report = join(scratch, "report.json");
  try {
    const args = ["run", "--config", join(web, "vite.config.ts"), "--reporter=json", `--outputFile=${report}`, "--reporter=dot"];
    const result = await run(nodeProgram("vitest"), args, { env: { FORCE_COLOR: "0" } }).catch((error) => error);
    if (!existsSync(report)) throw result;
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(report, "utf8"));
    if (result instanceof Error) throw Object.assign(result, { failed: Math.max(1, numFailedTests) });
    if (numPassedTests === 0) throw new Told("vitest ran no test");
    if (numPendingTests + numTodoTests > 0) throw new Told(`${numPendingTests + numTodoTests} unit tests are switched off`);
    return { passed: numPassedTests, note: `${numPassedTests} tests` };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** What needs npm packages is loaded when its turn comes: at the start there may be none. */
const later = (file, name) => async () => (await import(file))[name]();

const steps = [
  ...cheapSteps,
  { name: "Rust tests", run: rustTests },
  { name: "generated files are current", run: checkGenerated },
  { name: "model for the browser", run: async () => ({ note: (await buildWasm()) ? "built" : "unchanged" }) },
  { name: "unit tests", run: unitTests },
  { name: "page", run: async () => ({ note: (await buildPage()) ? "built" : "unchanged" }) },
  { name: "size budgets", run: tellBudgets },
  { name: "browser", run: async () => ({ note: await ensureBrowser("chromium") }) },
  { name: "native, Node and Chromium agree", run: later("./parity.mjs", "checkParity") },
  { name: "intervals hold the truth", run: later("./coverage.mjs", "checkCoverage") },
  { name: "user stories in Chromium", run: runStories },
  { name: "smoke run in Firefox", run: later("./smoke-firefox.mjs", "smokeInFirefox") },
];

await main(() => runSteps(steps));
