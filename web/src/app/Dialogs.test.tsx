import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { builtCatalogue as catalogue } from "../engine/browserEngine";
import { initialState, reduceAll } from "../testing/knobRows";
import { Dialogs } from "./Dialogs";
import { knobItems } from "./knobItems";
import type { PageProps } from "./pageProps";

it("what the model leaves out names every assumed knob of the scenario and every source, however few are shown", () => {
  const allKnobs = knobItems()(reduceAll(initialState(catalogue), "#v1/starved-lms"), new Set(), null);
  const help = Object.fromEntries(catalogue.knobs.map(({ id }) => [id, { help: `${id} is so.`, source: `of ${id}` }]));
  const texts = { kind: "here", texts: { knobs: help } };
  const figures = { groups: [], ended: 0, progress: null };
  const view = { title: "", note: "" };
  const props = { allKnobs, knobs: [], texts, presetNote: "", view, on: {}, favourites: [], figures };
  const text = renderToStaticMarkup(
    <Dialogs props={props as unknown as PageProps} open="leavesOut" onClose={() => undefined} />,
  );
  const free = allKnobs.filter(({ status }) => status === "free");
  expect(free.length).toBeGreaterThan(5);
  const [listed = ""] = /Assumed,.*?Where the other/.exec(text) ?? [];
  const assumed = [...listed.matchAll(/<code>([^<]*)/g)].map(([, knob]) => knob);
  // Instances and hosts of one knob are one entry; where one of them is published, too, the others are told by scope.
  const isPartly = (base: string): boolean => allKnobs.some((item) => item.base === base && item.status !== "free");
  expect(new Set(assumed).size).toBe(assumed.length);
  expect(new Set(assumed)).toEqual(new Set(free.map(({ key, base }) => (isPartly(base) ? key : base))));
  expect(free.some(({ key, base }) => key !== base && !isPartly(base))).toBe(true);
  for (const { key, status } of allKnobs)
    expect([key, text.includes(`of ${key.split("@")[0]}<`)]).toEqual([key, status !== "free"]);
});
