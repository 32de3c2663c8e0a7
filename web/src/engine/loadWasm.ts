/** The one place that imports the simulation's package. */
import init, { describe, Fit, Run } from "./wasm/sim.js";
import type { WasmModule } from "./wasmModule";

/** Compiles the simulation; `source` only where there is no fetch (Node). */
export async function loadWasm(source?: BufferSource): Promise<WasmModule> {
  await (source === undefined ? init() : init({ module_or_path: source }));
  return { describe, Fit, Run };
}
