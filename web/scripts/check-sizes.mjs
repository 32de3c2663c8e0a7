import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root, wasmPackage, wasmWorkspace, web } from "./paths.mjs";
import { Told, main } from "./shell.mjs";
import { isMain } from "./steps.mjs";
import { filesUnder } from "./source-hash.mjs";

const longest = 450;
const written = /\.(rs|ts|tsx|mjs|css|html)$/;
const isGenerated = (file) => file.startsWith(wasmPackage) || /[\\/]generated[\\/]/.test(file);

/** No source file is longer than one can hold in mind. Functions are held to their length by clippy and oxlint. */
export function tooLong(folders = [wasmWorkspace, web, join(root, "e2e")]) {
  return filesUnder(folders)
    .filter((file) => written.test(file) && !isGenerated(file))
    .map((file) => ({ file: relative(root, file), lines: readFileSync(file, "utf8").split("\n").length - 1 }))
    .filter(({ lines }) => lines > longest);
}

export function tellSizes() {
  const found = tooLong();
  if (found.length > 0) throw new Told(found.map(({ file, lines }) => `${file}: ${lines} lines, ${longest} at most`).join("\n"));
}

if (isMain(import.meta)) await main(tellSizes);
