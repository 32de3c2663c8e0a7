import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tellBudgets } from "./budgets.mjs";
import { buildPage } from "./build.mjs";
import { buildWasm } from "./build-wasm.mjs";
import { cheapSteps } from "./check.mjs";
import { runStories } from "./e2e.mjs";
import { checkGenerated, furtherKind, lintFurtherKind } from "./generated.mjs";
import { nodeProgram, wasmPackage, wasmWorkspace, web } from "./paths.mjs";
import { selectSteps } from "./selection.mjs";
import { ensureBrowser } from "./setup/browser.mjs";
import { ensureTarget } from "./setup/rust.mjs";
import { Told, main, run } from "./shell.mjs";
import { isMain, runSteps } from "./steps.mjs";

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

async function rustTests(which = ["--workspace"]) {
  const { all } = await run("cargo", ["test", ...which, "--locked", "--quiet"], { cwd: wasmWorkspace });
  const lines = [...all.matchAll(/^test result: ok\. (\d+) passed; 0 failed; (\d+) ignored/gm)];
  const passed = sum(lines.map((line) => Number(line[1])));
  const ignored = sum(lines.map((line) => Number(line[2])));
  if (passed === 0) throw new Told("cargo ran no test");
  if (ignored > 0) throw new Told(`${ignored} Rust tests are switched off`);
  return { passed, note: `${passed} tests` };
}

/** Part of it is for Linux alone; the rest compiles everywhere. */
async function checkElsewhere() {
  const targets = ["x86_64-pc-windows-msvc", "aarch64-apple-darwin"];
  for (const target of targets) {
    await ensureTarget(target);
    await run("cargo", ["check", "-p", "wwi-cli", "--locked", "--quiet", "--target", target], { cwd: wasmWorkspace });
  }
  return { note: targets.join(", ") };
}

/** A kind of process that no other step builds. */
async function furtherKindTests() {
  await lintFurtherKind();
  return rustTests(furtherKind);
}

/** Those of all files, or of the files whose path contains `which`. */
async function unitTests(which = []) {
  const scratch = mkdtempSync(join(tmpdir(), "units-"));
  const report = join(scratch, "report.json");
  try {
    const tell = ["--reporter=json", `--outputFile=${report}`, "--reporter=dot"];
    const args = ["run", "--config", join(web, "vite.config.ts"), ...tell, ...which];
    const result = await run(nodeProgram("vitest"), args, { env: { FORCE_COLOR: "0" } }).catch((error) => error);
    if (!existsSync(report)) throw result;
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(report, "utf8"));
    if (result instanceof Error) throw Object.assign(result, { failed: Math.max(1, numFailedTests) });
    if (numPassedTests === 0) throw new Told("vitest ran no test");
    const off = numPendingTests + numTodoTests;
    if (off > 0) throw new Told(`${off} unit tests are switched off`);
    return { passed: numPassedTests, note: `${numPassedTests} tests` };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** On the model as it was built last: nothing is compiled here. */
function pageTests() {
  if (!existsSync(join(wasmPackage, "sim_bg.wasm"))) throw new Told("the model is not built: npm run build:wasm");
  return unitTests(["src/"]);
}

/** What needs npm packages is loaded when its turn comes: at the start there may be none. */
const later = (file, name) => async () => (await import(file))[name]();
const builtOrNot = (isBuilt) => ({ note: isBuilt ? "built" : "unchanged" });

const inBrowser = ["unit", "page", "parity"];

/** Everything, cheap first; `sets` and `partOf` are told in selection.mjs. */
export const steps = [
  ...cheapSteps,
  { name: "unit tests of the page", sets: ["quick"], partOf: "unit tests", run: pageTests },
  { name: "Rust tests", sets: ["rust"], run: () => rustTests() },
  { name: "command line on other systems", sets: ["rust"], run: checkElsewhere },
  { name: "a further kind of process", sets: ["rust"], run: furtherKindTests },
  { name: "generated files are current", sets: ["rust"], run: checkGenerated },
  { name: "model for the browser", sets: inBrowser, run: async () => builtOrNot(await buildWasm()) },
  { name: "unit tests", sets: ["unit"], run: () => unitTests() },
  { name: "page", sets: ["page"], run: async () => builtOrNot(await buildPage()) },
  { name: "kept sketches are those of a fresh run", sets: ["page"], run: later("./keep.mjs", "checkKept") },
  { name: "size budgets", sets: ["page"], run: tellBudgets },
  { name: "browser", sets: ["page", "parity"], run: async () => ({ note: await ensureBrowser("chromium") }) },
  { name: "native, Node and Chromium agree", sets: ["parity"], run: later("./parity.mjs", "checkParity") },
  { name: "intervals hold the truth", sets: ["rust"], run: later("./coverage.mjs", "checkCoverage") },
  { name: "user stories in Chromium", sets: ["page"], run: runStories },
  { name: "smoke run in Firefox", sets: ["page"], run: later("./smoke-firefox.mjs", "smokeInFirefox") },
];

if (isMain(import.meta)) await main((words) => runSteps(selectSteps(steps, words)));
