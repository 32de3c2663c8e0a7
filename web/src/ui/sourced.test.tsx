import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Sourced, WorksContext, type NamedWork } from "./Sourced";

const works: readonly NamedWork[] = [
  { phrase: "Linux sched(7)", address: "https://man7.org/sched.7.html" },
  { phrase: "Drouvot 2015", address: "https://bdrouvot.example/" },
  { phrase: "Drouvot 2015, CPU binding", address: "https://bdrouvot.example/binding/" },
];

const shown = (text: string, of: readonly NamedWork[] | undefined): string =>
  renderToStaticMarkup(<WorksContext value={of}><Sourced text={text} /></WorksContext>);

const link = (address: string, text: string): string =>
  `<a href="${address}" target="_blank" rel="noopener noreferrer">${text}</a>`;

test("a work that a source names is a link in a tab of its own, the longer of two phrases; the rest is text", () => {
  expect(shown("At most 55: Drouvot 2015, CPU binding; Linux sched(7).", works)).toBe(
    `At most 55: ${link("https://bdrouvot.example/binding/", "Drouvot 2015, CPU binding")}; `
      + `${link("https://man7.org/sched.7.html", "Linux sched(7)")}.`,
  );
  expect(shown("Drouvot 2015", works)).toBe(link("https://bdrouvot.example/", "Drouvot 2015"));
});

test("a source without a work, or before they are fetched, is text", () => {
  expect(shown("Estimate: Linux sched7", works)).toBe("Estimate: Linux sched7");
  expect(shown("Drouvot 2015", undefined)).toBe("Drouvot 2015");
  expect(shown("", [])).toBe("");
});
