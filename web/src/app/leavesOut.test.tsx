/** What the dialog of the model's limits says of the knobs. */
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Dialogs } from "./Dialogs";
import type { PageProps } from "./pageProps";

const knob = (key: string, status: string) => ({ key, status });
const props = {
  allKnobs: [knob("guessed", "free"), knob("measured", "constant"), knob("fitted", "calibrated")],
  texts: {
    kind: "here",
    texts: {
      knobs: Object.fromEntries(["guessed", "measured", "fitted"].map((key) => [
        key, { help: `What ${key} is.`, source: `Source of ${key}` },
      ])),
    },
  },
  presetNote: "", view: { title: "", note: "" }, on: {}, favourites: [],
  figures: { groups: [], ended: "", progress: null },
} as unknown as PageProps;

it("has knobs that nobody measured among the assumptions, and the others beneath their sources", () => {
  const text = renderToStaticMarkup(<Dialogs props={props} open="leavesOut" onClose={() => undefined} />);
  const [, after = ""] = text.split("<h3>Assumed");
  const [assumed = "", sources = ""] = after.split("<h3>Where the other defaults are from");
  const knobsIn = (part: string) => [...part.matchAll(/<code>(\w+)<\/code>/g)].map(([, key]) => key);
  expect([knobsIn(assumed), knobsIn(sources)]).toEqual([["guessed"], ["measured", "fitted"]]);
  expect(assumed).toContain("What guessed is.");
  expect(sources).toContain("Source of measured");
});
