import { renderToStaticMarkup } from "react-dom/server";
import { prerender } from "react-dom/static";
import { expect, it } from "vitest";
import { buildInput, curveFrom } from "../testing/buildInput";
import { panelNames } from "./panelNames";
import { panel, PanelList, panels, partsOf, type Panel, type PanelAt } from "./panels";

const nothing = () => undefined;
const sweep = {
  knob: "sessions", words: null, isLocked: false, range: { min: 1, max: 48, step: 1, isWhole: true, scale: "linear" },
} as const;
const props = {
  on: { knob: nothing, axes: nothing, run: nothing, host: nothing }, sweep, view: { host: null },
  axes: { y: "throughput_lio", x: "sessions", metrics: [], knobs: [], areFixed: false },
  heldKnob: null, isFaded: false, brokenLaw: null, panels: null,
};

function at(has: (id: string) => boolean): PanelAt {
  const frame = {
    layout: { name: "wide", width: 1440, height: 900 }, isPhone: false, isTight: false, columns: 2, hasBars: true, has,
  };
  return { props, frame, onLeavesOut: nothing, onKeys: nothing } as unknown as PanelAt;
}

const report =
  "lio 3.35M ±0.4%\nresponse 620 p50 610 p95 700 p99 960\nrunning 100.2ms 7.29\nnode threads 8 useful 6.7 switch 0.1 "
    + "spin 0 slice 100 cost 802 rate 73";
const input = buildInput(report, report, { curveA: curveFrom("1:0.6 32:1.2"), curveB: curveFrom("1:0.6 32:1.3") });

function drawn(
  rows: readonly Panel[], has: (id: string) => boolean = () => true, late: typeof input | null = input, of = input,
): string {
  return renderToStaticMarkup(<PanelList rows={rows} place="main" input={of} late={late} at={at(has)} />);
}

const planted = panel({
  id: "planted", title: "Planted", place: "main", isLate: false, applies: (report) => (report?.events ?? 0) > 0,
  model: ({ seed }) => (seed === 0 ? null : { seed }),
  view: ({ model }) => <section aria-label="Planted">seed {model.seed}</section>,
});

/** Places in the text, in the order of the text. */
const order = (text: string, words: readonly string[]): readonly string[] =>
  words.filter((word) => text.includes(word)).toSorted((one, other) => text.indexOf(one) - text.indexOf(other));

it("a row more is a panel more, at its place in the table", async () => {
  const rows = [...panels.slice(0, 3), planted, ...panels.slice(3)];
  const list = <PanelList rows={rows} place="main" input={input} late={input} at={at(() => true)} />;
  const text = (await new Response((await prerender(list)).prelude).text()).replaceAll("<!-- -->", "");
  expect(text).toContain('<section aria-label="Planted">seed 42</section>');
  const places = [
    'class="answer"', 'class="sure"', 'aria-label="Planted"', 'class="curve"', 'class="matrix"', 'class="events"',
  ];
  expect(order(text, places)).toEqual(places);
  expect(order(drawn([planted, ...panels]), places)[0]).toBe('aria-label="Planted"');
});

it("without the row it is not there, nor where it is not asked for, does not apply or has nothing to show", () => {
  expect(drawn(panels)).not.toContain("Planted");
  expect(drawn([planted], (id) => id !== "planted")).toBe("");
  expect(drawn([planted], undefined, input, { ...input, fullB: null })).toBe("");
  expect(drawn([planted], undefined, input, { ...input, seed: 0 })).toBe("");
});

it("what is painted late shows the late input, and nothing before there is one", () => {
  const late = { ...planted, isLate: true };
  expect(drawn([late], undefined, { ...input, seed: 7 })).toContain("seed 7");
  expect(drawn([late], undefined, null)).toBe("");
});

it("of each place its own: the strip at the foot is not in the main part", () => {
  const foot = renderToStaticMarkup(
    <PanelList rows={panels} place="foot" input={input} late={null} at={at(() => true)} />,
  );
  expect(foot).toMatch(/^<footer class="trust">.*<\/footer>$/);
  expect(drawn(panels)).not.toContain("<footer");
});

it("links and frames know the panels by the names of the table, in its order", () => {
  expect(partsOf(panels).map(({ id }) => id)).toEqual(panelNames);
  expect(partsOf([...panels, planted]).map(({ id }) => id)).toEqual([
    "host", "answer", "sure", "curve", "map", "blocks", "redo", "matrix", "events", "statspack", "tkprof", "groups",
    "variants", "losses", "planted", "knobs", "trust",
  ]);
});
