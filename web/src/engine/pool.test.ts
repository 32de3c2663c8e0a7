import { describe, expect, it } from "vitest";
import { fakeCatalogue, fakeTexts } from "../testing/fakeCatalogue";
import { fakeWasm } from "../testing/fakeWasm";
import { FakeWorker } from "../testing/fakeWorker";
import { checkEngine, finePoint, fullRun, outcomesOf, task } from "../testing/engineContract";
import type { Job, Outcome, Task } from "./engine";
import { Pool, type PoolPorts, type WorkerPort } from "./pool";
import type { Fitted, FullAnswer, Reply, Request } from "./protocol";
import type { Report } from "./report";
import { readProgress } from "./server";

/** A worker whose replies the test gives. */
class Puppet implements WorkerPort {
  onmessage: WorkerPort["onmessage"] = null;
  onerror: WorkerPort["onerror"] = null;
  readonly heard: Request[] = [];

  postMessage(request: Request): void {
    this.heard.push(request);
  }

  terminate(): void {
    // It does nothing by itself.
  }

  say(data: Reply): void {
    this.onmessage?.({ data });
  }

  load(): void {
    this.say({ kind: "done", id: 0, call: "init", value: null });
  }

  failToLoad(): void {
    this.say({ kind: "failed", id: 0, error: { code: "trap", message: "out of memory", field: null } });
  }

  asked(call: Request["call"]): number {
    return this.heard.findLast((request) => request.call === call)?.id ?? 0;
  }
}

const preset = "instance-caging-vm";
const fitTask = { key: "lio_us", query: preset, seed: 42, fit: { over: "sessions", free: "lio_us", points: [] } };
const report = { version: 1, columns: [] } as unknown as Report;
const full: FullAnswer = { report, data: new Float64Array(), elapsedMs: 1 };
const progress = readProgress(new Float64Array(10));
const found: Fitted = {
  free: "lio_us", value: 2, low: 1, high: 3, isOpenBelow: false, isOpenAbove: false, residual: 0.1, figures: 3,
};

function createPool(more: Partial<PoolPorts> = {}): { pool: Pool; workers: FakeWorker[] } {
  const workers: FakeWorker[] = [];
  const pool = new Pool({
    catalogue: fakeCatalogue,
    texts: () => Promise.resolve(fakeTexts),
    kept: () => Promise.resolve(null),
    spawn: () => {
      const worker = new FakeWorker(() => Promise.resolve(fakeWasm));
      workers.push(worker);
      return worker;
    },
    cores: 2,
    nextFrame: (callback) => void setTimeout(callback, 1),
    now: () => performance.now(),
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    silenceMs: 60,
    ...more,
  });
  return { pool, workers };
}

/** A pool over workers that do what the test says; `ends`: how its tasks ended so far. */
function createPuppets(cores: number): {
  pool: Pool; puppets: Puppet[]; give: (...tasks: Task[]) => Job; ends: () => Promise<string[]>;
} {
  const puppets: Puppet[] = [];
  const spawn = (): Puppet => {
    const puppet = new Puppet();
    puppets.push(puppet);
    return puppet;
  };
  const { pool } = createPool({ cores, spawn, silenceMs: 60_000 });
  const heard: Outcome[] = [];
  return {
    pool, puppets,
    give: (...tasks) => pool.submit(tasks, (batch) => heard.push(...batch)),
    // Longer than outcomes are kept back.
    ends: async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return heard.flatMap((one) =>
        one.kind === "progress" || one.kind === "trying" ? [] : [`${one.key} ${one.kind}`],
      );
    },
  };
}

checkEngine("the pool", () => createPool().pool, preset);

