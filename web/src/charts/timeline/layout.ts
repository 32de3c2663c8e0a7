/**
 * One picture of a window of the recording. A frame costs what it shows in pixels, not what the recording holds in
 * stays.
 */
import { ticks } from "d3-array";
import { workByKind, type TimelineIndex } from "../../analysis/timeline/timeline";
import { edgeOf, histogramOf, type DelayHistogram } from "../../analysis/timeline/delays";
import { meanDepth, type Steps } from "../../analysis/timeline/depth";
import { seenIn, someOfEach } from "../../analysis/timeline/find";
import { trackOf, type Track } from "../../analysis/timeline/follow";
import { meansOf, type EventMean } from "../../analysis/timeline/sums";
import { formatCount, formatFixed, formatMs, formatShort } from "../../units";
import { textWidth } from "../frame/text";
import { allHosts } from "../../analysis/read/host";
import { threadIn } from "../../analysis/read/recording";
import { legendHeading, type Frame } from "./frame";
import {
  addStay, followedCells, pxPerMs, shadeOf, stateCells, sweepLane, trackCells, type Span,
} from "./laneCells";
import { delayCells, delayY, depthCells, histogramCells, overviewCells } from "./plots";
import {
  addCell, classTone, kindTone, onClass, onKind, TONE, type Cells, type Label, type Line, type Scene,
} from "./scene";

export interface Shown {
  readonly index: TimelineIndex;
  readonly track: Track | null;
  readonly from: number;
  readonly to: number;
  /** Where the cursor stands: a moment, and the stay it reads. */
  readonly cursorMs: number | null;
  readonly cursorRow: number;
}

/** So many connecting lines can still be told apart. */
const MOST_LINKS = 40;
const NAMED_PX = 84;
const NUMBERED_PX = 26;
const LABELLED_LANE = 13;

const rect = (x: number, y: number, width: number, height: number) =>
  `M${x.toFixed(1)} ${y.toFixed(1)}h${width.toFixed(1)}v${height.toFixed(1)}h${(-width).toFixed(1)}z`;
const upright = (x: number, from: number, to: number) =>
  `M${(Math.round(x - 0.5) + 0.5).toFixed(1)} ${from.toFixed(1)}V${to.toFixed(1)}`;

class Picture {
  readonly lines: Line[] = [];
  readonly labels: Label[] = [];
  readonly span: Span;
  readonly shown: Shown;
  readonly frame: Frame;
  readonly cells: Cells;
  /** No room for long headings. */
  readonly isNarrow: boolean;

  constructor(shown: Shown, frame: Frame, cells: Cells) {
    this.shown = shown;
    this.frame = frame;
    this.cells = cells;
    this.isNarrow = frame.width < 520;
    this.span = { from: shown.from, to: shown.to, left: frame.left, right: frame.right };
  }

  x(ms: number): number {
    return this.span.left + (ms - this.span.from) * pxPerMs(this.span);
  }

  say(x: number, y: number, text: string, more: Partial<Label> = {}): void {
    this.labels.push({ x, y, text, tone: TONE.mute, ...more });
  }

  overview(): void {
    const { index: { recording: { fromMs, toMs } }, from, to } = this.shown;
    const { x, y, width, height } = this.frame.overview;
    overviewCells(this.shown.index, this.frame.overview, this.cells);
    this.say(x - 8, y + height - 4, formatMs(Number((toMs - fromMs).toPrecision(2))), { anchor: "end" });
    const at = (ms: number) => x + ((ms - fromMs) / (toMs - fromMs)) * width;
    const [left, right] = [at(from), Math.max(at(to), at(from) + 3)];
    if (right - left > width - 1) return;
    for (const [a, b] of [[x, left], [right, x + width]] as const) addCell(this.cells, a, y, b - a, height, TONE.veil);
    this.lines.push({ d: rect(left, y + 0.5, right - left, height - 1), tone: TONE.accent });
  }

  lanes(): void {
    const { index, track } = this.shown;
    const { lanes } = index;
    this.frame.rows.forEach((row, thread) => {
      sweepLane(index, thread, this.span, row, this.cells, (place, x, width) => {
        const process = lanes.process[place] as number;
        const isFollowed = process === track?.process;
        const tone = isFollowed
          ? TONE.accent
          : kindTone(index.recording.kinds[lanes.kind[place] as number] ?? "", shadeOf(process));
        addStay(this.cells, x, width, row, tone);
        if (row.height >= LABELLED_LANE && width >= NUMBERED_PX)
          this.nameStay(place, x, width, row.top + row.height / 2 + 4, isFollowed);
      });
    });
    this.laneNames();
  }

