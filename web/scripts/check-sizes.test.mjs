import { expect, it } from "vitest";
import { faultsIn, wideLines, wideProse } from "./check-sizes.mjs";

it("counts characters, not bytes", () => {
  expect(wideLines(`${"µ".repeat(10)}\n${"x".repeat(11)}\n`, 10)).toEqual([2]);
});

it("rows of tables, what stands between fences and single long words may be wide", () => {
  const wide = "a long line of words";
  const lines = [wide, `| ${wide} |`, "```sh", wide, "```", `- ${wide}`, "- https://example.org/a/long/address"];
  expect(wideProse(lines.join("\n"), 12)).toEqual([1, 6]);
});

it("says which line of which file", () => {
  expect(faultsIn("a.ts", `x\n${"y".repeat(121)}\n`)).toEqual(["a.ts:2: wider than 120 columns"]);
  expect(faultsIn("a.md", `${"y ".repeat(81)}\n`)).toEqual(["a.md:1: wider than 160 columns"]);
  expect(faultsIn("a.rs", "x\n".repeat(451))).toEqual(["a.rs: 451 lines, 450 at most"]);
});
