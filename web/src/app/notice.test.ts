import { expect, it } from "vitest";
import { plainView } from "../store";
import { noticeOf } from "./notice";

it("says beside why a link was refused what a frame leaves out, for the scenario shown instead may have it", () => {
  const state = (linkError: string | null, notice: string | null) => ({ view: { ...plainView, linkError }, notice });
  expect(noticeOf(state("Refused.", "Unknown."), "Left out.")).toBe("Refused. Left out.");
  expect(noticeOf(state(null, "Unknown."), "Left out.")).toBe("Unknown. Left out.");
  expect([noticeOf(state("Refused.", null), ""), noticeOf(state(null, null), "")]).toEqual(["Refused.", null]);
});
