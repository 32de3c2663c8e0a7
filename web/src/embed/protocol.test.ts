import { describe, expect, it } from "vitest";
import { hear, hostOrigin, say } from "./protocol";

const ours = { ns: "wait-what-if", version: 1, id: "1" };

describe("what comes in", () => {
  it("hears the two messages it knows", () => {
    expect(hear({ ...ours, type: "getState" })).toEqual({ kind: "message", message: { type: "getState", id: "1" } });
    expect(hear({ ...ours, type: "setState", link: "#v1/x" })).toEqual({ kind: "message", message: { type: "setState", id: "1", link: "#v1/x" } });
  });
  it.each([null, 7, "text", {}, { ns: "other", version: 1 }])("ignores %j", (data) => expect(hear(data).kind).toBe("foreign"));
  it.each([
    [{ ...ours, version: 2, type: "getState" }], [{ ...ours, id: 7, type: "getState" }], [{ ...ours, type: "eval" }],
    [{ ...ours, type: "setState" }], [{ ...ours, type: "setState", link: "x".repeat(9000) }], [{ ...ours, id: "x".repeat(65), type: "getState" }],
  ])("refuses %j", (data) => expect(hear(data).kind).toBe("refused"));
});

it("signs what goes out", () => expect(say({ type: "error", id: null, message: "no" })).toMatchObject({ ns: "wait-what-if", version: 1 }));

describe("whom it listens to", () => {
  it("takes the origin asked for", () => expect(hostOrigin("https://course.example/page", "https://other.example/")).toBe("https://course.example"));
  it("else the page that holds the frame", () => expect(hostOrigin(null, "https://course.example/a/b")).toBe("https://course.example"));
  it.each([[null, ""], ["nonsense", "https://x.example/"], ["data:text/html,x", ""]])("and nobody for %j, %j", (asked, referrer) => expect(hostOrigin(asked, referrer)).toBeNull());
});
