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
    also: [wasmHash(), readFileSync(join(web, "scripts/notices.mjs"), "utf8")],
  });
}

/** Leaves in dist/ a site that runs from any folder of any static host; does nothing when it is there already. */
export async function buildPage() {
  await buildWasm();
  const hash = pageHash();
  if (existsSync(dist) && stampMatches(stamp, builtHash(dist, hash))) return false;
  say("Building the page …");
  await replaceFolder(dist, (folder) =>
    run(nodeProgram("vite"), [
      "build", "--config", join(web, "vite.config.ts"), "--outDir", folder, "--logLevel", "warn",
    ]),
  );
  writeStamp(stamp, builtHash(dist, hash));
  return true;
}

if (isMain(import.meta)) await main(() => buildPage().then(() => 0));
