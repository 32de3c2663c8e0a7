import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.mjs";
import { Told, main } from "./shell.mjs";
import { isMain } from "./steps.mjs";

/** Optional packages (binaries, one a platform) that others ask for and the lock file leaves out. */
export function missingFrom({ packages }) {
  const has = (path, name) =>
    Object.hasOwn(packages, `node_modules/${name}`) || Object.hasOwn(packages, `${path}/node_modules/${name}`);
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !has(path, name)),
  );
}

/** Packages that would be installed unchecked: those that every machine installs, and those of some platforms. */
export function uncheckedIn({ packages }) {
  const all = Object.entries(packages).filter(([path, { integrity }]) => path !== "" && integrity === undefined);
  const names = (isOptional) =>
    all
      .filter(([, { optional = false }]) => optional === isOptional)
      .map(([path]) => path.replace(/^.*node_modules\//, ""));
  return { everywhere: names(false), somewhere: names(true) };
}

/** `npm ci` refuses a lock file with gaps on machines whose registry knows better. */
export function tellLock(lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"))) {
  const missing = missingFrom(lock);
  if (missing.length > 0)
    throw new Told(`package-lock.json leaves out ${missing.join(", ")}: write it where the registry holds them`);
  const { everywhere, somewhere } = uncheckedIn(lock);
  if (everywhere.length > 0) throw new Told(`package-lock.json has no checksum of ${everywhere.join(", ")}`);
  return somewhere.length === 0
    ? {}
    : {
        note: `${somewhere.length} binaries of other platforms have no checksum: write it where the registry holds `
          + `them`,
      };
}

if (isMain(import.meta)) await main(() => console.log(tellLock().note ?? ""));
