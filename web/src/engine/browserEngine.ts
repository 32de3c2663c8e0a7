/** The engine as the page uses it: real workers, real clock, real frames. */
import type { Catalogue } from "./catalogue";
import type { Engine, NextFrame } from "./engine";
import catalogueJson from "./generated/catalogue.json";
import { coreCount, nextWorker } from "./early";
import { fetchKept } from "./kept";
import { Pool, type WorkerPort } from "./pool";
import { fetchTexts } from "./texts";

/** The table as it was when the page was built, so that the first paint waits for nothing. */
export const builtCatalogue = catalogueJson as unknown as Catalogue;

/** A hidden page paints no frames; results must come in all the same. */
const HIDDEN_MS = 200;

export const nextFrame: NextFrame = (callback) => {
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

/** Throws where no worker can be made: the browser, its host's policy or a sandbox without an origin may forbid it. */
export function createBrowserEngine(): Engine {
  return new Pool({
    catalogue: builtCatalogue,
    texts: fetchTexts,
    kept: fetchKept,
    spawn: () => nextWorker() as unknown as WorkerPort,
    cores: coreCount(),
    nextFrame,
    now: () => performance.now(),
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  });
}

/** For such a page. Loaded only then. */
export async function createOwnThreadEngine(): Promise<Engine> {
  const [{ DirectEngine }, { loadAnew }] = await Promise.all([import("./directEngine"), import("./loadAnew")]);
  return new DirectEngine({
    catalogue: builtCatalogue,
    texts: fetchTexts,
    kept: fetchKept,
    load: () => loadAnew(),
    nextFrame,
    now: () => performance.now(),
    // A timer, not a message: the page has the thread between two slices.
    yieldTo: (next) => void setTimeout(next, 0),
  });
}
