import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { root, stamps } from "./paths.mjs";

const neverSource = new Set(["node_modules", "target", "dist", ".git"]);

/** Every file under the given paths, in one fixed order. `skip` sees the path from the root, with slashes. */
export function filesUnder(paths, skip = () => false) {
  const found = [];
  const visit = (path) => {
    const fromRoot = relative(root, path).split("\\").join("/");
    if (!existsSync(path) || skip(fromRoot)) return;
    if (!statSync(path).isDirectory()) {
      found.push(path);
      return;
    }
    for (const name of readdirSync(path).sort()) if (!neverSource.has(name)) visit(join(path, name));
  };
  for (const path of paths) visit(path);
  return found;
}

/** One hash of the files' names and bytes and of whatever else the result depends on. */
export function sourceHash({ paths, skip, also = [] }) {
  const hash = createHash("sha256");
  for (const text of also) hash.update(`${text}\0`);
  for (const file of filesUnder(paths, skip)) {
    hash.update(`${relative(root, file).split("\\").join("/")}\0`);
    hash.update(readFileSync(file));
    hash.update("\0");
  }
  return hash.digest("hex");
}

/** What a stamp says of a folder that was built from sources of this hash: it holds for those very files alone. */
export function builtHash(folder, hash) {
  return sourceHash({ paths: [folder], also: [hash] });
}

export function stampMatches(stampFile, hash) {
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === hash;
}

export function writeStamp(stampFile, hash) {
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, hash);
}

/**
 * Lets `build` fill a folder of its own and puts it in place when it is whole: no reader and no second build sees a
 * half.
 */
export async function replaceFolder(folder, build) {
  const scratch = join(stamps, `${basename(folder)}-${process.pid}`);
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(stamps, { recursive: true });
  try {
    await build(scratch);
    rmSync(folder, { recursive: true, force: true });
    renameSync(scratch, folder);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
