import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { RepairLine } from "./RepairLine";

it("says of which side a value has to be set, but where it is of both", () => {
  const text = (side: "A" | "B" | "both") =>
    renderToStaticMarkup(
      <RepairLine repair={{ key: "cpu_count", side, words: ["4"] }} onRepair={() => undefined} />,
    ).replaceAll(/<[^>]*>/g, "");
  expect([text("A"), text("B"), text("both")]).toEqual([
    "Set cpu_count of A to: 4", "Set cpu_count of B to: 4", "Set cpu_count to: 4",
  ]);
});
