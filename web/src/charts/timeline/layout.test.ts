import { describe, expect, it } from "vitest";
import { busyShare, indexTimeline } from "../../analysis/timeline/timeline";
import { histogramOf } from "../../analysis/timeline/delays";
import { meanDepth } from "../../analysis/timeline/depth";
import { meansOf } from "../../analysis/timeline/sums";
import { trackOf } from "../../analysis/timeline/follow";
import { buildRecording, dice, recordingOf } from "../../testing/buildRecording";
import { frameOf, laneRows, stateAt, stateRows, threadAt } from "./frame";
import { stateCells, sweepLane, trackCells } from "./laneCells";
import { layoutTimeline, meanText } from "./layout";
import { fillCells } from "./paint";
import { mix, paletteOf, rgbOf } from "./palette";
import { delayCells, depthCells } from "./plots";
import { addCell, classTone, kindTone, noCells, TONE, type Cells } from "./scene";
import { svgOf } from "./svg";

const recording = buildRecording({ threads: 4, sessions: 12, background: 2, services: 1, stays: 6000, sliceMs: 1.5 });
const index = indexTimeline(recording);
const area = ({ width, height, count }: Cells) =>
  width.subarray(0, count).reduce((sum, one, i) => sum + one * height[i]!, 0);
const plain = { kinds: ["session"], left: 0, hasDelays: true, processes: 40 };
const palette = paletteOf((name) => (name === "--paper" ? "#ffffff" : "#336699"));

describe("a lane", () => {
  const row = { top: 10, height: 20 };
  const next = dice(7);

  it("draws as much area as there is work, whatever the zoom", () => {
    for (let i = 0; i < 200; i++) {
      const length = (recording.toMs - recording.fromMs) * 10 ** (-4 * next());
      const from = recording.fromMs + next() * (recording.toMs - recording.fromMs - length);
      const span = { from, to: from + length, left: 0, right: 700 };
      const cells = noCells(8);
      let single = 0;
      sweepLane(index, i % 4, span, row, cells, (_, __, width) => { single += width * row.height; });
      const drawn = (area(cells) + single) / (700 * row.height);
      // A stay that is too short to see is drawn a pixel high: that may only add.
      expect(drawn).toBeGreaterThan(busyShare(index, i % 4, from, from + length) - 0.004);
      expect(drawn).toBeLessThan(busyShare(index, i % 4, from, from + length) + 0.05);
    }
  });

  it("costs pixels, not stays, and stays inside", () => {
    const cells = noCells();
    let singles = 0;
    sweepLane(index, 0, { from: recording.fromMs, to: recording.toMs, left: 5, right: 105 }, row, cells, () => {
      singles++;
    });
    expect(cells.count + singles).toBeLessThan(100 * 3 + 40);
    for (let i = 0; i < cells.count; i++) {
      expect(cells.x[i]).toBeGreaterThanOrEqual(5);
      expect(cells.y[i]).toBeGreaterThanOrEqual(10);
      expect(cells.y[i]! + cells.height[i]!).toBeLessThanOrEqual(30.001);
    }
  });

  it("keeps one short stay in sight, however long the recording", () => {
    const lonely = indexTimeline(recordingOf([[0, 1, 0, 500, 500.01, 0], [0, 1, 0, 99_999, 100_000, 0]], [2], 1));
    const cells = noCells();
    sweepLane(lonely, 0, { from: 0, to: 100_000, left: 0, right: 400 }, row, cells, () => undefined);
    expect([cells.x[0], cells.height[0]! >= 1, cells.tone[0]]).toEqual([2, true, kindTone("service", 4)]);
  });
});

it("fills the followed track without holes where something is known", () => {
  const track = trackOf(index, 3);
  const cells = noCells();
  const [from, to] = [track.start[5]!, track.end[40]!];
  trackCells(
    track, recording.activities.map((one) => one.class), { from, to, left: 0, right: 300 }, { top: 0, height: 20 },
    cells, () => undefined,
  );
  const covered = new Set(
    Array.from({ length: cells.count }, (_, i) => i).flatMap((i) =>
      Array.from({ length: Math.ceil(cells.width[i]!) }, (_, k) => Math.floor(cells.x[i]! + k)),
    ),
  );
  expect(covered.size).toBeGreaterThanOrEqual(299);
});

