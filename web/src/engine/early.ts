/**
 * Workers and simulation on their way while the page's own code is: the entry starts them, and whoever makes the engine
 * takes them. The simulation is fetched and compiled once, for all of them.
 */

const make = (): Worker => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });

/** Workers that the page uses at most. */
export const coreCount = (): number => Math.min(navigator.hardwareConcurrency || 2, 16);

let early: Worker[] = [];
let fetched: Promise<Response> | null = null;
let compiled: Promise<WebAssembly.Module | null> | null = null;

/** The page's own code comes first. */
const fetchIt = (): Promise<Response> =>
  fetch(new URL("./wasm/sim_bg.wasm", import.meta.url), { priority: "low" });

/** Where that cannot be done here, each worker loads it by itself, and says what is wrong if it cannot. */
const compile = (): Promise<WebAssembly.Module | null> =>
  WebAssembly.compileStreaming(fetched ??= fetchIt()).catch(() => null);

/** What a worker is sent before anything else: what it shall run. */
export interface Given {
  readonly module: WebAssembly.Module | null;
}

/** Starts all workers. Where the browser or its host allow none, who makes the engine finds that out again. */
export function startEarly(): void {
  try {
    early = Array.from({ length: coreCount() }, make);
  } catch {
    return;
  }
  // Nobody listens yet, so one that could not be loaded is not given to anybody.
  for (const worker of early)
    worker.addEventListener("error", () => void (early = early.filter((one) => one !== worker)), { once: true });
  fetched = fetchIt();
  fetched.catch(() => {});
}

/** One that was started early, or a new one; throws where there can be none. Compiling waits for the first taken. */
export function nextWorker(): Worker {
  const worker = early.shift() ?? make();
  compiled ??= compile();
  void compiled.then((module) => worker.postMessage({ module } satisfies Given));
  return worker;
}
