import { describe, expect, it } from "vitest";
import { hear, hostOf, say } from "./protocol";

const ours = { ns: "wait-what-if", version: 1, id: "1" };

describe("what comes in", () => {
  it("hears the two messages it knows", () => {
    expect(hear({ ...ours, type: "getState" })).toEqual({ kind: "message", message: { type: "getState", id: "1" } });
    expect(hear({ ...ours, type: "setState", link: "#v1/x" })).toEqual({
      kind: "message", message: { type: "setState", id: "1", link: "#v1/x" },
    });
  });
  it.each([null, 7, "text", {}, { ns: "other", version: 1 }])("ignores %j", (data) =>
    expect(hear(data).kind).toBe("foreign"),
  );
  it.each([
    [{ ...ours, version: 2, type: "getState" }],
    [{ ...ours, id: 7, type: "getState" }],
    [{ ...ours, type: "eval" }],
    [{ ...ours, type: "setState" }],
    [{ ...ours, type: "setState", link: "x".repeat(9000) }],
    [{ ...ours, id: "x".repeat(65), type: "getState" }],
  ])("refuses %j", (data) => expect(hear(data).kind).toBe("refused"));
});

it("signs what goes out", () =>
  expect(say({ type: "error", id: null, message: "no" })).toMatchObject({ ns: "wait-what-if", version: 1 }));

describe("whom it speaks with", () => {
  it("the origin asked for", () =>
    expect(hostOf("https://course.example/page", "https://other.example/")).toEqual({
      kind: "origin",
      origin: "https://course.example",
    }));
  it("else the page that holds the frame", () =>
    expect(hostOf(null, "https://course.example/a/b")).toEqual({ kind: "origin", origin: "https://course.example" }));
  it.each([
    [null, ""],
    ["*", ""],
    ["*", "https://x.example/"],
  ])("whoever holds the port for %j, %j", (asked, referrer) =>
    expect(hostOf(asked, referrer)).toEqual({ kind: "port" }),
  );
  it.each([
    ["nonsense", "https://x.example/"],
    ["data:text/html,x", ""],
    ["", "https://x.example/"],
    [null, "about:blank"],
  ])("nobody for %j, %j", (asked, referrer) => expect(hostOf(asked, referrer)).toEqual({ kind: "nobody" }));
});
