import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "./paths.mjs";

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

export function stampMatches(stampFile, hash) {
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === hash;
}

export function writeStamp(stampFile, hash) {
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, hash);
}
