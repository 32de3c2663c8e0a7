import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { SideName } from "./SideName";

it.each([
  ["gc_undo_uncached_percent 40", "gc_undo_uncached_percent", " 40"],
  ["B cpu_count 8", "B cpu_count", " 8"],
  ["cpu_count 8 on host 2", "cpu_count", " 8 on host 2"],
  ["no cage on host 1", "no cage on host 1", ""],
  ["sessions 64 in instance 2", "sessions", " 64 in instance 2"],
  ["no cage in instance 2", "no cage in instance 2", ""],
  ["no cage", "no cage", ""],
  ["B − A", "B − A", ""],
])("of “%s” “%s” may be cut, and “%s” is always there", (text, name, number) => {
  expect(renderToStaticMarkup(<SideName text={text} />)).toBe(
    `<span class="side-name"><span>${name}</span>${number}</span>`,
  );
});
