/** What the page promises is tied to the test that would fail: none of those can be renamed or removed unseen. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./paths.mjs";

const promises = JSON.parse(readFileSync(join(root, "e2e/promises.json"), "utf8"));

/** Its strings alone, those that go on in the next line as one. */
function stringsOf(file) {
  const source = readFileSync(join(root, file), "utf8").replaceAll(/"\s*\+\s*"/g, "");
  return [...source.matchAll(/"((?:[^"\\\n]|\\.)*)"|`([^`]*)`/g)].map(([, plain, template]) => plain ?? template);
}

describe.each(Object.entries(promises))("%s", (file, titles) => {
  const strings = stringsOf(file);
  it.each(Object.keys(titles))("has the test “%s”", (title) => {
    expect(strings.filter((one) => one.includes(title))).toHaveLength(1);
  });
});

it("no promise is made twice", () => {
  const all = Object.values(promises).flatMap((titles) => Object.values(titles).flat());
  expect(all.length).toBeGreaterThan(50);
  expect(all.filter((one, i) => all.indexOf(one) !== i)).toEqual([]);
});
