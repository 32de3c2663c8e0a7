import type { TimelineIndex } from "../../analysis/timeline/timeline";
import {
  alongLane, alongTrack, nearestRow, rowAt, rowOnTrack, trackOf, type Track,
} from "../../analysis/timeline/follow";
import { stateAt, threadAt, type Frame } from "./frame";
import { bounded, moved, withMoment, type Gesture, type Motion, type Window } from "./gestures";
import { layoutTimeline, statesShown } from "./layout";
import { paintScene, type Sheet } from "./paint";
import { paletteOf, type Palette } from "./palette";
import { noCells, type Scene } from "./scene";

export interface Cursor {
  readonly ms: number;
  /** The stay it reads; -1 when nobody is there. */
  readonly row: number;
  readonly isKeyed: boolean;
}

export interface TimelineAsk {
  readonly index: TimelineIndex;
  readonly track: Track | null;
  readonly frame: Frame | null;
  readonly window: readonly [number, number] | null;
  readonly onWindow: (window: readonly [number, number] | null) => void;
  readonly onFollow: (process: number | null) => void;
}

/** A gesture that rests for so long is over. */
const REST_MS = 160;

export const readPalette = (): Palette => {
  const style = getComputedStyle(document.documentElement);
  // A pen says every spelling of a colour as #rrggbb.
  const pen = document.createElement("canvas").getContext("2d");
  return paletteOf((name) => {
    const value = style.getPropertyValue(name).trim();
    if (pen === null || name === "--sans" || name === "--zoom") return value;
    pen.fillStyle = value;
    return pen.fillStyle;
  });
};

/** Everything that changes many times a second stands here, outside of React, and is painted at most once a frame. */
export class Desk {
  ask: TimelineAsk;
  gesture: Gesture;
  cursor: Cursor | null = null;
  private canvas: HTMLCanvasElement | null = null;
  private palette: Palette | null = null;
  private told: readonly [number, number] | null;
  private readonly cells = noCells();
  private readonly sheet: Sheet = { image: null, pixels: new Uint32Array(0) };
  private frameId = 0;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private readonly onCursor: (cursor: Cursor | null) => void;

  constructor(ask: TimelineAsk, onCursor: (cursor: Cursor | null) => void) {
    this.ask = ask;
    this.onCursor = onCursor;
    this.told = ask.window;
    this.gesture = { window: this.wanted(), fingers: [], isMoved: false };
  }

  bounds(): Window {
    const { fromMs, toMs } = this.ask.index.recording;
    return { from: fromMs, to: toMs };
  }

  private wanted(): Window {
    const { window } = this.ask;
    return window === null ? this.bounds() : bounded({ from: window[0], to: window[1] }, this.bounds());
  }

  /** What the page asks for has changed. A window that was told by ourselves is no news. */
  take(ask: TimelineAsk): void {
    const isNew = ask.index !== this.ask.index;
    const isElsewhere =
      ask.window !== this.told && (ask.window?.[0] !== this.told?.[0] || ask.window?.[1] !== this.told?.[1]);
    this.ask = ask;
    if (isNew) this.point(null);
    if (isNew || isElsewhere) {
      this.told = ask.window;
      this.gesture = { ...this.gesture, window: this.wanted() };
    }
    this.request();
  }

  scene(): Scene | null {
    const { index, track, frame } = this.ask;
    if (frame === null) return null;
    return layoutTimeline(
      { index, track, ...this.gesture.window, cursorMs: this.cursor?.ms ?? null, cursorRow: this.cursor?.row ?? -1 },
      frame, this.cells,
    );
  }

  /** The canvas comes and goes: it gives way to the table. */
  attach(canvas: HTMLCanvasElement | null): void {
    this.canvas = canvas;
    this.request();
  }

  /** Colours are read anew. */
  repaint(): void {
    this.palette = null;
    this.request();
  }

  request(): void {
    if (this.frameId === 0) this.frameId = requestAnimationFrame(() => this.paint());
  }

  stop(): void {
    cancelAnimationFrame(this.frameId);
    this.frameId = 0;
    // Who leaves at once after a gesture comes back to where it led.
    if (this.rest !== undefined) this.tell();
  }

  private paint(): void {
    this.frameId = 0;
    const { canvas } = this;
    const pen = canvas?.getContext("2d", { alpha: false });
    const scene = this.scene();
    if (!canvas || !pen || scene === null) return;
    this.palette ??= readPalette();
    const scale = Math.min(2, (devicePixelRatio || 1) * this.palette.zoom);
    const [across, down] = [Math.round(scene.width * scale), Math.round(scene.height * scale)];
    if (canvas.width !== across || canvas.height !== down) Object.assign(canvas, { width: across, height: down });
    paintScene(pen, scene, this.palette, scale, this.sheet);
    this.onCursor(this.cursor);
  }

