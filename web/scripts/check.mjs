import { join } from "node:path";
import { checkImports, tellImports } from "./check-imports.mjs";
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
  const config = join(web, ".oxlintrc.json");
  const common = ["-c", config, "--deny-warnings", "--no-error-on-unmatched-pattern"];
  await run(nodeProgram("oxlint"), [...common, "--type-aware", "--tsconfig", join(web, "tsconfig.json"), web]);
  await run(nodeProgram("oxlint"), [...common, "--type-aware", "--tsconfig", join(root, "e2e/tsconfig.json"), join(root, "e2e")]);
}

async function typeCheck() {
  for (const project of [web, join(root, "e2e")]) await run(nodeProgram("tsc"), ["-p", project, "--pretty", "false"]);
}

/** Everything that can be told without running the product, cheap first. */
export const cheapSteps = [
  { name: "npm packages", run: quietly(ensureNodePackages) },
  { name: "Rust tools", run: quietly(ensureRustChecks) },
  { name: "file sizes", run: tellSizes },
  { name: "Rust format", run: quietly(() => cargo("fmt", "--all", "--check")) },
  { name: "import rules", run: async () => tellImports(await checkImports()) },
  { name: "lint", run: quietly(lint) },
  { name: "types", run: quietly(typeCheck) },
  { name: "clippy", run: quietly(() => cargo("clippy", "--workspace", "--all-targets", "--locked", "--quiet", "--", "-D", "warnings")) },
];

if (isMain(import.meta)) await main(() => runSteps(cheapSteps));
