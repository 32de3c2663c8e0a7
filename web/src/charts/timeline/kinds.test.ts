import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { indexTimeline, workByKind } from "../../analysis/timeline/timeline";
import { recordingOf } from "../../testing/buildRecording";
import { frameOf, legendPlaces } from "./frame";
import { layoutTimeline } from "./layout";
import { contrastOf, paletteOf, rgbOf } from "./palette";
import { KIND_COLOURS, kindTone, noCells, onKind, TONES } from "./scene";

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
const tokens = read("../../styles/tokens.css");

function coloursOf(theme: string): (name: string) => string {
  const found = new Map<string, string>();
  for (const [, selector = "", body = ""] of tokens.replace(/\/\*[^]*?\*\//g, "").matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    if (!selector.includes('data-theme="light"') && !selector.includes(`data-theme="${theme}"`)) continue;
    for (const [, name = "", value = ""] of body.matchAll(/(--[\w-]+):\s*(#[0-9a-f]{6})/g)) found.set(name, value);
  }
  return (name) => found.get(name) ?? (name === "--sans" ? "sans" : "");
}

const rgb = (css: string | undefined) => (css ?? "").match(/\d+/g)?.map(Number) as unknown as [number, number, number];

describe("kinds of processes", () => {
  it("have a colour each, but those that only burden a host, and all of the simulation's are known", () => {
    const kinds = [...KIND_COLOURS.keys()];
    const own = kinds.filter((kind) => !kind.startsWith("background") && kind !== "client");
    expect(new Set(own.map((kind) => KIND_COLOURS.get(kind))).size).toBe(own.length);
    // The class that nobody knows has no kind.
    expect(own.map((kind) => KIND_COLOURS.get(kind))).not.toContain("--other");
    const catalogue = JSON.parse(read("../../engine/generated/catalogue.json")) as {
      readonly process_kinds: readonly { readonly id: string }[];
    };
    const named = catalogue.process_kinds.map(({ id }) => id);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((kind) => !KIND_COLOURS.has(kind))).toEqual([]);
  });

  it.each(["light", "dark", "projector"])("can be read where their names stand on them, %s", (theme) => {
    const { css } = paletteOf(coloursOf(theme));
    expect([css.length, TONES < 256]).toEqual([TONES, true]);
    for (const kind of KIND_COLOURS.keys())
      for (const shade of [0, 1, 2, 3]) {
        const fill = rgb(css[kindTone(kind, shade)]);
        // Between ink and paper there are greys on which neither has 4.5.
        expect(contrastOf(rgb(css[onKind(kind, shade)]), fill), `${kind} ${shade}`).toBeGreaterThanOrEqual(4.3);
      }
    expect(contrastOf(rgbOf("#000000"), rgbOf("#ffffff"))).toBeCloseTo(21, 6);
  });
});

/** A session and an LMS (kind 1) on two threads, 10 ms. */
const recording = {
  ...recordingOf([[0, 1, 0, 0, 10, 0], [1, 1, 1, 2, 7, 0]], [0, 1], 2), kinds: ["session", "lms", "lgwr"],
};

function wordsOf(width: number, left: (typeof recording)["left"] = [], window: readonly [number, number] = [0, 10]) {
  const index = indexTimeline({ ...recording, left });
  const isNarrow = width < 520;
  const frame = frameOf({
    width, room: 600, hosts: recording.hosts, isFollowing: false, isNarrow, hasQueue: false, hasDelays: false,
    processes: 2,
    kinds: index.ran.map((kind) => recording.kinds[kind] ?? ""), left: left.length,
  });
  const cells = noCells();
  const [from, to] = window;
  const scene = layoutTimeline({ index, track: null, from, to, cursorMs: null, cursorRow: -1 }, frame, cells);
  return { labels: scene.labels, frame, scene, cells };
}

it("tells the colours of the kinds that ran, with the threads that each took", () => {
  expect([...workByKind(indexTimeline(recording), 0, 10)]).toEqual([1, 0.5, 0]);
  const { labels, cells } = wordsOf(900);
  expect(labels.map(({ text }) => text)).toEqual(expect.arrayContaining(["session 1", "lms 0.5"]));
  expect(labels.some(({ text }) => text.startsWith("lgwr"))).toBe(false);
  expect([...cells.tone.subarray(0, cells.count)]).toContain(kindTone("lms", 7));
});

it("breaks the line of kinds where there is no room, and puts the lanes below all of it", () => {
  const kinds = ["session", "background", "lgwr", "dbwr", "lms", "lmd", "heartbeat"];
  const places = legendPlaces(kinds, "Threads", [54, 390], 48);
  expect(new Set(places.map(({ y }) => y)).size).toBeGreaterThan(1);
  places.forEach(({ x }, i) => expect(x + 14 + `${kinds[i]} 0.001`.length * 6.4).toBeLessThanOrEqual(390));
  const { frame } = wordsOf(390);
  expect(frame.rows[0]!.top).toBeGreaterThan(Math.max(...frame.legend.map(({ y }) => y)));
});

describe("whoever leaves the cluster", () => {
  const left = [{ ms: 4, who: "node 3", why: "heartbeats were missing for css_misscount_s" }];

  it("is a line at its moment, named", () => {
    const { labels, scene, frame } = wordsOf(1100, left);
    expect(labels.map(({ text }) => text)).toContain("node 3 leaves: heartbeats were missing for css_misscount_s");
    const x = frame.left + 0.4 * (frame.right - frame.left);
    expect(scene.lines.some(({ d }) => Math.abs(Number(/^M([\d.]+) /.exec(d)?.[1]) - x) <= 1)).toBe(true);
    expect(frame.rows[0]!.top).toBeGreaterThan(frame.leftY[0]!);
  });

  it("says less where there is no room, and nothing outside of the window", () => {
    expect(wordsOf(390, left).labels.map(({ text }) => text)).toContain("node 3 leaves");
    expect(wordsOf(900, left, [5, 10]).labels.some(({ text }) => text.includes("leaves"))).toBe(false);
  });
});
