/** What every engine must do, whoever answers. Run by the tests of each. */
import { afterEach, describe, expect, it } from "vitest";
import type { Engine, Outcome, Task } from "../engine/engine";
import type { RunOptions } from "../engine/protocol";

export const coarsePoint: RunOptions = { goal: "point", precision: 0.03, seed: 42, coarse: true, record: 0 };
export const finePoint: RunOptions = { ...coarsePoint, coarse: false };
export const fullRun: RunOptions = { ...finePoint, goal: "full", record: 4_096 };

export function task(query: string, options: RunOptions = coarsePoint, key = `${options.goal} ${query}`): Task {
  return { key, query, options };
}

/** Waits until every task ended. */
export function outcomesOf(engine: Engine, tasks: readonly Task[]): Promise<Outcome[]> {
  return new Promise((resolve) => {
    const all: Outcome[] = [];
    let open = tasks.length;
    engine.submit(tasks, (batch) => {
      all.push(...batch);
      open -= batch.filter((outcome) => outcome.kind !== "progress").length;
      if (open === 0) resolve(all);
    });
  });
}

function ended(outcomes: readonly Outcome[]): string[] {
  return outcomes.filter((outcome) => outcome.kind !== "progress").map((outcome) => `${outcome.kind} ${outcome.key}`);
}

/** `presets` are scenario names that the simulation behind `create` knows; the first sweeps `sessions`. */
export function checkEngine(name: string, create: () => Promise<Engine> | Engine, preset: string): void {
  describe(`${name} keeps the engine's contract`, () => {
    let engine: Engine | null = null;
    const open = async (): Promise<Engine> => (engine = await create());
    afterEach(() => engine?.close());

    it("ends every task exactly once", async () => {
      const tasks = [1, 4, 9, 16].map((sessions) => task(`${preset}?sessions=${sessions}`));
      const outcomes = await outcomesOf(await open(), tasks);
      expect(ended(outcomes).toSorted()).toEqual(tasks.map(({ key }) => `point ${key}`).toSorted());
    });

    it("answers a point with means and replications that can be paired", async () => {
      const [outcome] = (await outcomesOf(await open(), [task(`${preset}?sessions=8`)])).filter(
        (one) => one.kind === "point",
      );
      if (outcome?.kind !== "point") throw new Error("no point");
      expect(outcome.point.lioPerS).toBeGreaterThan(1e5);
      expect(outcome.point.lioReps.length).toBeGreaterThanOrEqual(2);
      expect(outcome.point.responseReps).toHaveLength(outcome.point.lioReps.length);
    });

    it("answers a point with the metric asked for, and with none where none was", async () => {
      const asked = { ...finePoint, metric: "switches_per_s" };
      const both = [task(`${preset}?sessions=9`, asked, "asked"), task(`${preset}?sessions=9`, finePoint, "plain")];
      const points = new Map(
        (await outcomesOf(await open(), both)).flatMap((one) =>
          one.kind === "point" ? [[one.key, one.point.metric]] : [],
        ),
      );
      expect(points.get("asked")?.mean).toBeGreaterThan(0);
      expect(points.get("plain")).toBeNull();
    });

    it("answers a full run with a report and columns of its own", async () => {
      const [outcome] = (await outcomesOf(await open(), [task(preset, fullRun)])).filter((one) => one.kind === "full");
      if (outcome?.kind !== "full") throw new Error("no report");
      const { report, data } = outcome.full;
      expect(report.version).toBe(1);
      const length = report.columns.reduce((sum, column) => Math.max(sum, column.offset + column.length), 0);
      expect(data.length).toBe(length);
      expect(data.buffer.byteLength).toBe(data.byteLength);
    });

    it("gives the same answer to the same question", async () => {
      const same = [task(`${preset}?sessions=9`, finePoint, "one"), task(`${preset}?sessions=9`, finePoint, "two")];
      const points = (await outcomesOf(await open(), same)).flatMap((one) =>
        one.kind === "point" ? [one.point.lioReps] : [],
      );
      expect(points[0]).toEqual(points[1]);
    });

    it("fails a wrong scenario in words, with scenario and seed, and goes on", async () => {
      const wrong = task(`${preset}?no_such_knob=1`);
      const outcomes = await outcomesOf(await open(), [wrong, task(preset)]);
      const failed = outcomes.find((one) => one.kind === "failed");
      expect(failed).toMatchObject({ key: wrong.key, scenario: wrong.query, seed: 42, error: { code: "scenario" } });
      expect(failed?.kind === "failed" && failed.error.message).toMatch(/no_such_knob/);
      expect(ended(outcomes)).toContain(`point ${task(preset).key}`);
    });

    it("delivers nothing of a job after it was cancelled", async () => {
      const running = await open();
      const seen: Outcome[] = [];
      const job = running.submit([task(preset, fullRun), task(preset, finePoint)], (batch) => seen.push(...batch));
      job.cancel();
      await outcomesOf(running, [task(`${preset}?sessions=3`)]);
      expect(seen).toEqual([]);
    });

    it("describes a scenario, right or wrong", async () => {
      const running = await open();
      const right = await running.describe(`${preset}?sessions=9`);
      expect(right.ok && right.resolved["sessions"]).toBe(9);
      const wrong = await running.describe(`${preset}?no_such_knob=1`);
      expect(!wrong.ok && wrong.errors[0]?.message).toMatch(/no_such_knob/);
    });
  });
}
