import { expect, it } from "vitest";
import { answerOf } from "../../testing/buildInput";
import { serviceSpreadOf } from "./spread";

const columns = { "histogram/service/edge_ms": [4, 8, 16], "histogram/service/count": [3, 1] };

it("the answers of a server are told by their 99th percentile", () => {
  const model = serviceSpreadOf(answerOf("service demand 0.5 mean 4 p99 12", columns), "B");
  expect([model?.label, model?.value.replaceAll("\u00a0", " "), model?.shares]).toEqual([
    "Answer, p99", "12 ms", [0.75, 0.25],
  ]);
});

it("a side without a server has no answers", () => expect(serviceSpreadOf(answerOf("", columns), "B")).toBeNull());
