import { root, wasmWorkspace } from "./paths.mjs";
import { run } from "./shell.mjs";
import { buildNativeRunner } from "./sim.mjs";

/** The tests of a kind of process that is built for them alone: what the page is shown of it is kept, and compared. */
export const furtherKind = ["-p", "wwi-scenario", "--features", "planted", "--test", "planted"];

/** Types, catalogue and preset documents under version control are what the Rust tables say today. */
export async function checkGenerated() {
  await run(await buildNativeRunner(), ["generate", root, "--check"]);
}

/** Writes them anew. */
export async function updateGenerated() {
  await run(await buildNativeRunner(), ["generate", root]);
  await run("cargo", ["test", ...furtherKind, "--quiet"], { cwd: wasmWorkspace, env: { WWI_UPDATE: "1" } });
}
