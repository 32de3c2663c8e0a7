import { join } from "node:path";
import { buildWasm } from "./build-wasm.mjs";
import { nodeProgram, web } from "./paths.mjs";
import { main, show } from "./shell.mjs";

/** The page with live reload. After a change to the model: npm run build:wasm in a second terminal. */
await main(async (args) => {
  await buildWasm();
  return show(nodeProgram("vite"), ["--config", join(web, "vite.config.ts"), ...args]);
});
