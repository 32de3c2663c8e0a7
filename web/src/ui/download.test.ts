import { expect, it } from "vitest";
import { csvOf } from "./download";

it("writes a table that a spreadsheet reads back, and no formula", () => {
  expect(csvOf({ columns: ["sessions", "event"], rows: [[32, 'say "a, b"'], [null, "=1+1"]] })).toBe(
    'sessions,event\n32,"say ""a, b"""\n,\'=1+1\n');
});
