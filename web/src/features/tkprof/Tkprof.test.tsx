import { readFileSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { TkprofModel } from "../../analysis/types";
import { Tkprof, type TkprofProps } from "./Tkprof";

const { listings } = JSON.parse(
  readFileSync(new URL("../../engine/generated/texts.json", import.meta.url), "utf8"),
) as { listings: readonly { readonly note: string }[] };

it("notes that stand beneath a simulated trace say that they speak of the published one", () => {
  expect(listings.length).toBeGreaterThan(0);
  expect(listings.filter(({ note }) => !note.startsWith("Published: "))).toEqual([]);
});

const wait = (event: string, times: number) => ({ event, times, longest_s: 0.5, total_s: 1 });
const model: TkprofModel = {
  preset: "p", values: {}, moved: [], instance: null, sessions: 1,
  statements: [{
    statement: "select", name: "SELECT", depth: 0,
    calls: [{ call: "Fetch", count: 1, cpu_s: 2, elapsed_s: 3, disk: 4, query: 5, current: 6, rows: 7 }],
    waits: [wait("one", 0.4), wait("other", 0.7), wait("none", 0), wait("many", 12.4)],
  }],
};
const texts = {
  listings: [{
    preset: "p", statement: "select", values: [], source: "Somebody 2003", text: "select 1", note: "Published: so.",
    calls: [["Fetch", 11, 12, 13, 14, null, 16, 17]],
  }],
} as unknown as TkprofProps["texts"];

/** The row of a table that begins with a name, its cells apart. */
function row(name: string, published: TkprofProps["texts"] = null): string {
  const text = renderToStaticMarkup(<Tkprof model={model} side="B" texts={published} />);
  const own = text.split("<tr>").find((one) => one.startsWith(`<th scope="row">${name}<`)) ?? "";
  return own.replace(/<\/tr>.*/, "").replaceAll(/<[^>]+>/g, " ").replaceAll("&lt;", "<").replaceAll(/\s+/g, " ").trim();
}

it("has each published number beneath the one of the same column", () => {
  expect(row("Fetch")).toBe("Fetch 1 2.00 3.00 4 5 6 7");
  expect(row("Fetch", texts)).toBe("Fetch 1 11 2.00 12.00 3.00 13.00 4 14 5 – 6 16 7 17");
});

it("says <1 of waits that round to none and yet are some, and of no others", () => {
  const times = ["one", "other", "none", "many"].map((event) => row(event).split(" ")[1]);
  expect(times).toEqual(["<1", "1", "0", "12"]);
});
