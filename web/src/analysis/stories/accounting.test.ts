import { expect, it } from "vitest";
import { buildInput, cagedValues, textOf } from "../../testing/buildInput";
import { buildReport } from "../../testing/buildReport";
import { accountingWhy } from "./accounting";

it.each([
  ["cpu on 4 time 4 purr 1.001", "ASH has 4 sessions on CPU, PURR 1 core."],
  ["cpu on 4 time 4 purr 1", "ASH has 4 sessions on CPU, PURR 1 core."],
  ["cpu on 4 time 4 purr 1.1", "ASH has 4 sessions on CPU, PURR 1.1 cores."],
  ["cpu on 0.999 time 0.999 purr 0.25", "ASH has 0.999 sessions on CPU, PURR 0.25 cores."],
])("%s: what is shown as one is one", (text, told) => {
  const b = { ...cagedValues, os_scheduler: "AIX", threads_per_core: 4 };
  expect(textOf(accountingWhy(buildInput("", "", { b }), buildReport(text).report) ?? [])).toContain(told);
});
