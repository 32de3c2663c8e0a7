import { expect, it } from "vitest";
import { panelNames } from "../app/panelNames";
import { panels, partsOf } from "../app/panels";
import { findKnob } from "../engine";
import { builtCatalogue } from "../engine/browserEngine";
import { fakeCatalogue } from "../testing/fakeCatalogue";
import { initialState, reduceAll } from "../testing/knobRows";
import { outOfRange, readFrameOptions } from "./frameOptions";

const read = (search: string) => readFrameOptions(search, fakeCatalogue);

it("reads panels, knobs, locks and look", () => {
  const options = read(
    "?panels=curve,knobs&show=sessions,cpu_count@instance2&theme=dark&palette=oem&lock=sockets,axes"
      + "&origin=https://host.example",
  );
  expect(options.panels).toEqual(["curve", "knobs"]);
  expect(options).toMatchObject({
    show: ["sessions", "cpu_count@instance2"], origin: "https://host.example", problems: [],
    view: { theme: "dark", palette: "oem", held: { locked: ["sockets"], areAxesLocked: true } },
  });
});

it("narrows a knob to its range wherever the page looks for its ends", () => {
  const { catalogue, problems } = read("?range.sessions=2:20&range.lio_us=0.5:3");
  expect(problems).toEqual([]);
  expect(findKnob(catalogue, "sessions")).toMatchObject({ min: 2, max: 20 });
  for (const preset of catalogue.presets) expect(preset.ranges["sessions"]).toEqual({ min: 2, max: 20 });
  const swept = catalogue.presets.filter(({ sweep }) => sweep.knob === "sessions").map(({ sweep }) => sweep);
  expect(swept.length).toBeGreaterThan(0);
  expect(swept.every(({ from, to }) => from === 2 && to === 20)).toBe(true);
  expect(findKnob(catalogue, "cpu_count")).toEqual(findKnob(fakeCatalogue, "cpu_count"));
});

it("takes what the page calls a panel for its name", () => {
  const called = partsOf(panels).filter(({ id, title }) => id !== title.toLowerCase());
  for (const { id, title } of called) {
    const { problems } = read(`?panels=${encodeURIComponent(title)}`);
    expect(problems).toEqual([expect.stringMatching(`is ${id} meant\\?$`)]);
  }
  // No other list has panels.
  expect(read("?show=finding").problems).toEqual(["This frame’s address: show: “finding” is no knob."]);
});

it.each([
  ["?pannels=curve", "“pannels” is no parameter; is panels meant?"],
  ["?utm=1", "“utm” is no parameter; there are panels, show, lock, theme, palette, origin, range.<knob>."],
  ["?axes=1", "“axes” is no parameter; there are panels, show, lock, theme, palette, origin, range.<knob>."],
  ["?panels=timeline", "panels: “timeline” is no panel; there are host, answer, sure, curve, "],
  ["?show=timeline", "show: “timeline” is no knob."],
  ["?panels=curv,knobs", "panels: “curv” is no panel; is curve meant?"],
  ["?show=sesions", "show: “sesions” is no knob; is sessions meant?"],
  ["?lock=axis", "lock: “axis” is no knob; is axes meant?"],
  ["?theme=drak", "theme: “drak” is no theme; is dark meant?"],
  ["?palette=", "palette: “” is no palette; there are default, oem."],
  ["?range.sesions=1:9", "range.“sesions” is no knob; is sessions meant?"],
  ["?range.sessions@instance1=1:9", "range.“sessions@instance1” is no knob"],
  ["?range.sessions=9:1", "range.sessions is two numbers like 1:1000, within these, not “9:1”."],
  ["?range.sessions=0:2000", "range.sessions is two numbers like 1:1000"],
  ["?range.sessions=:9", "range.sessions is two numbers"],
  ["?range.os_scheduler=1:2", "os_scheduler has no range; it is no number."],
])("names what %s asks for and is not there", (search, words) => {
  const { problems, catalogue } = read(search);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toBe(`This frame’s address: ${words}${problems[0]?.split(words)[1] ?? ""}`);
  expect(catalogue).toBe(fakeCatalogue);
});

it("falls back where it is asked for nonsense", () => {
  const options = read("?panels=__proto__,x&theme=pink&palette=&show=constructor");
  expect(options.panels).toEqual(panelNames);
  expect(options).toMatchObject({ show: null, view: { theme: "system", palette: "default" } });
  expect(options.problems).toHaveLength(5);
});

it.each([
  ["instance-caging-vm", "", "range.sessions=1:20", ["range.sessions=1:20 leaves out 32"]],
  ["instance-caging-vm", "?sessions=9", "range.sessions=1:20", []],
  ["instance-caging-vm", "", "range.sessions=1:32", []],
  ["instance-caging-vm", "", "range.switch_refill_us=900:950", ["range.switch_refill_us=900:950 leaves out 800"]],
  ["dbwr-heavy", "", "range.db_writer_processes=2:8", ["range.db_writer_processes=2:8 leaves out 1"]],
  ["two-hosts", "?sockets@node1=3", "range.sockets=2:4", []],
  ["two-hosts", "", "range.sockets=2:4", ["range.sockets=2:4 leaves out 1"]],
] as const)("tells which value %s%s has itself that %s leaves out", (preset, set, range, words) => {
  const { catalogue } = readFrameOptions(`?${range}`, builtCatalogue);
  const rows = reduceAll(initialState(catalogue), `#v1/${preset}${set}`);
  const told = words.map((text) => `This frame’s address: ${text}, which ${preset} has.`);
  expect(outOfRange(rows, preset)).toEqual(told);
});

it("leaves no value of any scenario out where no range is asked for", () => {
  for (const { id } of builtCatalogue.presets)
    expect(outOfRange(reduceAll(initialState(builtCatalogue), `#v1/${id}`), id)).toEqual([]);
});
