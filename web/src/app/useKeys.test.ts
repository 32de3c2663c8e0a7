import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { onKey } from "./useKeys";

beforeEach(() => vi.stubGlobal("document", { querySelector: () => null }));
afterEach(() => vi.unstubAllGlobals());

/** What keys of the page do in a field for text: `closest` finds what a list of selectors names. */
function done(key: string, keys: { readonly ctrlKey?: boolean; readonly shiftKey?: boolean }, isKept: boolean) {
  const told: string[] = [];
  const names = ["input[type=text]", ...(isKept ? [] : ["input[type=text]:not([data-kept])"])];
  const closest = (own: string) => (own.split(", ").some((one) => names.includes(one)) ? {} : null);
  const event = { key, ctrlKey: false, ...keys, target: { closest }, preventDefault: () => told.push("prevented") };
  onKey((kind) => told.push(kind), () => told.push("timeline"), () => told.push("help"))(event as never);
  return told;
}

it("undoes the scenario's last change in a field that holds it, and what is typed where somebody types", () => {
  expect(done("z", { ctrlKey: true }, true)).toEqual(["undo", "prevented"]);
  expect(done("Z", { ctrlKey: true, shiftKey: true }, true)).toEqual(["redo", "prevented"]);
  expect(done("y", { ctrlKey: true }, true)).toEqual(["redo", "prevented"]);
  expect(done("z", { ctrlKey: true }, false)).toEqual([]);
});

it("leaves letters to every field for text", () => {
  for (const isKept of [true, false]) expect([done("t", {}, isKept), done("?", {}, isKept)]).toEqual([[], []]);
});
