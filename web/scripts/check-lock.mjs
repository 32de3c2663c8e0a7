import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.mjs";
import { Told, main } from "./shell.mjs";
import { isMain } from "./steps.mjs";

/** Optional packages (binaries, one a platform) that others ask for and the lock file leaves out. */
export function missingFrom({ packages }) {
  const has = (path, name) => Object.hasOwn(packages, `node_modules/${name}`) || Object.hasOwn(packages, `${path}/node_modules/${name}`);
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !has(path, name)),
  );
}

/** `npm ci` refuses a lock file with gaps on machines whose registry knows better. */
export function tellLock() {
  const missing = missingFrom(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
  if (missing.length > 0) throw new Told(`package-lock.json leaves out ${missing.join(", ")}: write it where the registry holds them`);
}

if (isMain(import.meta)) await main(tellLock);
