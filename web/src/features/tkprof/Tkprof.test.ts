import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const { listings } = JSON.parse(
  readFileSync(new URL("../../engine/generated/texts.json", import.meta.url), "utf8"),
) as { listings: readonly { readonly note: string }[] };

it("notes that stand beneath a simulated trace say that they speak of the published one", () => {
  expect(listings.length).toBeGreaterThan(0);
  expect(listings.filter(({ note }) => !note.startsWith("Published: "))).toEqual([]);
});