describe("a worker that goes wrong", () => {
  it("is replaced when it closed itself, and its work done by another", async () => {
    const { pool, workers } = createPool();
    await outcomesOf(pool, [task(preset)]);
    for (const worker of workers) worker.terminate();
    const outcomes = await outcomesOf(pool, [1, 2, 3].map((sessions) => task(`${preset}?sessions=${sessions}`)));
    expect(outcomes.map((one) => one.kind)).toEqual(["point", "point", "point"]);
    expect(workers.length).toBeGreaterThan(2);
    pool.close();
  });

  it("is replaced after a trap; the scenario is tried once more, then failed with its seed", async () => {
    const { pool, workers } = createPool({ cores: 1 });
    const outcomes = await outcomesOf(pool, [task(`${preset}?trap=1`), task(preset)]);
    expect(outcomes.find((one) => one.kind === "failed")).toMatchObject({
      error: { code: "trap" }, scenario: `${preset}?trap=1`, seed: 42,
    });
    expect(outcomes.filter((one) => one.kind === "point")).toHaveLength(1);
    expect(workers).toHaveLength(3);
    pool.close();
  });

  it("blames the fit that it was trying, not a point that was sent before and not begun", async () => {
    const { pool, puppets, give, ends } = createPuppets(1);
    puppets[0]?.load();
    give({ ...task(preset, { ...fullRun, coarse: true }), key: "full" }, { ...task(preset), key: "point" });
    give(fitTask);
    const first = puppets[0];
    first?.say({ kind: "done", id: first.asked("full"), call: "full", value: full });
    first?.onerror?.(null);
    puppets[1]?.load();
    puppets[1]?.onerror?.(null);
    puppets[2]?.load();
    expect(await ends()).toEqual(["full full", "lio_us failed"]);
    expect(puppets[2]?.heard.map(({ call }) => call)).toEqual(["init", "point"]);
    pool.close();
  });

  it("blames the one that spoke last, whatever order they were sent in", async () => {
    const { pool, puppets, give, ends } = createPuppets(1);
    puppets[0]?.load();
    give(...["one", "two"].map((key) => ({ ...task(preset), key })));
    const id = puppets[0]?.asked("point") ?? 0;
    for (const at of [0, 1]) {
      if (at === 1) puppets[at]?.load();
      puppets[at]?.say({ kind: "progress", id, progress });
      // The one that was heard last is now first in the hand, and is the first to be sent again.
      puppets[at]?.onerror?.(null);
    }
    expect(await ends()).toEqual(["two failed"]);
    pool.close();
  });

  it("gives up in words when the simulation cannot be loaded", async () => {
    const broken = createPool({ cores: 1, spawn: () => new FakeWorker(() => Promise.reject(new Error("404"))) });
    const [outcome] = await outcomesOf(broken.pool, [task(preset)]);
    expect(outcome).toMatchObject({ kind: "failed", error: { code: "not-ready" } });
    broken.pool.close();
  });

  it("goes on without a worker that cannot be loaded, and with what the others have in hand", async () => {
    const { pool, puppets, give, ends } = createPuppets(2);
    puppets[1]?.load();
    give({ ...task(preset, { ...fullRun, coarse: true }), key: "full" }, { ...task(preset), key: "point" });
    for (const at of [0, 2, 3]) puppets[at]?.failToLoad();
    // Also while something is in the hand, when the first workers alone are used.
    pool.setHand("dragging");
    puppets[1]?.say({ kind: "done", id: puppets[1].asked("full"), call: "full", value: full });
    expect(await ends()).toEqual(["full full"]);
    expect(puppets[1]?.heard.map(({ call }) => call).toSorted()).toEqual(["full", "init", "point"]);
    expect(puppets).toHaveLength(4);

    // The last one: it is tried as often, and only then is nothing left.
    puppets[1]?.onerror?.(null);
    for (const at of [4, 5]) puppets[at]?.failToLoad();
    expect(await ends()).toEqual(["full full"]);
    puppets[6]?.failToLoad();
    expect(await ends()).toEqual(["full full", "point failed"]);
    expect(puppets).toHaveLength(7);

    give({ ...task(preset), key: "again" });
    expect(puppets).toHaveLength(9);
    pool.close();
  });

  it("waits for those that still load before it gives up", async () => {
    const { pool, puppets, give, ends } = createPuppets(3);
    give({ ...task(preset), key: "point" });
    for (const at of [0, 1, 3]) puppets[at]?.failToLoad();
    expect(await ends()).toEqual([]);
    for (const at of [2, 4]) puppets[at]?.failToLoad();
    expect(await ends()).toEqual(["point failed"]);
    pool.close();
  });

  it("does not mistake its own sleep for a worker's silence", async () => {
    let clock = 0;
    const timers: (() => void)[] = [];
    const { workers, pool } = createPool({
      cores: 1, now: () => clock, after: (_, callback) => (timers.push(callback), () => undefined),
    });
    const first = workers[0];
    clock = 3_600_000;
    timers[0]?.();
    expect(workers).toEqual([first]);
    pool.close();
  });
});

describe("work is shared out", () => {
  it("leaves a core to the page while something is in the hand, but never stops", async () => {
    const { pool, workers } = createPool({ cores: 2 });
    await outcomesOf(pool, [task(preset)]);
    pool.setHand("dragging");
    const before = workers[1]?.heard.length;
    await outcomesOf(pool, [1, 2, 3, 4, 5, 6].map((sessions) => task(`${preset}?sessions=${sessions}`)));
    expect(workers[1]?.heard.length).toBe(before);
    pool.close();
  });

  it("keeps a fit in the worker's hand while it is tried, and hands on what was found", async () => {
    const sent: number[] = [];
    const port: WorkerPort = {
      onmessage: null, onerror: null, terminate: () => undefined,
      postMessage: (request) => {
        const reply = (data: Reply) => setTimeout(() => port.onmessage?.({ data }), 1);
        const { id } = request;
        if (request.call === "init") reply({ kind: "done", id, call: "init", value: null });
        if (request.call !== "fit") return;
        sent.push(id);
        for (const tried of [1, 2]) reply({ kind: "trying", id, trying: { tried, most: 48 } });
        reply({ kind: "done", id, call: "fit", value: found });
      },
    };
    const { pool } = createPool({ cores: 1, spawn: () => port });
    const heard: Outcome[] = [];
    await new Promise<void>((resolve) => {
      pool.submit([fitTask], (batch) => {
        heard.push(...batch);
        if (batch.some(({ kind }) => kind !== "trying")) resolve();
      });
    });
    expect(heard).toEqual([
      { kind: "trying", key: "lio_us", trying: { tried: 1, most: 48 } },
      { kind: "trying", key: "lio_us", trying: { tried: 2, most: 48 } },
      { kind: "fitted", key: "lio_us", fitted: found },
    ]);
    // Longer than a worker may be silent: it has nothing in its hand any more, and is not asked again.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sent).toHaveLength(1);
    pool.close();
  });

  it("drops replies whose run was cancelled, and tells the worker", async () => {
    const { pool, workers } = createPool({ cores: 1 });
    await outcomesOf(pool, [task(preset)]);
    const job = pool.submit([task(preset, fullRun), task(preset, finePoint)], () => undefined);
    job.cancel();
    expect(workers[0]?.heard.at(-1)).toMatchObject({ call: "cancel", args: { ids: [expect.any(Number)] } });
    pool.close();
  });
});