it("draws run queues, and the cage over them, with their means as areas", () => {
  const [from, to] = [100, 400];
  const cells = noCells();
  depthCells(index, { from, to, left: 0, right: 250 }, { x: 0, y: 0, width: 250, height: 100 }, cells);
  const drawn = (isOf: (tone: number) => boolean) => {
    let sum = 0;
    for (let i = 0; i < cells.count; i++) if (isOf(cells.tone[i]!)) sum += cells.width[i]! * cells.height[i]!;
    return (sum / 250 / 100) * index.depth.most;
  };
  const band = classTone("Scheduler");
  expect(drawn((tone) => tone === band)).toBeCloseTo(meanDepth(index.depth.cage, from, to), 2);
  expect(drawn((tone) => tone !== band && tone !== TONE.hair)).toBeCloseTo(
    meanDepth(index.depth.steps[3]!, from, to), 2,
  );
  expect(meanDepth(index.depth.cage, from, to)).toBeGreaterThan(0.1);
});

it("says of a mean that is next to nothing that it is, not its digits", () => {
  expect([0, 0.000077, 0.005, 0.0099, 0.0104, 23.68].map((mean) => meanText(mean))).toEqual([
    "0", "<0.01", "<0.01", "<0.01", "0.0104", "23.7",
  ]);
});

it("shows every delay of a window: dots, or columns that hold all of them", () => {
  const [from, to] = [50, 80];
  const cells = noCells();
  delayCells(index, { from, to, left: 0, right: 500 }, { x: 0, y: 0, width: 500, height: 100 }, cells);
  expect(cells.count).toBe([0, 1, 2].reduce((sum, k) => sum + histogramOf(index.delays, k, from, to).total, 0));
});

it("gives every thread a lane of 3 px at least, cores in pairs, sockets apart", () => {
  const hosts = [{ name: null, first: 0, threads: 88, perCore: 2, perSocket: 44 }];
  const rows = laneRows(hosts, 0, 300);
  expect(rows.every(({ height }) => height >= 3)).toBe(true);
  const gap = (i: number) => rows[i]!.top - rows[i - 1]!.top - rows[i - 1]!.height;
  expect([gap(1) < gap(2), gap(2) < gap(44)]).toEqual([true, true]);
  const frame = frameOf({
    width: 1088, room: 740, hosts, isFollowing: true, isNarrow: false, hasQueue: true, ...plain,
  });
  expect(frame.height).toBeLessThanOrEqual(760);
  expect(threadAt(frame, frame.rows[50]!.top + 1)).toBe(50);
});

it("paints boxes to the pixel, blends what they cut, and says the same as SVG", () => {
  const cells = noCells();
  addCell(cells, 1, 0, 1.5, 1, TONE.ink);
  const pixels = new Uint32Array(4).fill(palette.packed[TONE.paper]!);
  fillCells(cells, palette.packed, pixels, 4, 1, 1);
  expect([...pixels].map((pixel) => (pixel & 255).toString(16))).toEqual(["ff", "33", "99", "ff"]);
  const svg = svgOf(
    {
      width: 4, height: 1, cells, lines: [{ d: "M0 0V1", tone: TONE.mute }],
      labels: [{ x: 1, y: 1, text: "a<b", tone: TONE.ink }],
    },
    palette, "T & U",
  );
  expect(svg).toContain('d="M1 0h1.5v1h-1.5z"');
  expect(svg).toContain("a&lt;b");
  expect(svg).toContain("<title>T &amp; U</title>");
  expect(mix(rgbOf("#000000"), rgbOf("#ffffff"), 0.5)).toEqual([128, 128, 128]);
});

it("counts its ticks from the left edge where the window is short and far from zero", () => {
  const frame = frameOf({
    width: 900, room: 700, hosts: recording.hosts, isFollowing: false, isNarrow: false, hasQueue: true, ...plain,
  });
  const words = (from: number, to: number) =>
    layoutTimeline({ index, track: null, from, to, cursorMs: null, cursorRow: -1 }, frame, noCells()).labels.map(
      ({ text }) => text,
    );
  expect(words(600, 600.2)).toEqual(expect.arrayContaining(["600.000 ms", "+100"]));
  expect(words(0, 1000)).toEqual(
    expect.arrayContaining(["200", "Run queue and, over it, the cage", "Dispatch delay, at worst"]),
  );
});

it("names what most wait for where there is no room for all", () => {
  const frame = frameOf({
    width: 390, room: 700, hosts: recording.hosts, isFollowing: false, isNarrow: true, hasQueue: true, ...plain,
  });
  const ask = { index, track: null, from: 0, to: 1000, cursorMs: null, cursorRow: -1 };
  const { labels } = layoutTimeline(ask, frame, noCells());
  const words = labels.map(({ text }) => text);
  expect(words[words.indexOf("Waiting") + 1]).toMatch(/^resmgr:cpu quantum /);
});

