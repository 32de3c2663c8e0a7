/**
 * What is drawn, before anybody draws it: many boxes, a few lines and words. Canvas and SVG are painted from the same
 * scene.
 */
import { CLASSES } from "../../analysis/read/classes";
import type { WaitClass } from "../../analysis/types";

/** Boxes in columns, filled anew for every frame without leaving anything behind. */
export interface Cells {
  count: number;
  x: Float32Array;
  y: Float32Array;
  width: Float32Array;
  height: Float32Array;
  tone: Uint8Array;
}

export function noCells(room = 4096): Cells {
  const numbers = () => new Float32Array(room);
  return { count: 0, x: numbers(), y: numbers(), width: numbers(), height: numbers(), tone: new Uint8Array(room) };
}

function grow(cells: Cells): void {
  const { x, y, width, height, tone } = cells;
  Object.assign(cells, noCells(2 * x.length), { count: cells.count });
  cells.x.set(x);
  cells.y.set(y);
  cells.width.set(width);
  cells.height.set(height);
  cells.tone.set(tone);
}

export function addCell(cells: Cells, x: number, y: number, width: number, height: number, tone: number): void {
  if (cells.count === cells.x.length) grow(cells);
  const i = cells.count++;
  cells.x[i] = x;
  cells.y[i] = y;
  cells.width[i] = width;
  cells.height[i] = height;
  cells.tone[i] = tone;
}

export interface Label {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly tone: number;
  readonly anchor?: "start" | "middle" | "end";
  readonly isBold?: boolean;
}

export interface Line {
  readonly d: string;
  readonly tone: number;
}

export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly cells: Cells;
  readonly lines: Line[];
  readonly labels: Label[];
}

/** Colours by number: those of the page, eight of each process kind, the wait classes, and what is written on kinds. */
export const TONE = { paper: 0, ink: 1, mute: 2, hair: 3, accent: 4, onAccent: 5, edge: 6, veil: 7 } as const;
const KIND_TONES = 8;
/** Of each of them, what is written on a single stay. */
const SINGLES = 4;
/**
 * Kinds of processes, each with its colour: that of the class that waits for it. Who only burdens a host has none, and
 * the service, which no class waits for, is ink.
 */
export const KIND_COLOURS: ReadonlyMap<string, string> = new Map([
  ["session", "--cpu"], ["background", "--mute"], ["service", "--ink"], ["client", "--mute"], ["slave", "--user-io"],
  ["lgwr", "--commit"], ["dbwr", "--system-io"], ["ckpt", "--configuration"], ["lms", "--cluster"],
  ["lmd", "--application"], ["lck0", "--concurrency"], ["heartbeat", "--scheduler"],
  ["background2", "--mute"], ["background3", "--mute"],
]);
const PLACES = new Map([...KIND_COLOURS.keys()].map((kind, i) => [kind, i]));
const FIRST_CLASS = KIND_TONES * (KIND_COLOURS.size + 2);
const FIRST_ON_KIND = FIRST_CLASS + 2 * CLASSES.length;
export const TONES = FIRST_ON_KIND + SINGLES * (KIND_COLOURS.size + 1);

const placeOf = (kind: string): number => PLACES.get(kind) ?? KIND_COLOURS.size;

/** 0 to 3: single stays, so that neighbours differ; 4 to 7: many of them in one column, the more the darker. */
export const kindTone = (kind: string, shade: number): number => KIND_TONES * (1 + placeOf(kind)) + shade;

/** What is written on a single stay. */
export const onKind = (kind: string, shade: number): number => FIRST_ON_KIND + SINGLES * placeOf(kind) + shade;

/** The fill of a wait class, and what is written on it. */
export function classTone(name: string): number {
  const known = CLASSES.indexOf(name as WaitClass);
  return FIRST_CLASS + (known < 0 ? CLASSES.indexOf("Other") : known);
}

export function onClass(name: string): number {
  return classTone(name) + CLASSES.length;
}
