/** The types of the built package, which brings none of its own: the page's types are the same before it is built. */
declare module "*/wasm/sim.js" {
  export default function init(options?: { readonly module_or_path: BufferSource | WebAssembly.Module }): Promise<unknown>;
  export function describe(query: string): string;
  export const Fit: import("./wasmModule").WasmModule["Fit"];
  export const Run: import("./wasmModule").WasmModule["Run"];
}
