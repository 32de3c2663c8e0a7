/** Imports the simulation's package, once for all who ask; `loadAnew.ts` is for those who may ask again. */
import init, { describe, Fit, Run } from "./wasm/sim.js";
import type { WasmModule } from "./wasmModule";

/** Makes the simulation ready; `source`: what it is, where it need not be fetched. */
export async function loadWasm(source?: BufferSource | WebAssembly.Module): Promise<WasmModule> {
  await (source === undefined ? init() : init({ module_or_path: source }));
  return { describe, Fit, Run };
}
