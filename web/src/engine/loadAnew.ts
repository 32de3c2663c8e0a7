/** The simulation, new each time: its package keeps one memory for as long as it is loaded from one address. */
import packageUrl from "./wasm/sim.js?url";
import type { WasmModule } from "./wasmModule";

type Package = WasmModule & {
  readonly default: (options: { readonly module_or_path: BufferSource | URL }) => Promise<unknown>;
};

let loads = 0;

/** `source`: what it is, where it cannot be fetched. */
export async function loadAnew(
  source: BufferSource | URL = new URL("./wasm/sim_bg.wasm", import.meta.url),
): Promise<WasmModule> {
  const loaded = (await import(/* @vite-ignore */ `${packageUrl}?${++loads}`)) as Package;
  await loaded.default({ module_or_path: source });
  return loaded;
}
