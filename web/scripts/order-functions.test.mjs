import { expect, it } from "vitest";
import { orderOf, ordered } from "./order-functions.mjs";

const alike = (letter, size) => Buffer.from(Array.from({ length: size }, (_, at) => letter * 16 + (at % 16)));

it("functions that resemble one another stand side by side, each of them once", () => {
  const order = orderOf([alike(1, 60), alike(2, 60), alike(1, 50), alike(2, 50), Buffer.alloc(0)]);
  expect(order.toSorted()).toEqual([0, 1, 2, 3, 4]);
  const place = (index) => order.indexOf(index);
  expect([Math.abs(place(0) - place(2)), Math.abs(place(1) - place(3))]).toEqual([1, 1]);
});

/** A module whose functions do nothing: header, a section that is passed over, the code section. */
const moduleOf = (bodies) => {
  const code = [bodies.length, ...bodies.flatMap((body) => [body.length, ...body])];
  return Buffer.from([0, 97, 115, 109, 1, 0, 0, 0, 1, 1, 0, 10, code.length, ...code]);
};
const [longer, shorter] = [[...alike(1, 40)], [...alike(2, 8)]];

it("the text keeps all that stands before and behind its functions", () => {
  const functions = ["\n (func $0\n  (nop)\n )", "\n (func $1\n )"];
  const text = (order) => ["(module\n (memory $0 1)", ...order.map((index) => functions[index]), "\n)\n"].join("");
  const module = moduleOf([longer, shorter]);
  expect([text([0, 1]), text([1, 0])]).toContain(ordered(text([0, 1]), module));
  expect(ordered(text([0, 1]), moduleOf([longer, longer]))).toBe(text([0, 1]));
});

it("a text of another module is refused", () => {
  const text = "(module\n (func $0\n )\n)\n";
  expect(() => ordered(text, moduleOf([longer, shorter]))).toThrow("1 functions, the module of 2");
});
