import { expect, it } from "vitest";
import type { Report } from "../../engine";
import { buildReport } from "../../testing/buildReport";
import { tkprofOf } from "./tkprof";

it("says of which instance a trace is where there are several", () => {
  const { report } = buildReport("");
  const call = { call: "Execute", count: 1, cpu_s: 1, elapsed_s: 1, disk: 0, query: 3, current: 0, rows: 1 };
  const statements = [{ instance: 1, statement: "select", depth: 0, calls: [call], waits: [] }];
  const ended = [{ instance: 1, sessions: 4 } as Report["ended"][number]];
  const instanceOf = (count: number): number | null | undefined => {
    const instances = Array.from({ length: count }, () => report.instances[0]!);
    return tkprofOf({ ...report, instances, ended, statements }, {}, "p")?.instance;
  };
  expect([1, 2, 3].map(instanceOf)).toEqual([null, 1, 1]);
});

it("leaves a block out that does nothing but call, and no statement, however short its calls are together", () => {
  const { report } = buildReport("");
  const call = (elapsed: number) =>
    ({ call: "Execute", count: 10, cpu_s: 0, elapsed_s: elapsed, disk: 0, query: 30, current: 0, rows: 10 });
  const ended = [{ instance: 1, sessions: 1 } as Report["ended"][number]];
  const shown = (block: number, select: number): readonly string[] | undefined => {
    const statements = [["block", block], ["select", select]].map(([statement, elapsed], depth) =>
      ({ instance: 1, statement: String(statement), depth, calls: [call(Number(elapsed))], waits: [] }));
    return tkprofOf({ ...report, ended, statements }, {}, "p")?.statements.map(({ statement }) => statement);
  };
  expect(shown(0, 0.000_2)).toEqual(["select"]);
  expect(shown(0, 3)).toEqual(["select"]);
  expect(shown(0.1, 3)).toEqual(["block", "select"]);
});
