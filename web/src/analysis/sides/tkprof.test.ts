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
