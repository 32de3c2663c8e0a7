/** The engine as the page uses it: real workers, real clock, real frames. */
import type { Catalogue } from "./catalogue";
import type { Engine, NextFrame } from "./engine";
import catalogueJson from "./generated/catalogue.json";
import { Pool, type WorkerPort } from "./pool";

/** The table as it was when the page was built, so that the first paint waits for nothing. */
export const builtCatalogue = catalogueJson as unknown as Catalogue;

/** A hidden page paints no frames; results must come in all the same. */
const HIDDEN_MS = 200;

const nextFrame: NextFrame = (callback) => {
  let isDone = false;
  const once = (): void => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    callback();
  };
  const timer = setTimeout(once, HIDDEN_MS);
  requestAnimationFrame(once);
};

export function createBrowserEngine(): Engine {
  return new Pool({
    catalogue: builtCatalogue,
    spawn: () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }) as unknown as WorkerPort,
    cores: Math.min(navigator.hardwareConcurrency || 2, 16),
    nextFrame,
    now: () => performance.now(),
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  });
}
