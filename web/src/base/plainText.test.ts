import { assert, property, string } from "fast-check";
import { expect, it } from "vitest";
import { plainText } from "./plainText";

it("leaves words as they are", () =>
  expect(plainText("Nine sessions – 9 µs,\nنص 日本")).toBe("Nine sessions – 9 µs,\nنص 日本"));

it("takes out what turns a line round or is not seen", () => {
  expect(plainText("\u202Egnp.exe\u2066\u0007\u009B\u200F\r\u2028")).toBe(" gnp.exe      ");
});

it("leaves nothing that is not seen in any text", () => {
  const unseen = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u;
  assert(property(string({ unit: "binary" }), (text) => {
    expect(plainText(text).replaceAll("\n", "")).not.toMatch(unseen);
  }));
});