it("puts each host's name over its lanes, and counts threads within it", () => {
  const hosts = [
    { name: "host 1", first: 0, threads: 2, perCore: 2, perSocket: 2 },
    { name: "host 2", first: 2, threads: 4, perCore: 2, perSocket: 4 },
  ];
  const frame = frameOf({
    width: 900, room: 700, hosts, isFollowing: false, isNarrow: false, hasQueue: true, ...plain,
  });
  const gap = (i: number) => frame.rows[i]!.top - frame.rows[i - 1]!.top - frame.rows[i - 1]!.height;
  expect([frame.rows.length, gap(2) > gap(4), gap(4) > gap(3)]).toEqual([6, true, true]);
  frame.names.forEach(({ y }, i) => {
    expect(y).toBeLessThan(frame.rows[hosts[i]!.first]!.top);
    expect(y - 12).toBeGreaterThan(i === 0 ? 0 : frame.rows[1]!.top + frame.rows[1]!.height);
  });
  const two = indexTimeline({
    ...recordingOf([[0, 1, 1, 0, 9, 0], [1, 1, 5, 0, 9, 0]], [0, 0], 6), node: Float64Array.of(0, 1), hosts,
  });
  const words = layoutTimeline(
    { index: two, track: null, from: 0, to: 9, cursorMs: null, cursorRow: -1 }, frame, noCells(),
  ).labels.map(({ text }) => text);
  const named = words.filter((text) => /^(host \d|\d–\d)$/.test(text));
  expect(named).toEqual(["host 1", "host 2", "0–1", "0–1", "2–3"]);
  expect(threadAt(frame, frame.rows[2]!.top - 8)).toBeNull();
});

describe("processes, a row each", () => {
  const ask = {
    width: 1100, hosts: recording.hosts, isFollowing: false, isNarrow: false, hasQueue: true, kinds: ["session"],
    left: 0,
  };

  it("fill the room where no dispatch waited, and the page is no higher for them", () => {
    const [caged, plainly] = [false, true].map((hasDelays) => frameOf({ ...ask, room: 740, hasDelays, processes: 32 }));
    expect([caged!.states.length, caged!.delay.height, caged!.histogram.height]).toEqual([32, 0, 0]);
    expect(plainly!.delay.height).toBeGreaterThan(100);
    for (const frame of [caged!, plainly!]) {
      expect(frame.height).toBeLessThanOrEqual(760);
      expect(frame.height - frame.delay.y - frame.delay.height).toBeLessThan(40);
      expect(stateAt(frame, frame.states[7]!.top + 1)).toBe(7);
      expect(stateAt(frame, frame.states[0]!.top - 2)).toBeNull();
    }
  });
  it("give way where there is no room for more than a few", () => {
    expect(stateRows(300, 10, 34 + 4 * 20)).toHaveLength(20);
    expect(stateRows(300, 10, 34 + 4 * 3)).toEqual([]);
    expect(stateRows(2, 10, 60)).toHaveLength(2);
  });
  it("draw of each kind of wait the time that it took, in the colour of its class", () => {
    const [from, to] = [100, 400];
    const cells = noCells();
    const rows = stateRows(15, 0, 34 + 15 * 11);
    const tracks = rows.map((_, process) => trackOf(index, process));
    const span = { from, to, left: 0, right: 300 };
    stateCells(tracks, null, recording.activities.map((one) => one.class), span, rows, cells);
    const drawn = (tone: number) => {
      let sum = 0;
      for (let i = 0; i < cells.count; i++) if (cells.tone[i] === tone) sum += cells.width[i]! * cells.height[i]!;
      return sum / 300 / rows[0]!.height;
    };
    const means = new Map(meansOf(index, from, to).map((one) => [one.class, one.mean]));
    for (const name of ["CPU", "run queue", "Scheduler", "Concurrency"]) {
      const share = drawn(classTone(name)) / means.get(name)!;
      // An edge of a pixel around each stay takes of it.
      expect({ name, isTold: share > 0.5 && share < 1.05 }).toEqual({ name, isTold: true });
    }
  });
});

it("gives each picture at the right an axis from 0 to the most there is", () => {
  const frame = frameOf({
    width: 1100, room: 740, hosts: recording.hosts, isFollowing: false, isNarrow: false, hasQueue: true, ...plain,
  });
  const { labels } = layoutTimeline(
    { index, track: null, from: 0, to: 1000, cursorMs: null, cursorRow: -1 }, frame, noCells(),
  );
  const below = labels.filter(({ x, y }) => x >= frame.histogram.x && y > frame.histogram.y + frame.histogram.height);
  const most = [0, 1, 2].map((k) => Math.max(...histogramOf(index.delays, k, 0, 1000).counts));
  expect(below.map(({ text }) => text)).toEqual(most.flatMap((count) => [String(count), "0"]));
});
