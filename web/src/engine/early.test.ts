import { beforeEach, expect, it, vi } from "vitest";

class FakeWorker {
  static made: FakeWorker[] = [];
  static areForbidden = false;
  readonly sent: unknown[] = [];
  private fail = (): void => {};
  constructor() {
    if (FakeWorker.areForbidden) throw new Error("SecurityError");
    FakeWorker.made.push(this);
  }
  postMessage(message: unknown): void {
    this.sent.push(message);
  }
  addEventListener(_: string, callback: () => void): void {
    this.fail = callback;
  }
  break(): void {
    this.fail();
  }
}

const compiled = {} as WebAssembly.Module;
const soon = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 0));

/** The module anew, in a browser that allows workers or none and compiles or does not. */
async function early({ compile = () => Promise.resolve(compiled), areForbidden = false } = {}) {
  vi.resetModules();
  Object.assign(FakeWorker, { made: [], areForbidden });
  const fetched: string[] = [];
  vi.stubGlobal("navigator", { hardwareConcurrency: 3 });
  vi.stubGlobal("Worker", FakeWorker);
  vi.stubGlobal("fetch", (url: URL) => {
    fetched.push(url.pathname.split("/").at(-1) ?? "");
    return Promise.resolve("reply");
  });
  const compiling = vi.fn<() => Promise<WebAssembly.Module>>(compile);
  vi.spyOn(WebAssembly, "compileStreaming").mockImplementation(compiling);
  return { ...(await import("./early")), fetched, compiling };
}

beforeEach(() => vi.unstubAllGlobals());

it("fetches and compiles once, for the workers started early and for those hired later", async () => {
  const { startEarly, nextWorker, fetched, compiling } = await early();
  startEarly();
  expect(FakeWorker.made).toHaveLength(3);
  expect(fetched).toEqual(["sim_bg.wasm"]);
  expect(compiling).not.toHaveBeenCalled();
  const taken = [nextWorker(), nextWorker(), nextWorker(), nextWorker()];
  await soon();
  expect(taken).toEqual(FakeWorker.made);
  expect(FakeWorker.made.map(({ sent }) => sent)).toEqual([1, 2, 3, 4].map(() => [{ module: compiled }]));
  expect(compiling).toHaveBeenCalledTimes(1);
  expect(fetched).toHaveLength(1);
});

it("gives nobody a worker that could not be loaded", async () => {
  const { startEarly, nextWorker } = await early();
  startEarly();
  const [broken, second] = FakeWorker.made;
  broken?.break();
  expect(nextWorker()).toBe(second);
});

it("lets each worker load the simulation by itself where it cannot be compiled here", async () => {
  const { startEarly, nextWorker } = await early({ compile: () => Promise.reject(new Error("no such type")) });
  startEarly();
  nextWorker();
  await soon();
  expect(FakeWorker.made[0]?.sent).toEqual([{ module: null }]);
});

it("leaves it to who makes the engine to find that there can be no workers", async () => {
  const { startEarly, nextWorker, fetched } = await early({ areForbidden: true });
  startEarly();
  expect(fetched).toEqual([]);
  expect(() => nextWorker()).toThrow("SecurityError");
});
