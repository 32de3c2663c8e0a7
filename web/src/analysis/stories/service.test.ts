/** What a server was asked for, what it answers, and by what its queue grows. */
import { expect, it } from "vitest";
import { buildInput, cagedValues, textOf } from "../../testing/buildInput";
import { findingOf } from "./finding";

it.each([
  ["answered 197 grows 101", "it answers 199 of 300 a second", "by 101 requests a second"],
  ["answered 295 grows 2.531", "it answers 297.47 of 300 a second", "by 2.53 requests a second"],
])("%s: with the growth of its queue that is what is asked for", (row, words, growth) => {
  const b = { ...cagedValues, service_per_s: 300 };
  const input = buildInput("", `lio 3M\n node threads 2\n service demand 0.6 p99 900 ${row}`, { b, differs: [] });
  expect(textOf(findingOf(input).why)).toContain(`Here [${words}]. `);
  expect(textOf([{ text: findingOf(input).headline }])).toContain(growth);
});
