/** The engine in the test's own thread, with Node's clock and no frames. */
import type { Catalogue, Texts } from "../engine/catalogue";
import { DirectEngine } from "../engine/directEngine";
import type { WasmModule } from "../engine/wasmModule";
import { fakeCatalogue, fakeTexts } from "./fakeCatalogue";
import { fakeWasm } from "./fakeWasm";

export function openEngine(
  module: WasmModule | (() => WasmModule) = fakeWasm, catalogue: Catalogue = fakeCatalogue,
  texts: () => Promise<Texts> = () => Promise.resolve(fakeTexts),
): DirectEngine {
  return new DirectEngine({
    catalogue,
    texts,
    kept: () => Promise.resolve(null),
    load: async () => (typeof module === "function" ? module() : module),
    nextFrame: (callback) => void setTimeout(callback, 1),
    now: () => performance.now(),
    yieldTo: (next) => void setImmediate(next),
  });
}
