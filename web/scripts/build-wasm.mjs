import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { ordered } from "./order-functions.mjs";
import { nodeProgram, stamps, wasmPackage, wasmWorkspace, web } from "./paths.mjs";
import { ask, main, run, say } from "./shell.mjs";
import { isMain } from "./steps.mjs";
import { replaceFolder, sourceHash, stampMatches, writeStamp } from "./source-hash.mjs";
import { ensureNodePackages } from "./setup/node-packages.mjs";
import { ensureRust } from "./setup/rust.mjs";
import { ensureWasmTools } from "./setup/wasm-tools.mjs";

const stamp = ".stamp";
/** Panics name files; where packages lie on the machine that built is nobody's business. */
const cargoHome = process.env.CARGO_HOME || join(homedir(), ".cargo");
const notInTheBinary = /^sim-wasm\/(docs|fuzz|peers|crates\/cli)(\/|$)|\/(tests|benches)$|\.md$/;
const makers = ["build-wasm.mjs", "order-functions.mjs", "wasm-module.mjs", "setup/wasm-tools.mjs"];

/** What the compiled model depends on. */
export function wasmHash() {
  return sourceHash({
    paths: [wasmWorkspace, ...makers.map((name) => join(web, "scripts", name))],
    skip: (path) => notInTheBinary.test(path),
    also: [ask("rustc", ["--version"], { cwd: wasmWorkspace }) ?? ""],
  });
}

/** With less inlining than natively, for it is downloaded. */
async function compileInto(folder, path, asked) {
  const options = ["--release", "--target", "web", "--mode", "no-install", "--no-pack", "--no-typescript"];
  const smaller = ["--config", "profile.release.package.wwi-model.opt-level=2"];
  const to = ["--out-name", "sim", "--out-dir", folder];
  await run("wasm-pack", ["build", ".", ...options, ...to, "--", "--locked", ...smaller, ...asked], {
    cwd: wasmWorkspace,
    env: { PATH: path, CARGO_ENCODED_RUSTFLAGS: `--remap-path-prefix=${join(cargoHome, "registry/src")}=crates` },
  });
}

/** What the compiler uses of WebAssembly; wasm-opt does not write into a text that it may use it. */
const features = [
  "mutable-globals", "nontrapping-float-to-int", "bulk-memory", "sign-ext", "reference-types", "multivalue",
  "bulk-memory-opt", "call-indirect-overlong",
].map((name) => `--enable-${name}`);

/** Lets gzip find what functions have in common. */
async function orderFunctions(module) {
  const text = `${module}.wat`;
  const optimiser = (...args) => run(nodeProgram("wasm-opt"), ["--mvp-features", ...features, ...args]);
  await optimiser(module, "--emit-text", "--output", text);
  writeFileSync(text, ordered(readFileSync(text, "utf8"), readFileSync(module)));
  await optimiser(text, "--output", module);
  rmSync(text);
}

/** Compiles the model for the browser into a folder, unless it is there already. */
async function buildInto(target, asked) {
  await ensureNodePackages();
  ensureRust();
  const hash = wasmHash();
  if (existsSync(join(target, "sim_bg.wasm")) && stampMatches(join(target, stamp), hash)) return false;
  const path = await ensureWasmTools();
  say("Building the model for the browser …");
  await replaceFolder(target, async (folder) => {
    await compileInto(folder, path, asked);
    await orderFunctions(join(folder, "sim_bg.wasm"));
    writeStamp(join(folder, stamp), hash);
  });
  return true;
}

/** What the page downloads, in web/src/engine/wasm. */
export const buildWasm = () => buildInto(wasmPackage, []);

/** The same with benchmarks in it, which no page has; answers with its folder. */
export async function buildBenchWasm() {
  const folder = join(stamps, "bench-wasm");
  await buildInto(folder, ["--features", "bench"]);
  return folder;
}

if (isMain(import.meta)) await main(() => buildWasm().then(() => 0));
