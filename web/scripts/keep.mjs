import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker, isMainThread, parentPort } from "node:worker_threads";
import { createServer } from "vite";
import { wasmHash } from "./build-wasm.mjs";
import { loadModel } from "./node-wasm.mjs";
import { dist, generated, stamps, web } from "./paths.mjs";
import { Told, main } from "./shell.mjs";
import { sourceHash } from "./source-hash.mjs";
import { isMain } from "./steps.mjs";

const cache = join(stamps, "kept");
const sources = ["analysis", "base", "engine", "store", "units"].map((name) => join(web, "src", name));

/** What kept sketches depend on: the model, and what asks it and puts the answers into words. */
export function keptHash() {
  const paths = [...sources, fileURLToPath(import.meta.url)];
  const skip = (path) => /\.test\.tsx?$|^web\/src\/engine\/wasm/.test(path);
  return sourceHash({ paths, skip, also: [wasmHash()] }).slice(0, 12);
}

const catalogue = () => JSON.parse(readFileSync(join(generated, "catalogue.json"), "utf8"));

/** Answers each preset that is asked for with its first sketch as JSON text. */
async function answer(port) {
  const config = { root: web, configFile: join(web, "vite.config.ts"), appType: "custom", logLevel: "error" };
  const server = await createServer({ ...config, server: { middlewareMode: true, hmr: false, ws: false } });
  const [{ keep }, { DirectEngine }] = await Promise.all(
    ["store/keep.ts", "engine/directEngine.ts"].map((file) => server.ssrLoadModule(`/src/${file}`)),
  );
  const [table, model] = [catalogue(), await loadModel()];
  const none = () => Promise.resolve(null);
  const engine = new DirectEngine({
    catalogue: table, texts: none, kept: none, load: () => Promise.resolve(model),
    nextFrame: (next) => setTimeout(() => next(), 1), now: () => performance.now(),
    yieldTo: (next) => setImmediate(() => next()),
  });
  port.on("message", (preset) => {
    keep(engine, table, preset).then(
      (text) => port.postMessage({ preset, text }), ({ stack }) => port.postMessage({ preset, fault: stack }),
    );
  });
  port.postMessage(null);
}

/** Every preset's first sketch as JSON text, by its name, from runs of now, on all cores. */
export async function sketches() {
  const names = catalogue().presets.map(({ id }) => id);
  const [found, left] = [new Map(), [...names]];
  const work = () =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL(import.meta.url));
      worker.on("error", reject);
      worker.on("message", (said) => {
        if (said?.fault !== undefined) reject(new Told(said.fault));
        if (said !== null) found.set(said.preset, said.text);
        const next = left.pop();
        if (next === undefined) worker.terminate().then(resolve, reject);
        else worker.postMessage(next);
      });
    });
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), names.length) }, work));
  return found;
}

/** Puts sketches into a folder of the site; they are made where this model and page have made none yet. */
export async function keepIn(site) {
  const hash = keptHash();
  const folder = join(cache, hash);
  if (!existsSync(folder)) {
    const scratch = join(cache, `new-${process.pid}`);
    mkdirSync(scratch, { recursive: true });
    for (const [preset, text] of await sketches()) writeFileSync(join(scratch, `${preset}.json`), text);
    renameSync(scratch, folder);
  }
  const target = join(site, "kept");
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  for (const name of readdirSync(folder))
    writeFileSync(join(target, name.replace(/\.json$/, `-${hash}.json`)), readFileSync(join(folder, name)));
}

/** The built page has of every preset what a run of now makes, byte for byte, and nothing else. */
export async function checkKept() {
  const [hash, fresh] = [keptHash(), await sketches()];
  const wanted = [...fresh.keys()].map((preset) => `${preset}-${hash}.json`).sort();
  const there = readdirSync(join(dist, "kept")).sort();
  if (wanted.join() !== there.join()) throw new Told(`dist/kept holds ${there.join(", ")}; not ${wanted.join(", ")}`);
  for (const [preset, text] of fresh) {
    if (readFileSync(join(dist, "kept", `${preset}-${hash}.json`), "utf8") !== text)
      throw new Told(`what is kept of ${preset} is not what a fresh run makes`);
  }
  return { passed: fresh.size, note: `${fresh.size} presets` };
}

if (!isMainThread) await answer(parentPort);
else if (isMain(import.meta)) await main(() => checkKept().then(({ note }) => console.log(note)));
