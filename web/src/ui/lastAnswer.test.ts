/** Answers that come when they are no longer wanted. */
import { expect, it } from "vitest";
import { lastAnswer } from "./lastAnswer";

function question() {
  let settle: { readonly answer: (text: string) => void; readonly fail: (why: Error) => void } | null = null;
  const asked = new Promise<string>((answer, fail) => {
    settle = { answer, fail };
  });
  return { asked, answer: (text: string) => settle?.answer(text), fail: (why: string) => settle?.fail(new Error(why)) };
}

it("gives the answer, or why there is none", async () => {
  const last = lastAnswer();
  const [first, second] = [question(), question()];
  const found = last.of(first.asked);
  first.answer("1/1.25");
  expect(await found).toBe("1/1.25");
  const failed = last.of(second.asked);
  second.fail("The simulation could not be loaded.");
  expect(await failed).toEqual({ wrong: "The simulation could not be loaded." });
});

it("gives none once it was taken back, though it fails", async () => {
  const last = lastAnswer();
  const [first, second] = [question(), question()];
  const dropped = [last.of(first.asked)];
  last.drop();
  first.answer("1/1.25");
  dropped.push(last.of(second.asked));
  last.drop();
  second.fail("lost");
  expect(await Promise.all(dropped)).toEqual([null, null]);
});

it("gives the last of two alone, in whichever order they are answered", async () => {
  const last = lastAnswer();
  const [first, second] = [question(), question()];
  const found = [last.of(first.asked), last.of(second.asked)];
  second.answer("2");
  first.answer("1");
  expect(await Promise.all(found)).toEqual([null, "2"]);
});
