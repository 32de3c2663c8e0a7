import { join } from "node:path";
import { tellClaims } from "./check-claims.mjs";
import { tellCrates } from "./check-crates.mjs";
import { tellFaults } from "./check-faults.mjs";
import { checkImports, tellImports } from "./check-imports.mjs";
import { tellLock } from "./check-lock.mjs";
import { tellSizes } from "./check-sizes.mjs";
import { nodeProgram, root, wasmWorkspace, web } from "./paths.mjs";
import { ensureNodePackages } from "./setup/node-packages.mjs";
import { ensureRustChecks } from "./setup/rust.mjs";
import { main, run } from "./shell.mjs";
import { isMain, runSteps } from "./steps.mjs";

const cargo = (...args) => run("cargo", args, { cwd: wasmWorkspace });
const quietly = (work) => async () => {
  await work();
};

async function lint() {
  for (const folder of [web, join(root, "e2e")]) {
    const which = ["-c", join(folder, ".oxlintrc.json"), "--type-aware", "--tsconfig", join(folder, "tsconfig.json")];
    await run(nodeProgram("oxlint"), [...which, "--deny-warnings", folder]);
  }
}

async function typeCheck() {
  for (const project of [web, join(root, "e2e")]) await run(nodeProgram("tsc"), ["-p", project, "--pretty", "false"]);
}

const clippyArgs = ["--workspace", "--all-targets", "--locked", "--quiet", "--", "-D", "warnings"];
const withPackages = ["unit", "page", "parity", "quick"];

/** Everything that can be told without running the product, cheap first. `sets` is told in selection.mjs. */
export const cheapSteps = [
  { name: "npm packages", sets: withPackages, run: quietly(ensureNodePackages) },
  { name: "Rust tools", sets: ["rust", "quick"], run: quietly(ensureRustChecks) },
  { name: "lock file", sets: ["quick"], run: () => tellLock() },
  { name: "file sizes", sets: ["quick"], run: tellSizes },
  { name: "claims of the pages", sets: ["quick"], run: () => tellClaims() },
  { name: "kept faults apply", sets: ["quick", "rust"], run: () => tellFaults() },
  { name: "imports of crates", sets: ["quick"], run: () => tellCrates() },
  { name: "Rust format", sets: ["rust", "quick"], run: quietly(() => cargo("fmt", "--all", "--check")) },
  { name: "import rules", sets: ["quick"], run: async () => tellImports(await checkImports()) },
  { name: "lint", sets: ["quick"], run: quietly(lint) },
  { name: "types", sets: ["quick"], run: quietly(typeCheck) },
  { name: "clippy", sets: ["rust"], run: quietly(() => cargo("clippy", ...clippyArgs)) },
];

if (isMain(import.meta)) await main(() => runSteps(cheapSteps));
