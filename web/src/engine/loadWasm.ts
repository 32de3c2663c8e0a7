/** The one place that imports the simulation's package. */
import init, { describe, Fit, Run } from "./wasm/sim.js";
import type { WasmModule } from "./wasmModule";

/** Makes the simulation ready; `source`: what it is, where it need not be fetched. */
export async function loadWasm(source?: BufferSource | WebAssembly.Module): Promise<WasmModule> {
  await (source === undefined ? init() : init({ module_or_path: source }));
  return { describe, Fit, Run };
}
