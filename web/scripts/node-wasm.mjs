import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { wasmPackage } from "./paths.mjs";

/** The model as the browser gets it, loaded into Node. It must be built. */
export async function loadModel() {
  const model = await import(pathToFileURL(join(wasmPackage, "sim.js")).href);
  model.initSync({ module: readFileSync(join(wasmPackage, "sim_bg.wasm")) });
  return model;
}
