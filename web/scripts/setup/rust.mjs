import { existsSync } from "node:fs";
import { Told, ask, run, say } from "../shell.mjs";
import { wasmWorkspace } from "../paths.mjs";

const wasmTarget = "wasm32-unknown-unknown";
const oldestRust = [1, 86];
const here = { cwd: wasmWorkspace };

/** cargo and rustc themselves; they alone must be there before us. */
export function ensureRust() {
  const version = ask("rustc", ["--version"], here);
  if (version === null || ask("cargo", ["--version"], here) === null) {
    throw new Told("Rust is missing: install it with rustup, from https://rustup.rs");
  }
  const [major, minor] = /(\d+)\.(\d+)/.exec(version).slice(1).map(Number);
  if (major < oldestRust[0] || (major === oldestRust[0] && minor < oldestRust[1])) {
    throw new Told(`${version} is too old: rustup update (${oldestRust.join(".")} or newer is needed)`);
  }
  return version;
}

async function rustup(args, reason) {
  if (ask("rustup", ["--version"], here) === null) {
    throw new Told(`${reason} is missing: install Rust with rustup, from https://rustup.rs`);
  }
  say(`Installing ${reason} …`);
  await run("rustup", args, here);
}

/** The standard library for another system. */
export async function ensureTarget(target) {
  ensureRust();
  const libraries = ask("rustc", ["--print", "target-libdir", "--target", target], here);
  if (libraries !== null && existsSync(libraries)) return;
  await rustup(["target", "add", target], `Rust's ${target} target`);
}

/** The compiler's half of building for the browser. */
export const ensureWasmTarget = () => ensureTarget(wasmTarget);

/** What the checks need beyond the compiler. */
export async function ensureRustChecks() {
  ensureRust();
  if (ask("cargo", ["fmt", "--version"], here) === null) await rustup(["component", "add", "rustfmt"], "rustfmt");
  if (ask("cargo", ["clippy", "--version"], here) === null) await rustup(["component", "add", "clippy"], "clippy");
}
