/** Stands in for the built package's own types while it is not built; the real file wins where it exists. */
declare module "*/wasm/sim.js" {
  export default function init(options?: { readonly module_or_path: BufferSource }): Promise<unknown>;
  export function describe(query: string): string;
  export const Fit: import("./wasmModule").WasmModule["Fit"];
  export const Run: import("./wasmModule").WasmModule["Run"];
}