  private nameStay(place: number, x: number, width: number, y: number, isFollowed: boolean): void {
    const { lanes, recording } = this.shown.index;
    const kind = recording.kinds[lanes.kind[place] as number] ?? "";
    const process = lanes.process[place] as number;
    const tone = isFollowed ? TONE.onAccent : onKind(kind, shadeOf(process));
    this.say(x + width / 2, y, width >= NAMED_PX ? `${kind} ${process}` : String(process), { tone, anchor: "middle" });
  }

  /** Every kind that ran, in its colour, with the threads that it took. */
  legend(): void {
    const { index, from, to } = this.shown;
    const { legend, left } = this.frame;
    const [first] = legend;
    if (first === undefined) return;
    this.say(left, first.y, legendHeading(this.isNarrow), { tone: TONE.ink, isBold: true });
    const work = workByKind(index, from, to);
    legend.forEach(({ x, y }, i) => {
      const kind = index.ran[i] ?? 0;
      const name = index.recording.kinds[kind] ?? "";
      addCell(this.cells, x, y - 9, 9, 9, TONE.edge);
      addCell(this.cells, x + 1, y - 8, 7, 7, kindTone(name, 7));
      this.say(x + 14, y, `${name} ${meanText(work[kind] ?? 0, 2)}`);
    });
  }

  /** Whoever leaves the cluster in the window: a line through each plot, named at its head. */
  departures(): void {
    const { frame: { leftY, lanes, axisY, depth, delay, left, right }, span } = this;
    this.shown.index.recording.left.forEach(({ ms, who, why }, i) => {
      if (ms < span.from || ms > span.to) return;
      const [x, y] = [this.x(ms), leftY[i] ?? lanes.y];
      for (const plot of [{ y: y - 9, height: axisY - y + 9 }, depth, statesBox(this.frame), delay])
        this.lines.push({ d: upright(x, plot.y, plot.y + plot.height), tone: TONE.ink });
      const [long, short] = [`${who} leaves: ${why}`, `${who} leaves`];
      const room = Math.max(x - left, right - x) - 8;
      const text = textWidth(long, "bold") * 1.06 <= room ? long : short;
      const isRight = right - x >= x - left;
      this.say(isRight ? x + 6 : x - 6, y, text, { tone: TONE.ink, isBold: true, anchor: isRight ? "start" : "end" });
    });
  }

  /** A heading; of several hosts it says so where there is room. */
  private heading(long: string, short: string): string {
    const all = allHosts(this.shown.index.recording.hosts.length);
    return this.isNarrow ? short : all === null ? long : `${long}, ${all}`;
  }

  /** Threads by core, as many as there is room for. */
  private laneNames(): void {
    const { rows, names, left } = this.frame;
    names.forEach(({ text, y }) => this.say(left, y, text, { tone: TONE.ink, isBold: true }));
    for (const host of this.shown.index.recording.hosts) {
      let last = Number.NEGATIVE_INFINITY;
      for (let first = 0; first < host.threads; first += host.perCore) {
        const final = Math.min(host.threads, first + host.perCore) - 1;
        const [a, b] = [rows[host.first + first], rows[host.first + final]];
        if (a === undefined || b === undefined) continue;
        const y = (a.top + b.top + b.height) / 2 + 4;
        if (y - last < 14) continue;
        last = y;
        this.say(left - 8, y, final === first ? String(first) : `${first}–${final}`, { anchor: "end" });
      }
    }
  }

