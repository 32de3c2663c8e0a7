import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { matrixIn } from "../../analysis";
import { buildInput, cagedValues } from "../../testing/buildInput";
import { Matrix } from "./Matrix";

const text = "lio 3.0M ±0.2%\n response 600 p99 195\n running 6ms 8.00\n node threads 8 useful 7";

it("the heads keep what A and B differ in, however little room there is for its name", () => {
  const [a, b] = [6, 12].map((count) => ({ ...cagedValues, cpu_count: count }));
  const model = matrixIn(buildInput(text, text, { a: a!, b: b!, differs: ["cpu_count"] }));
  const markup = renderToStaticMarkup(
    <Matrix {...model} host={null} isHeld={false} isFaded={false} onHost={() => undefined} />,
  );
  const heads = [...markup.matchAll(/<b>([AB])<\/b><span class="side-name"><span>([^<]*)<\/span>([^<]*)<\/span>/g)];
  expect(heads.map(([, ...head]) => head)).toEqual([["A", "cpu_count", " 6"], ["B", "cpu_count", " 12"]]);
});

it("a side that has not run has no head", () => {
  const { fullA, ...input } = buildInput(text, text);
  const markup = renderToStaticMarkup(
    <Matrix
      {...matrixIn({ ...input, fullA: null })} host={null} isHeld={false} isFaded={false} onHost={() => undefined}
    />,
  );
  expect([fullA === null, markup.includes("<b>A</b>"), markup.includes("<b>B</b>")]).toEqual([false, false, true]);
});
