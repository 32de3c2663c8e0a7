import { existsSync, readFileSync } from "node:fs";
import { platform } from "node:os";
import { delimiter, join } from "node:path";
import { nodeModules, toolCache, wasmWorkspace } from "../paths.mjs";
import { Told, ask, run, say } from "../shell.mjs";
import { ensureWasmTarget } from "./rust.mjs";

const wasmPackVersion = "0.15.1";

/** The generated JavaScript and the crate must be of one version, so the crate's lock file decides. */
function lockedBindgenVersion() {
  const lock = readFileSync(join(wasmWorkspace, "Cargo.lock"), "utf8");
  const version = /name = "wasm-bindgen"\r?\nversion = "([^"]+)"/.exec(lock)?.[1];
  if (!version) throw new Told("sim-wasm/Cargo.lock names no wasm-bindgen");
  return version;
}

const answersWith = (program, version) => ask(program, ["--version"])?.split(/\s+/).includes(version) ?? false;

/**
 * Unoptimised: it builds several times faster and runs for a second. Its own lock file is tried first;
 * a registry that does not hold everything in it may still hold something as good.
 */
async function buildTool({ crate, version, features = [] }, folder) {
  const args = ["install", crate, "--version", `=${version}`, "--debug", "--force", "--root", folder, ...features];
  const env = { CARGO_PROFILE_DEV_DEBUG: "0" };
  try {
    await run("cargo", [...args, "--locked"], { env });
  } catch {
    await run("cargo", args, { env });
  }
}

/**
 * The folder that holds the program at this version, or null where the one on the PATH is it; builds it when there is
 * none.
 */
async function ensureTool(tool) {
  const { crate, program, version } = tool;
  if (answersWith(program, version)) return null;
  const folder = join(toolCache, `${crate}-${version}`);
  const file = join(folder, "bin", platform() === "win32" ? `${program}.exe` : program);
  if (!existsSync(file) || !answersWith(file, version)) {
    say(`Building ${program} ${version}, once for this machine …`);
    await buildTool(tool, folder);
  }
  return join(folder, "bin");
}

/** Answers with the PATH under which wasm-pack finds exactly the tools we mean. */
export async function ensureWasmTools() {
  await ensureWasmTarget();
  const bindgen = await ensureTool({
    crate: "wasm-bindgen-cli",
    program: "wasm-bindgen",
    version: lockedBindgenVersion(),
    // Encryption serves only its test runner.
    features: ["--no-default-features"],
  });
  const pack = await ensureTool({ crate: "wasm-pack", program: "wasm-pack", version: wasmPackVersion });
  return [bindgen, pack, join(nodeModules, ".bin"), process.env.PATH].filter(Boolean).join(delimiter);
}
