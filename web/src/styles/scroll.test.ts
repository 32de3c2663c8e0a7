import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const css = readFileSync(new URL("table.css", import.meta.url), "utf8");

it("shades the edge of a table behind which more of it stands, and takes the shade away at its ends", () => {
  const scrolled = [...css.matchAll(/\{([^}]*overflow-x: auto[^}]*)\}/g)].map(([, body = ""]) => body);
  expect(scrolled.length).toBeGreaterThan(0);
  for (const body of scrolled) {
    const layers = [...body.matchAll(/linear-gradient\((\d+)deg, var\((--\w+)\)[^)]*\)[^,;]*/g)];
    const of = (colour: string, isAlong: boolean): (string | undefined)[] => layers
      .filter(([all, , name]) => name === colour && all.trimEnd().endsWith("local") === isAlong).map(([, way]) => way);
    // Paper moves with the table, the shade stays; each at both sides, and paper is painted above.
    expect([of("--paper", true), of("--hair", false)]).toEqual([["90", "270"], ["90", "270"]]);
    expect(layers.slice(0, 2).every(([, , name]) => name === "--paper")).toBe(true);
  }
});

it("breaks names of rows at every width and shortens none of events, for two may begin alike", () => {
  const from = css.indexOf('\n:is(.events, .losses) th[scope="row"] {');
  expect(from).toBeGreaterThan(css.indexOf("text-overflow: ellipsis"));
  expect(css.slice(from, css.indexOf("}", from))).toContain("white-space: normal");
  expect(css).toMatch(/\.events \.bracket \{ display: inline-block; \}/);
});
