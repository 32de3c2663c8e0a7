/** Knobs of the column keep their objects where they say the same, from the true catalogue. */
import { expect, it } from "vitest";
import { builtCatalogue as catalogue } from "../engine/browserEngine";
import type { KnobItem } from "../features/knobs/item";
import { initialState, reduceAll } from "../testing/knobRows";
import { isSame, knobItems } from "./knobItems";

const rows = (hash: string) => reduceAll(initialState(catalogue), hash);
const groups = (items: readonly KnobItem[]) =>
  [...new Set(items.toSorted((one, other) => one.groupAt - other.groupAt).map(({ group }) => group))];
const fresh = (hash: string) => knobItems()(rows(hash), new Set(), null);

it("shows after a change of scenario what is shown where that is opened at once", () => {
  const items = knobItems();
  items(rows("#v1/instance-caging-vm"), new Set(), null);
  const after = items(rows("#v1/starved-service"), new Set(), null);
  expect(groups(after).slice(0, 3)).toEqual(["Service", "Process kinds", "Instance"]);
  for (const { id } of catalogue.presets)
    expect(items(rows(`#v1/${id}`), new Set(), null)).toEqual(fresh(`#v1/${id}`));
});

it("keeps the objects where nothing changed", () => {
  const items = knobItems();
  const before = items(rows("#v1/two-hosts"), new Set(), null);
  expect(items(rows("#v1/two-hosts?view.theme=dark"), new Set(), null)).toBe(before);
  const after = items(rows("#v1/two-hosts?background_processes=3"), new Set(), null);
  expect(after.filter((item, i) => item === before[i]).length).toBeGreaterThan(after.length / 2);
  expect(after).not.toBe(before);
});

it("takes two knobs for different where any field is, or anything in it", () => {
  const item = fresh("#v1/two-hosts").find(({ kind }) => kind === "choice");
  if (item === undefined) throw new Error("no choice");
  expect(isSame(item, structuredClone(item))).toBe(true);
  for (const field of Object.keys(item))
    expect([field, isSame(item, { ...item, [field]: {} })]).toEqual([field, false]);
  for (const part of ["range", "limits"] as const)
    for (const field of Object.keys(item[part])) {
      const other = { ...item, [part]: { ...item[part], [field]: "another" } };
      expect([part, field, isSame(item, other)]).toEqual([part, field, false]);
    }
  expect(isSame(item, { ...item, choices: [...item.choices, "another"] })).toBe(false);
});
