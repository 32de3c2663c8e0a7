import { describe, expect, it } from "vitest";
import { openEngine } from "../testing/directEngine";
import { checkEngine, outcomesOf, task } from "../testing/engineContract";
import { fakeWasm } from "../testing/fakeWasm";
import type { WasmModule } from "./wasmModule";

const preset = "instance-caging-vm";

/** As the simulation itself: once it fell, all that is asked of it is wrong. */
function fragileWasm(): WasmModule {
  let isBroken = false;
  const guarded = <T>(work: () => T): T => {
    if (isBroken) throw new Error("memory access out of bounds");
    try {
      return work();
    } catch (thrown) {
      isBroken = !(thrown as Error).message.startsWith("{");
      throw thrown;
    }
  };
  class Run extends fakeWasm.Run {
    constructor(query: string, options: string) {
      guarded(() => new fakeWasm.Run(query, options));
      super(query, options);
    }

    override advance(maxEvents: number): Float64Array {
      return guarded(() => super.advance(maxEvents));
    }

    override free(): void {
      guarded(() => super.free());
    }
  }
  const describeIt = (query: string): string => {
    if (query.includes("trap")) isBroken = true;
    return guarded(() => fakeWasm.describe(query));
  };
  return { ...fakeWasm, Run, describe: describeIt };
}

checkEngine("the engine in the same thread", () => openEngine(), preset);

describe("a trap in the same thread", () => {
  const withSessions = [1, 2, 3].map((sessions) => task(`${preset}?sessions=${sessions}`));

  it("fails one scenario; another simulation answers the others, now and later", async () => {
    let loads = 0;
    const engine = openEngine(() => (loads++, fragileWasm()));
    const outcomes = await outcomesOf(engine, [task(preset), task(`${preset}?trap=1`), ...withSessions]);
    expect(outcomes.filter(({ kind }) => kind !== "progress").map(({ key, kind }) => `${kind} ${key}`)).toEqual([
      `point point ${preset}`, `failed point ${preset}?trap=1`, ...withSessions.map(({ key }) => `point ${key}`),
    ]);
    expect((await outcomesOf(engine, [task(preset)])).map(({ kind }) => kind)).toContain("point");
    expect(await engine.describe(preset)).toMatchObject({ ok: true });
    expect(loads).toBe(2);
    engine.close();
  });

  it("of a scenario that is described leaves those that run alone", async () => {
    const engine = openEngine(fragileWasm);
    const outcomes = outcomesOf(engine, withSessions);
    await expect(engine.describe(`${preset}?trap=1`)).rejects.toThrow("memory");
    expect((await outcomes).filter(({ kind }) => kind === "point")).toHaveLength(3);
    expect(await engine.describe(preset)).toMatchObject({ ok: true });
    engine.close();
  });

  it("says so where no other can be loaded, and tries again when asked again", async () => {
    let loads = 0;
    const engine = openEngine(() => {
      if (++loads === 2) throw new Error("404");
      return fragileWasm();
    });
    const outcomes = await outcomesOf(engine, [task(`${preset}?trap=1`), ...withSessions]);
    expect(outcomes.map((one) => (one.kind === "failed" ? one.error.code : one.kind))).toEqual([
      "trap", "not-ready", "not-ready", "not-ready",
    ]);
    expect((await outcomesOf(engine, [task(preset)])).map(({ kind }) => kind)).toContain("point");
    engine.close();
  });
});
