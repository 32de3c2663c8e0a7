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
  for (const { key } of free) expect(text).toContain(`<code>${key}</code>`);
  for (const { key, status } of allKnobs)
    expect([key, text.includes(`of ${key.split("@")[0]}<`)]).toEqual([key, status !== "free"]);
});
