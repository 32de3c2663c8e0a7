import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { RowsTable } from "./RowsTable";

it("shows each number in digits of its own, so that no small one is zero beside a large one", () => {
  const rows = {
    columns: ["sessions", "B (ms)", "B ±95 %", "A (ms)", "B − A (ms)", "process"],
    rows: [
      [8, 3.8431, 0.021, 4, -0.1569, "lgwr"],
      [1024, 12_345.6, 31.2, null, 0.00012, "ckpt"],
    ],
  };
  const text = renderToStaticMarkup(<RowsTable title="Response" rows={rows} height={100} />);
  expect([...text.matchAll(/<td>([^<]*)/g)].map(([, cell]) => cell)).toEqual([
    "8", "3.843", "0.021", "4", "−0.1569", "lgwr", "1,024", "12,346", "31.2", "–", "0.00012", "ckpt",
  ]);
});
