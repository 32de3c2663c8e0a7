import { wasmWorkspace } from "../paths.mjs";
import { run } from "../shell.mjs";

/** Runs the engine's own benchmark: nanoseconds of CPU an event by workload, turn by turn, and what else it tells. */
export async function nativeTurns() {
  const words = ["bench", "--locked", "--quiet", "-p", "wwi-cli", "--bench", "engine"];
  const { stdout } = await run("cargo", words, { cwd: wasmWorkspace });
  return JSON.parse(stdout);
}