  followed(): void {
    const { index, track } = this.shown;
    const row = this.frame.track;
    if (track === null || row === null) return;
    const { activities } = index.recording;
    const links: Line[] = [];
    followedCells(index, track, this.span, this.frame.rows, this.cells, (place, x, width) => {
      const lane = this.frame.rows[index.recording.thread[index.lanes.row[place] as number] as number];
      if (lane !== undefined && width >= 1)
        links.push({ d: upright(x, lane.top + lane.height, row.top), tone: TONE.accent });
    });
    if (links.length <= MOST_LINKS) this.lines.push(...links);
    trackCells(track, activities.map((one) => one.class), this.span, row, this.cells, (place, x, width) => {
      const activity = track.activity[place] as number;
      const own = threadIn(index.recording, index.recording.thread[track.row[place] as number] as number).thread;
      const text =
        activity === 1
          ? width >= NAMED_PX
            ? `thread ${own}`
            : String(own)
          : (activities[activity]?.event ?? "");
      if (activity === 0 || width < textWidth(text) + 8) return;
      const isLow = activity !== 1;
      const tone = activity === 1 ? TONE.onAccent : activity === 2 ? onClass("run queue") : TONE.ink;
      this.say(x + width / 2, row.top + row.height - (isLow && activity !== 2 ? 12 : isLow ? 4 : 9), text, {
        tone, anchor: "middle",
      });
    });
    this.say(this.frame.left - 8, row.top + row.height - 8, String(track.process), {
      tone: TONE.accent, anchor: "end", isBold: true,
    });
  }

  /** Ticks in the unit of the window; where it is far from zero, counted from its left edge. */
  axis(): void {
    const { from, to } = this.span;
    const { axisY, left, right } = this.frame;
    const isFar = (to - from) * 500 < from;
    const zero = isFar ? from : 0;
    const unit = to - from >= 3000 ? 1000 : to - from >= 0.5 ? 1 : 0.001;
    const name = unit === 1000 ? "s" : unit === 1 ? "ms" : "µs";
    this.lines.push({ d: `M${left} ${axisY + 0.5}H${right}`, tone: TONE.mute });
    const base = isFar ? `${formatFixed(from, 3)} ms` : "";
    if (isFar) this.say(left, axisY + 16, base);
    const said = ticks((from - zero) / unit, (to - zero) / unit, Math.max(2, Math.floor((right - left) / 110)));
    const seen = said
      .map((tick) => ({ x: this.x(tick * unit + zero), text: (isFar ? "+" : "") + formatShort(tick, 7) }))
      .filter(({ x, text }) => {
        const half = textWidth(text) / 2;
        return x - half > left + (isFar ? textWidth(base) + 8 : -half - 1) && x + half + 22 < right;
      });
    seen.forEach(({ x, text }, i) => {
      this.lines.push({ d: upright(x, axisY, axisY + 4), tone: TONE.mute });
      this.say(x, axisY + 16, i === seen.length - 1 ? `${text}\u00a0${name}` : text, { anchor: "middle" });
    });
  }

  /** A heading and what it is about, each with its square in its colour, as much as there is room for. */
  private keyLine(
    x: number, y: number, heading: string, items: readonly { readonly tone: number; readonly text: string }[],
  ): void {
    this.say(x, y, heading, { tone: TONE.ink, isBold: true });
    let at = x + textWidth(heading, "bold") * 1.06 + 10;
    for (const { tone, text } of items) {
      if (at + 14 + textWidth(text) > this.frame.right) return;
      addCell(this.cells, at, y - 9, 9, 9, TONE.edge);
      addCell(this.cells, at + 1, y - 8, 7, 7, tone);
      this.say(at + 14, y, text);
      at += 28 + textWidth(text) * 1.08;
    }
  }

  /** Kinds that occur. */
  private kindItems(textOf: (k: number) => string | null): readonly { readonly tone: number; readonly text: string }[] {
    return this.shown.index.recording.kinds.flatMap((kind, k) => {
      const text = textOf(k);
      return text === null ? [] : [{ tone: kindTone(kind, 5), text }];
    });
  }

