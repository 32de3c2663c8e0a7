import { join } from "node:path";
import { platform } from "node:os";
import { wasmWorkspace } from "./paths.mjs";
import { main, run, show } from "./shell.mjs";
import { isMain } from "./steps.mjs";
import { ensureRust } from "./setup/rust.mjs";

/** The native runner, built when it must be; answers with its path. */
export async function buildNativeRunner() {
  ensureRust();
  await run("cargo", ["build", "--release", "--locked", "--quiet", "-p", "wwi-cli"], { cwd: wasmWorkspace });
  return join(wasmWorkspace, "target/release", platform() === "win32" ? "wwi.exe" : "wwi");
}

/** Prints what the runner prints and nothing else; files are looked up where the reader stands, not where npm does. */
if (isMain(import.meta)) {
  await main(async (args) => show(await buildNativeRunner(), args, { cwd: process.env.INIT_CWD ?? process.cwd() }));
}
