/** The contract again, with the simulation itself, and what the page takes for granted of it. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openEngine } from "../testing/directEngine";
import { checkEngine, finePoint, fullRun, outcomesOf, task } from "../testing/engineContract";
import { FakeWorker } from "../testing/fakeWorker";
import { builtCatalogue } from "./browserEngine";
import type { DirectEngine } from "./directEngine";
import { loadWasm } from "./loadWasm";
import { Pool } from "./pool";

const module = await loadWasm(readFileSync(new URL("./wasm/sim_bg.wasm", import.meta.url)));
const preset = builtCatalogue.presets[0]?.id ?? "";

function createPool(): Pool {
  return new Pool({
    catalogue: builtCatalogue, texts: () => Promise.reject(new Error("not asked in these tests")),
    kept: () => Promise.resolve(null),
    spawn: () => new FakeWorker(() => Promise.resolve(module)),
    cores: 2,
    nextFrame: (callback) => void setTimeout(callback, 1),
    now: () => performance.now(),
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  });
}

const createDirect = (): DirectEngine => openEngine(module, builtCatalogue);

checkEngine("the pool over the simulation", createPool, preset);
checkEngine("the direct engine over the simulation", createDirect, preset);

describe("the simulation behind the engine", () => {
  const presets = builtCatalogue.presets.map(({ id }) => id);
  it.each(presets)("answers %s as a point and in full, within its precision", async (id) => {
    const tasks = [task(id, finePoint), task(id, fullRun)];
    const outcomes = (await outcomesOf(createDirect(), tasks)).filter((one) => one.kind !== "progress");
    expect(outcomes.map(({ kind }) => kind)).toEqual(["point", "full"]);
    const precise = outcomes.flatMap((one) => (one.kind === "full" ? [one.full.report.precision] : []));
    expect(precise.every(({ ok, truncated }) => ok && !truncated)).toBe(true);
  }, 120_000);

  it("shares its seeds between points, so that a difference is surer than its sides", async () => {
    const engine = createDirect();
    const [a, b] = (
      await outcomesOf(engine, [task(preset, finePoint), task(`${preset}?switch_refill_us=700`, finePoint)])
    ).flatMap((one) => (one.kind === "point" ? [one.point] : []));
    expect(a?.lioReps.length).toBe(b?.lioReps.length);
  });

  it("refuses with the path of what is wrong", async () => {
    const [outcome] = await outcomesOf(createDirect(), [task(`${preset}?sessions=-1`)]);
    expect(outcome).toMatchObject({ kind: "failed", error: { code: "scenario", field: "sessions" } });
  });

  it("reads and writes numbers as they are written outside", async () => {
    const written: Record<string, string> = {
      "latch_share=2.9802322387695312e-8": "latch_share=0.000000029802322387695312",
      "latch_share=+3.E-5": "latch_share=0.00003",
      "think_time_ms=007.30000000000000004": "think_time_ms=7.3",
      "lio_us=0.30000000000000004": "lio_us=0.30000000000000004",
    };
    const engine = createDirect();
    for (const [query, canonical] of Object.entries(written)) {
      const found = await engine.describe(`cpu-queue?${query.replace("+", "%2B")}`);
      expect(found).toMatchObject({ ok: true, canonical: `cpu-queue?${canonical}` });
    }
    const half = 2 ** -25;
    const document = JSON.stringify({ version: 1, latch_share: half, sessions: 3 });
    const found = await engine.describe(document);
    expect(found).toMatchObject({ ok: true, resolved: { latch_share: half } });
  });
});