  /** Run queues, and over them the cage's waiters: all who want a CPU and have none, on one scale. */
  depth(): void {
    const { index, from, to } = this.shown;
    const { depth: box } = this.frame;
    const { depth, recording, kinds } = index;
    if (depth.most === 0)
      return this.say(box.x, box.y - 10, "Run queue: nobody stands in it", { tone: TONE.ink, isBold: true });
    depthCells(index, this.span, box, this.cells);
    this.lines.push({ d: `M${box.x} ${box.y + box.height + 0.5}h${box.width}`, tone: TONE.mute });
    const queued = this.kindItems((k) => {
      const steps = depth.steps[k];
      return steps === undefined || steps.time.length === 0
        ? null
        : `${recording.kinds[k] ?? ""} ${meanText(meanDepth(steps, from, to))}`;
    });
    if (depth.cage.time.length === 0)
      this.keyLine(box.x, box.y - 10, this.heading("Run queue, mean", "Run queue"), queued);
    else {
      const all = depth.steps[kinds] as Steps;
      const isEmpty = all.time.length === 0;
      const caged = meanDepth(depth.cage, from, to);
      const cage = { tone: classTone("Scheduler"), text: `resmgr:cpu quantum ${meanText(caged)}` };
      // What there is no room for is the least.
      const isMost = isEmpty || caged > meanDepth(all, from, to);
      const heading = isEmpty ? "Run queue: nobody. Before the cage" : "Run queue and, over it, the cage";
      const items = isMost ? [cage, ...queued] : [...queued, cage];
      this.keyLine(box.x, box.y - 10, this.heading(heading, "Waiting"), items);
    }
    this.say(box.x - 8, box.y + 8, formatCount(depth.most), { anchor: "end" });
    return this.say(box.x - 8, box.y + box.height, "0", { anchor: "end" });
  }

  /** What processes do, a row each, in the colours of the wait classes. */
  states(): void {
    const { index, track, from, to } = this.shown;
    const { states: rows, left } = this.frame;
    const [first] = rows;
    if (first === undefined) return;
    const { activities } = index.recording;
    const shown = statesShown(index, this.frame, track);
    const tracks = shown.map((process) => trackOf(index, process));
    stateCells(tracks, track?.process ?? null, activities.map((one) => one.class), this.span, rows, this.cells);
    const processes = seenIn(index).length;
    const few = processes > shown.length ? ` (${shown.length} of ${formatCount(processes)} drawn)` : "";
    const items = stateItems(meansOf(index, from, to));
    this.keyLine(left, first.top - 9, this.heading(`Processes, by what they do${few}`, "Processes"), items);
    let last = Number.NEGATIVE_INFINITY;
    shown.forEach((process, i) => {
      const row = rows[i];
      if (row === undefined || process === track?.process) return;
      const y = row.top + row.height / 2 + 4;
      const own = track === null ? -1 : shown.indexOf(track.process);
      const isNear = own >= 0 && Math.abs((rows[own]?.top ?? 0) - row.top) < 14;
      if (y - last < 14 || isNear) return;
      last = y;
      this.say(left - 8, y, String(process), { anchor: "end" });
    });
    const own = rows[shown.indexOf(track?.process ?? -1)];
    if (own !== undefined)
      this.say(left - 8, own.top + own.height / 2 + 4, String(track?.process), {
        tone: TONE.accent, anchor: "end", isBold: true,
      });
  }

  delays(): void {
    const { index, from, to } = this.shown;
    const { delay: box } = this.frame;
    const { delays, recording } = index;
    if (box.height === 0)
      return this.say(box.x, box.y - 10, "Dispatch delay: none in this recording", { tone: TONE.ink, isBold: true });
    delayCells(index, this.span, box, this.cells);
    this.lines.push({ d: `M${box.x} ${box.y + box.height + 0.5}h${box.width}`, tone: TONE.mute });
    const counted = recording.kinds.map((_, k) => histogramOf(delays, k, from, to));
    const worst = this.kindItems((k) =>
      (counted[k]?.total ?? 0) === 0 ? null : `${recording.kinds[k] ?? ""} ${formatMs(counted[k]?.worstMs ?? 0)}`,
    );
    this.keyLine(box.x, box.y - 10, this.heading("Dispatch delay, at worst", "Worst delay"), worst);
    const [low, high] = delays.bins;
    const every = Math.ceil(14 / (box.height / (high + 1 - low)));
    for (let bin = low; bin <= high; bin += every) {
      const edge = edgeOf(bin);
      this.say(
        box.x - 8, delayY(delays, box, edge) + 4,
        bin === low ? "0" : formatMs(Number((edge / 1.024 ** Math.floor(bin / 10)).toPrecision(3))), { anchor: "end" },
      );
    }
    this.bars(counted);
    return undefined;
  }

