import { expect, test } from "vitest";
import type { KnobItem } from "./item";
import { sourcesOf } from "./sources";

test("each source stands once, with the knobs that have their default from there; what is chosen has none", () => {
  const help = {
    nice: { help: "", source: "Linux" }, class: { help: "", source: "Linux" },
    sessions: { help: "", source: "Yours to choose" }, cpu_count: { help: "", source: "Oracle" },
  };
  const items = ["nice@lms", "sessions", "cpu_count", "nice", "class", "unknown"].map((key) => ({ key }) as KnobItem);
  expect(sourcesOf(items, help)).toEqual([["Linux", ["nice", "class"]], ["Oracle", ["cpu_count"]]]);
  expect(sourcesOf(items, "loading")).toEqual([]);
});
