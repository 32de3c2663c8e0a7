import { homedir, platform } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Every place the scripts read or write, named once. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const web = join(root, "web");
export const wasmWorkspace = join(root, "sim-wasm");
export const wasmPackage = join(web, "src/engine/wasm");
export const generated = join(web, "src/engine/generated");
export const dist = join(root, "dist");
export const nodeModules = join(root, "node_modules");
export const stamps = join(nodeModules, ".cache/wait-what-if");

const userCache =
  process.env.XDG_CACHE_HOME ||
  (platform() === "darwin" ? join(homedir(), "Library/Caches") : join(homedir(), ".cache"));
/** Tools that we build ourselves, one folder for each version. */
export const toolCache = join(userCache, "wait-what-if");

/** A program that npm put into node_modules, with the suffix that Windows wants. */
export function nodeProgram(name) {
  return join(nodeModules, ".bin", platform() === "win32" ? `${name}.cmd` : name);
}