  move(motion: Motion): void {
    const { window } = this.gesture;
    this.gesture = moved(this.gesture, motion, this.bounds());
    if (this.gesture.window === window) return;
    this.request();
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.tell(), REST_MS);
  }

  private tell(): void {
    clearTimeout(this.rest);
    this.rest = undefined;
    const { window: { from, to } } = this.gesture;
    const whole = this.bounds();
    this.told = from <= whole.from && to >= whole.to ? null : [Number(from.toFixed(6)), Number(to.toFixed(6))];
    this.ask.onWindow(this.told);
  }

  point(cursor: Cursor | null): void {
    this.cursor = cursor;
    this.request();
  }

  /** Reads what lies under a place on the canvas. */
  read(share: number, y: number): void {
    const { index, track, frame } = this.ask;
    if (frame === null || share < 0 || share > 1) return this.point(null);
    const { from, to } = this.gesture.window;
    const ms = from + share * (to - from);
    const isOnTrack =
      track !== null
      && frame.track !== null
      && y >= frame.track.top - 5
      && y <= frame.track.top + frame.track.height + 5;
    const state = stateAt(frame, y);
    if (state !== null) {
      const process = statesShown(index, frame, track)[state];
      return this.point({
        ms, row: process === undefined ? -1 : rowOnTrack(trackOf(index, process), ms), isKeyed: false,
      });
    }
    const thread = isOnTrack || y > frame.lanes.y + frame.lanes.height + 4 ? null : threadAt(frame, y);
    return this.point({
      ms, row: isOnTrack ? rowOnTrack(track, ms) : thread === null ? -1 : rowAt(index, thread, ms), isKeyed: false,
    });
  }

  follow(): void {
    const row = this.cursor?.row ?? -1;
    if (row >= 0) this.ask.onFollow(this.ask.index.recording.process[row] as number);
  }

  /** The window goes to where a process runs next, if that is not in it. */
  seek(process: number): void {
    const { from, to } = this.gesture.window;
    const row = alongTrack(trackOf(this.ask.index, process), from, "next");
    const ms = this.ask.index.recording.startMs[row] ?? from;
    if (ms > to) this.move({ type: "show", window: withMoment(this.gesture.window, ms) });
  }

  /** The cursor goes to a stay, and the window with it. */
  private goTo(row: number): void {
    if (row < 0) return;
    const ms = this.ask.index.recording.startMs[row] as number;
    this.point({ row, ms, isKeyed: true });
    this.move({ type: "show", window: withMoment(this.gesture.window, ms) });
  }

  private sideways(by: number): number {
    const { index } = this.ask;
    const { window: { from, to } } = this.gesture;
    const ms = this.cursor?.ms ?? (from + to) / 2;
    const row = this.cursor?.row ?? -1;
    const here = row < 0 ? (by > 0 ? -1 : index.recording.threads) : (index.recording.thread[row] as number);
    for (let thread = here + by; thread >= 0 && thread < index.recording.threads; thread += by) {
      const found = nearestRow(index, thread, ms);
      if (found >= 0) return found;
    }
    return row;
  }

  private centreShare(): number {
    const { from, to } = this.gesture.window;
    const share = ((this.cursor?.ms ?? (from + to) / 2) - from) / (to - from);
    return share >= 0 && share <= 1 ? share : 0.5;
  }

  /** Whether the key meant something. */
  key(key: string): boolean {
    const { index, track, onFollow } = this.ask;
    const lane =
      this.cursor !== null && this.cursor.row >= 0 && (index.place[this.cursor.row] as number) >= 0
        ? this.cursor.row
        : -1;
    const along = { ArrowRight: "next", ArrowLeft: "previous", Home: "first", End: "last" } as const;
    if (key in along) this.goTo(lane < 0 ? this.sideways(1) : alongLane(index, lane, along[key as keyof typeof along]));
    else if (key === "ArrowDown" || key === "ArrowUp") this.goTo(this.sideways(key === "ArrowDown" ? 1 : -1));
    else if (key === "+" || key === "=") this.zoom(0.5);
    else if (key === "-") this.zoom(2);
    else if (key === "0") this.move({ type: "show", window: this.bounds() });
    else if (key === "PageUp" || key === "PageDown") this.move({ type: "pan", share: key === "PageUp" ? -0.8 : 0.8 });
    else if (key === "[" || key === "]")
      this.goTo(
        track === null
          ? -1
          : alongTrack(track, this.cursor?.ms ?? this.gesture.window.from, key === "]" ? "next" : "previous"),
      );
    else if (key === "Enter") this.follow();
    else if (key === "Escape" && track !== null) onFollow(null);
    else if (key === "Escape" && this.cursor !== null) this.point(null);
    else return false;
    return true;
  }

  zoom(factor: number): void {
    this.move({ type: "zoom", factor, share: this.centreShare() });
  }
}
