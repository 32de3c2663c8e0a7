import { expect, it } from "vitest";
import { threadsText } from "./names";

it("counts threads, one of them in a word", () => {
  expect([1, 2, 1024].map(threadsText)).toEqual(["one thread", "2 threads", "1,024 threads"]);
});
