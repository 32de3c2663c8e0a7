import { readdirSync, readFileSync } from "node:fs";
import type { ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { prerender } from "react-dom/static";
import { expect, it } from "vitest";
import { lately } from "./lately";

/** What stands there when all that was asked for has come, or has not. */
async function settled(page: ReactNode): Promise<string> {
  const { prelude } = await prerender(page);
  return new Response(prelude).text();
}

const Table = ({ rows }: { readonly rows: number }) => <p>A table of {rows} rows</p>;
const lost = (): Promise<typeof Table> => Promise.reject(new TypeError("Failed to fetch the module"));

it("what is fetched stands in its place", async () => {
  const Late = lately(() => Promise.resolve(Table), <i>waiting</i>);
  const text = (await settled(<main>Finding <Late rows={3} /></main>)).replaceAll("<!-- -->", "");
  expect(text).toContain("A table of 3 rows");
  expect(text).not.toContain("waiting");
});

it("what is yet to come is marked, and the mark goes when it has come", async () => {
  const Late = lately(() => Promise.resolve(Table));
  expect(renderToString(<Late rows={3} />)).toContain("data-coming");
  expect(await settled(<Late rows={3} />)).not.toContain("data-coming");
});

it("a file that does not load takes its own view away, and nothing beside it", async () => {
  const Late = lately(lost, <i>waiting</i>);
  expect(await settled(<main>Finding <Late rows={3} /></main>)).toBe("<main>Finding <!--$--><!--/$--></main>");
});

it("a view that was asked for says that it did not load", async () => {
  const Late = lately(lost, <i>waiting</i>, <b>It did not load.</b>);
  expect(await settled(<Late rows={3} />)).toContain("<b>It did not load.</b>");
});

it("no view is fetched in another way", () => {
  const folder = new URL("../", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".tsx"));
  const lazily = files.filter((name) => /\blazy[<(]/.test(readFileSync(new URL(name, folder), "utf8")));
  expect(lazily.filter((name) => !name.endsWith(".test.tsx"))).toEqual(["ui/lately.tsx"]);
});
