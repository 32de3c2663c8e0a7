import { readFileSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { StatspackModel } from "../../analysis/types";
import { Statspack, type StatspackProps } from "./Statspack";

const event = (name: string, timeS: number) => ({ event: name, waits: 900, timeS, meanMs: timeS / 0.9, percent: 10 });

const model: StatspackModel = {
  seconds: 900, preset: "p", writers: 8, moved: [], profile: [], classes: [],
  top: [event("db file parallel write", 6882), event("log file sync", 2500)], others: [],
};

const published = (events: number) => ({
  snapshots: [{
    preset: "p", writers: 8, seconds: 900, profile: [], source: "Somebody 2003",
    events: ["CPU time", "log file sync", "a", "b", "log file parallel write"].slice(0, events)
      .map((name, i) => [name, 100, 900 - 100 * i] as const),
  }],
}) as unknown as StatspackProps["texts"];

const textOf = (one: StatspackModel, texts: StatspackProps["texts"]): string =>
  renderToStaticMarkup(<Statspack model={one} side="B" texts={texts} />).replaceAll(/<[^>]+>/g, " ")
    .replaceAll("&lt;", "<").replaceAll(/\s+/g, " ");

it("says of an event that is not among the five that were printed that it took less than those", () => {
  expect(textOf(model, published(5))).toContain("db file parallel write 900 – 6,882 < 500 ");
  expect(textOf(model, published(5))).toContain("log file sync 900 100 2,500 800 ");
});

it("says nothing of it where fewer were printed", () =>
  expect(textOf(model, published(3))).toContain("db file parallel write 900 – 6,882 – "));

it("says of published figures that knobs have moved since", () => {
  expect(textOf(model, published(5))).toContain("in grey: Somebody 2003");
  expect(textOf({ ...model, moved: ["redo_log_mb"] }, published(5))).toContain("in grey, before redo_log_mb moved:");
  expect(textOf({ ...model, moved: ["a", "b"] }, published(5))).toContain("in grey, before 2 knobs moved:");
});

it("prints no decimals of a response that is as long as its interval is wide", () => {
  const row = (responseMs: number, responseCi95: number) =>
    ({ name: `${responseMs}`, perS: 51.6, perSCi95: 1.2, responseMs, responseCi95 });
  const text = textOf({ ...model, classes: [row(3858.05, 56.89), row(7.331, 0.012)] }, null);
  expect(text).toContain(" 52 ±1 3,858 ±57 ");
  expect(text).toContain(" 52 ±1 7.33 ±0.01 ");
});

it("has beneath it what was published of a run with as many writers, and of no other", () => {
  const texts = published(5)!;
  const [eight] = texts.snapshots;
  const both = { ...texts, snapshots: [{ ...eight!, writers: 4, source: "Of four writers" }, eight!] };
  const source = (writers: number) => /in grey: ([A-Z][a-z]+ \w+)/.exec(textOf({ ...model, writers }, both))?.[1];
  expect([source(8), source(4), source(2)]).toEqual(["Somebody 2003", "Of four", undefined]);
});

const generated = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../engine/generated/${name}.json`, import.meta.url), "utf8"));

it("has of each published run the writers with which its transactions are published on the chart, too", () => {
  const { snapshots } = generated("texts") as NonNullable<StatspackProps["texts"]>;
  const { presets } = generated("catalogue") as {
    presets: readonly { id: string; published: readonly { x: number; y: number }[] }[];
  };
  const runs = snapshots.flatMap(({ preset, writers, profile }) => {
    const rate = profile.find(([name]) => name === "Transactions")?.[1];
    return rate === undefined ? [] : [[preset, writers, rate]];
  });
  const charted = presets.flatMap(({ id, published: points }) => points.map(({ x, y }) => [id, x, y]));
  expect(runs).toHaveLength(2);
  for (const run of runs) expect(charted).toContainEqual(run);
});

it("divides what was published a second by the transactions that were", () => {
  const texts = published(5)!;
  const profile: [string, number][] = [["Transactions", 50], ["Redo size", 1500]];
  const told = { ...texts, snapshots: texts.snapshots.map((one) => ({ ...one, profile })) };
  const rows = [{ name: "Redo size", perS: 1200, perTransaction: 24 }];
  expect(textOf({ ...model, profile: rows }, told)).toContain("Redo size 1,200 1,500 24.00 30.00 ");
});
