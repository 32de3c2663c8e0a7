/** Where the time of requests for blocks goes, from rows written by hand. */
import { expect, it } from "vitest";
import type { Report } from "../../engine";
import { buildReport, estimate } from "../../testing/buildReport";
import { blockTimeOf } from "./blockTime";

type Row = Report["pairs"][number];

const pair = (server: number, perS: number, wire: number, flush: number): Row => ({
  from: 1, server, reply: "cr block", per_s: estimate(perS), mean_ms: estimate(wire + flush),
  parts: [{ part: "wire", mean_ms: wire }, { part: "log flush", mean_ms: flush }], busy_percent: 0,
  congested_percent: 0, three_way_percent: 0, three_way_ms: 0, two_way_ms: wire + flush,
});

const instance = (number: number, values: Readonly<Record<string, number>>): Report["databases"][number] => ({
  instance: number, figures: Object.entries(values).map(([id, mean]) => ({ id, unit: "", value: estimate(mean) })),
});

function reportWith(pairs: readonly Row[], databases: Report["databases"]): Report {
  const { report } = buildReport("lio 1M\n response 10\n running 1ms 2");
  return { ...report, pairs: [...pairs], databases };
}

it("puts those first that sessions wait for most, and parts their time", () => {
  const model = blockTimeOf(reportWith([pair(2, 700, 0.4, 0), pair(3, 300, 1, 219)], []), "some");
  expect(model?.pairs.map(({ server }) => server)).toEqual([3, 2]);
  expect(model?.pairs[0]?.parts.map(({ share }) => share)).toEqual([1 / 220, 219 / 220]);
  expect(model?.left).toBe(0);
});

it("has room for eight pairs, and says how many are left", () => {
  const many = Array.from({ length: 11 }, (_, at) => pair(at + 2, 10 + at, 1, 0));
  const model = blockTimeOf(reportWith(many, []), "some");
  expect(model?.pairs.map(({ server }) => server)).toEqual([12, 11, 10, 9, 8, 7, 6, 5]);
  expect(model?.left).toBe(3);
});

it("tells no time of what never happened", () => {
  const databases = [
    instance(1, { gc_cr_blocks_received_per_s: 5, gc_cr_block_receive_ms: 63.3, gc_cr_block_build_ms: 0 }),
    instance(3, {
      gc_cr_blocks_received_per_s: 0, gc_cr_block_receive_ms: 0, gc_cr_blocks_served_per_s: 9,
      gc_cr_block_build_ms: 0.1, gc_cr_block_flush_percent: 0, gc_cr_block_flush_ms: 0,
    }),
  ];
  const rows = blockTimeOf(reportWith([pair(3, 5, 1, 0)], databases), "some")?.rows ?? [];
  const of = (id: string) => rows.find((row) => row.id === id)?.values;
  expect(of("gc_cr_block_receive_ms")).toEqual([63.3, null]);
  expect(of("gc_cr_block_build_ms")).toEqual([null, 0.1]);
  expect(of("gc_cr_block_flush_percent")).toEqual([null, 0]);
  expect(of("gc_cr_block_flush_ms")).toEqual([null, null]);
});

it("is nothing where no instances share blocks", () => {
  expect(blockTimeOf(reportWith([], [instance(1, {})]), "some")).toBeNull();
});
