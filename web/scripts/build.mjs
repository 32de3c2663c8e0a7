import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildWasm, wasmHash } from "./build-wasm.mjs";
import { dist, nodeProgram, root, stamps, web } from "./paths.mjs";
import { main, run, say } from "./shell.mjs";
import { isMain } from "./steps.mjs";
import { builtHash, replaceFolder, sourceHash, stampMatches, writeStamp } from "./source-hash.mjs";

const stamp = join(stamps, "dist");
const notInThePage = /^web\/(scripts|src\/engine\/wasm|src\/testing)(\/|$)|\.test\.tsx?$/;

function pageHash() {
  return sourceHash({
    paths: [web, join(root, "public"), join(root, "package-lock.json"), join(root, "LICENSE")],
    skip: (path) => notInThePage.test(path),
    also: [wasmHash(), ...["notices", "keep"].map((name) => readFileSync(join(web, `scripts/${name}.mjs`), "utf8"))],
  });
}

/** Leaves in dist/ a site that runs from any folder of any static host; does nothing when it is there already. */
export async function buildPage() {
  await buildWasm();
  const hash = pageHash();
  if (existsSync(dist) && stampMatches(stamp, builtHash(dist, hash))) return false;
  say("Building the page …");
  // What needs npm packages is loaded when its turn comes: at the start there may be none.
  const { keepIn, keptHash } = await import("./keep.mjs");
  await replaceFolder(dist, async (folder) => {
    const how = ["--config", join(web, "vite.config.ts"), "--outDir", folder, "--logLevel", "warn"];
    await run(nodeProgram("vite"), ["build", ...how], { env: { VITE_KEPT: keptHash() } });
    await keepIn(folder);
  });
  writeStamp(stamp, builtHash(dist, hash));
  return true;
}

if (isMain(import.meta)) await main(() => buildPage().then(() => 0));
