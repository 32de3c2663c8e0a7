import { root } from "./paths.mjs";
import { run } from "./shell.mjs";
import { buildNativeRunner } from "./sim.mjs";

/** Types, catalogue and preset documents under version control are what the Rust tables say today. */
export async function checkGenerated() {
  await run(await buildNativeRunner(), ["generate", root, "--check"]);
}

/** Writes them anew. */
export async function updateGenerated() {
  await run(await buildNativeRunner(), ["generate", root]);
}
