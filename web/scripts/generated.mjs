import { root, wasmWorkspace } from "./paths.mjs";
import { run } from "./shell.mjs";
import { buildNativeRunner } from "./sim.mjs";

/** The tests of a kind of process that is built for them alone: what the page is shown of it is kept, and compared. */
export const furtherKind = ["-p", "wwi-scenario", "--features", "planted", "--test", "planted"];

const kindFeature = ["-p", "wwi-model", "-p", "wwi-scenario", "--features", "wwi-scenario/planted"];

/** Its source is in no other build, so no other step lints it. */
export async function lintFurtherKind() {
  const lint = ["clippy", ...kindFeature, "--lib", "--test", "planted", "--locked", "--quiet", "--", "-D", "warnings"];
  await run("cargo", lint, { cwd: wasmWorkspace });
}

/** Types, catalogue and preset documents under version control are what the Rust tables say today. */
export async function checkGenerated() {
  await run(await buildNativeRunner(), ["generate", root, "--check"]);
}

/** Writes them anew. */
export async function updateGenerated() {
  await run(await buildNativeRunner(), ["generate", root]);
  await run("cargo", ["test", ...furtherKind, "--quiet"], { cwd: wasmWorkspace, env: { WWI_UPDATE: "1" } });
}
