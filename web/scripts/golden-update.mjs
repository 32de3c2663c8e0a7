import { join } from "node:path";
import { buildWasm } from "./build-wasm.mjs";
import { updateGenerated } from "./generated.mjs";
import { nodeProgram, web } from "./paths.mjs";
import { main, run, say } from "./shell.mjs";

/** Writes anew every file that a test compares with: read the difference before you commit it. */
await main(async () => {
  await buildWasm();
  await updateGenerated();
  await run(nodeProgram("vitest"), ["run", "--config", join(web, "vite.config.ts"), "--update"]);
  say("Done: git diff shows what changed.");
});
