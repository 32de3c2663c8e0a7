import { expect, it } from "vitest";
import { csvOf } from "./download";

it("writes a table that a spreadsheet reads back, and no formula", () => {
  expect(csvOf({ columns: ["sessions", "event"], rows: [[32, 'say "a, b"'], [null, "=1+1"]] })).toBe(
    'sessions,event\n32,"say ""a, b"""\n,\'=1+1\n');
});

it("writes no text that a spreadsheet would take for a formula, and numbers as they are", () => {
  const rows = ["=1", "+1", "@x", "1+1", -1].map((value) => [value]);
  expect(csvOf({ columns: ["what"], rows })).toBe("what\n'=1\n'+1\n'@x\n1+1\n-1\n");
});