  /** Dispatches by delay, a picture a kind, each with an axis of counts below. */
  private bars(counted: readonly DelayHistogram[]): void {
    const { index: { delays, recording } } = this.shown;
    const { histogram: side } = this.frame;
    const present = counted.flatMap((histogram, k) =>
      histogram.total > 0 ? [{ histogram, kind: recording.kinds[k] ?? "" }] : [],
    );
    if (present.length > 0)
      this.say(side.x, side.y - 26, "Dispatches in this window, by delay", { tone: TONE.ink, isBold: true });
    const each = (side.width + 12) / Math.max(1, present.length);
    present.forEach(({ histogram, kind }, i) => {
      const x = side.x + i * each;
      const [wide, bottom] = [each - 12, side.y + side.height];
      histogramCells(histogram, delays, kind, { ...side, x, width: wide }, this.cells);
      this.lines.push({ d: `M${x + 0.5} ${side.y}V${bottom + 0.5}h${wide}`, tone: TONE.mute });
      const most = formatCount(Math.max(...histogram.counts));
      this.lines.push({ d: upright(x + wide, bottom, bottom + 4), tone: TONE.mute });
      this.say(x + wide, bottom + 16, most, { anchor: "end" });
      if (textWidth(most) + 16 < wide) this.say(x, bottom + 16, "0");
      const text = `${kind}, ${formatCount(histogram.total)}`;
      // Where not even the name fits, its colour tells it.
      const name = textWidth(kind) <= side.x + side.width - x && textWidth(kind) < each - 2 ? kind : "";
      this.say(x, side.y - 10, textWidth(text) < each - 8 ? text : name);
    });
  }

  cursor(): void {
    const { cursorMs, cursorRow, index: { recording, place, lanes } } = this.shown;
    const { axisY, lanes: { y }, rows } = this.frame;
    if (cursorMs !== null && cursorMs >= this.span.from && cursorMs <= this.span.to) {
      const plots = [{ y, height: axisY - y }, this.frame.depth, statesBox(this.frame), this.frame.delay];
      for (const plot of plots)
        this.lines.push({ d: upright(this.x(cursorMs), plot.y, plot.y + plot.height), tone: TONE.edge });
    }
    const row = cursorRow < 0 ? undefined : rows[recording.thread[cursorRow] as number];
    const p = place[cursorRow] ?? -1;
    if (row === undefined || p < 0) return;
    const [a, b] = [Math.max(this.span.from, lanes.start[p] as number), Math.min(this.span.to, lanes.end[p] as number)];
    if (b >= a)
      this.lines.push({
        d: rect(this.x(a) - 0.5, row.top - 1, Math.max(2, this.x(b) - this.x(a) + 1), row.height + 2), tone: TONE.ink,
      });
  }
}

/** From the first row of the processes to the last. */
function statesBox({ states, depth }: Frame): { readonly y: number; readonly height: number } {
  const [first, last] = [states[0], states.at(-1)];
  if (first === undefined || last === undefined) return { y: depth.y, height: 0 };
  return { y: first.top, height: last.top + last.height - first.top };
}

/** Which processes have a row. */
export function statesShown(index: TimelineIndex, { states }: Frame, track: Track | null): readonly number[] {
  return someOfEach(index, states.length, track?.process ?? null);
}

/** Of a mean over a window its first digits; of next to nothing that it is. */
export const meanText = (mean: number, digits = 3): string =>
  mean > 0 && mean < 0.01 ? "<0.01" : formatShort(mean, digits);

/** What processes do at once, on average, the most first; idle last. */
function stateItems(sums: readonly EventMean[]): readonly { readonly tone: number; readonly text: string }[] {
  return sums
    .toSorted((one, other) => Number(one.class === "Idle") - Number(other.class === "Idle"))
    .map((one) => ({
      tone: one.class === "Idle" ? TONE.hair : classTone(one.class),
      text: `${one.event} ${meanText(one.mean)}`,
    }));
}

/** Fills `cells` and gives the scene; nothing of an earlier frame is kept. */
export function layoutTimeline(shown: Shown, frame: Frame, cells: Cells): Scene {
  cells.count = 0;
  const picture = new Picture(shown, frame, cells);
  picture.overview();
  picture.legend();
  picture.lanes();
  picture.departures();
  picture.followed();
  picture.axis();
  picture.depth();
  picture.states();
  picture.delays();
  picture.cursor();
  return { width: frame.width, height: frame.height, cells, lines: picture.lines, labels: picture.labels };
}
