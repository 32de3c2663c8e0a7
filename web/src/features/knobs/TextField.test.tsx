import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { KnobEdit, KnobItem } from "./item";
import { TextField } from "./TextField";

it("leaves undo to the page while it shows what the scenario holds", () => {
  const item = {
    key: "smt_yield", kind: "vector", value: "1/1.2", otherValue: "1/1.2", standard: "1/1.2", before: null, unit: "×",
  } as unknown as KnobItem;
  const field = <TextField item={item} label="smt_yield" edit={{} as KnobEdit} onHand={() => undefined} />;
  expect(renderToStaticMarkup(field)).toMatch(/<input[^>]* data-kept="true"/);
});
