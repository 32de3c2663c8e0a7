import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { realTests } from "./realTests";

const { presets } = JSON.parse(
  readFileSync(new URL("../../engine/generated/catalogue.json", import.meta.url), "utf8"),
) as { presets: { id: string; set: Record<string, number | string> }[] };

it("every preset has the command line of a real test, or says that there is none, and nothing else has", () => {
  expect(Object.keys(realTests).toSorted()).toEqual(presets.map(({ id }) => id).toSorted());
});

it.each(presets.map(({ id }) => id))("%s: a command comes with its tool, and both with words", (id) => {
  const { command, tool, what } = realTests[id] ?? { command: "", tool: null, what: "" };
  expect(command === null).toBe(tool === null);
  expect(command).not.toBe("");
  expect(what).toMatch(/^[A-Z].*\.$/);
  expect(tool?.address ?? "https://").toMatch(/^https:\/\//);
});

it("hackbench has as many groups as the preset", () => {
  const asked = Object.entries(realTests).flatMap(([id, { command }]) => {
    const groups = /^hackbench .*--groups (\d+)/.exec(command ?? "")?.[1];
    return groups === undefined ? [] : [[id, Number(groups)]];
  });
  const grouped = presets.filter(({ set }) => set["message_groups"] !== undefined);
  expect(asked).toEqual(grouped.map(({ id, set }) => [id, set["message_groups"]]));
});

it.each(presets.filter(({ id }) => realTests[id]?.command?.startsWith("sh ./runit.sh")))(
  "$id: SLOB runs as many sessions as the preset has",
  ({ id, set }) => {
    const asked = Number(/\d+$/.exec(realTests[id]?.command ?? "")?.[0]);
    expect([set["sessions"] ?? asked, id]).toEqual([asked, id]);
  },
);
