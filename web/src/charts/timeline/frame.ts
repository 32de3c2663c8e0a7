/** Where everything stands: overview, lanes, the followed process, axis, run queues, delays, histogram. */
import type { HostLanes } from "../../analysis/read/recording";
import { textWidth } from "../frame/text";
import type { LaneRow } from "./laneCells";
import type { Box } from "./plots";

export interface FrameAsk {
  readonly width: number;
  /** Room for all, px; lanes get what is left and take more if they must. */
  readonly room: number;
  readonly hosts: readonly HostLanes[];
  readonly isFollowing: boolean;
  readonly isNarrow: boolean;
  /** Somebody stands in a run queue or before a cage at some time. */
  readonly hasQueue: boolean;
  /** Somebody waited before a dispatch at some time. */
  readonly hasDelays: boolean;
  /** So many processes did anything. */
  readonly processes: number;
  /** Kinds that ran, by name. */
  readonly kinds: readonly string[];
  /** So many left their cluster. */
  readonly left: number;
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly overview: Box;
  readonly rows: readonly LaneRow[];
  readonly lanes: Box;
  /** Names of hosts over their lanes, at these baselines; none where there is but one host. */
  readonly names: readonly { readonly text: string; readonly y: number }[];
  /** Where each kind is named with its colour, over the lanes. */
  readonly legend: readonly Place[];
  /** Baselines of the names of whoever left. */
  readonly leftY: readonly number[];
  readonly track: LaneRow | null;
  readonly axisY: number;
  readonly depth: Box;
  /** A row for each process, or for as many as there is room for; none where there is no room. */
  readonly states: readonly LaneRow[];
  /** Without height where nobody waited before a dispatch, and so is its histogram. */
  readonly delay: Box;
  readonly histogram: Box;
}

/** What stands beside the lanes: exact values, the histogram under them. */
export const ASIDE = 264;
const GAP = 28;
const OVERVIEW = 26;
const TRACK = 26;
const LOWEST = 3;
const HIGHEST = 26;
/** So high run queues and delays grow where the lanes leave room. */
const ROOMY = { depth: 160, delay: 220 };
/** Rows of processes: so many at most, px each, the gap with it; fewer than so many say nothing. */
const STATES = { most: 48, fewest: 4, lowest: 4, highest: 12, heading: 34 };

/** A row each from `top`, as high as there is room for. */
export function stateRows(processes: number, top: number, room: number): readonly LaneRow[] {
  const count = Math.min(processes, STATES.most, Math.floor((room - STATES.heading) / STATES.lowest));
  if (count < Math.min(processes, STATES.fewest)) return [];
  const each = Math.min(STATES.highest, Math.floor(((room - STATES.heading) / count) * 2) / 2);
  return Array.from({ length: Math.max(0, count) }, (_, i) => ({
    top: top + STATES.heading + i * each, height: each - 1,
  }));
}

/** Room for a host's name over its lanes, and between two hosts. */
const NAME = 18;
const APART = 6;

/** What stands over each lane: nothing, the gap to another core or socket, or the name of a host. */
function gapsOf(hosts: readonly HostLanes[], isTight: boolean): readonly number[] {
  const [within, between, sockets] = isTight ? [0, 1, 6] : [1, 4, 12];
  return hosts.flatMap(({ threads, perCore, perSocket }, nth) =>
    Array.from({ length: threads }, (_, i) =>
      i === 0
        ? hosts.length < 2 ? 0 : NAME + (nth === 0 ? 0 : APART)
        : i % perSocket === 0 ? sockets : i % perCore === 0 ? between : within,
    ),
  );
}

/** Threads of a core close together, cores apart, sockets further, hosts under their names. */
export function laneRows(hosts: readonly HostLanes[], top: number, room: number): readonly LaneRow[] {
  const threads = hosts.reduce((sum, host) => sum + host.threads, 0);
  const gaps = gapsOf(hosts, room / threads < 8);
  const taken = gaps.reduce((sum, one) => sum + one, 0);
  const height = Math.floor(Math.min(HIGHEST, Math.max(LOWEST, (room - taken) / Math.max(1, threads))) * 2) / 2;
  let y = top;
  return gaps.map((gap) => {
    y += gap;
    const row = { top: y, height };
    y += height;
    return row;
  });
}

function namesOf(hosts: readonly HostLanes[], rows: readonly LaneRow[]): Frame["names"] {
  if (hosts.length < 2) return [];
  return hosts.flatMap(({ name, first }) => {
    const row = rows[first];
    return name === null || row === undefined ? [] : [{ text: name, y: row.top - 5 }];
  });
}

const LINE = 17;
const SQUARE = 14;
/** The longest number beside a kind. */
const NUMBER = "0.0001";

/** Kinds one after another, in as many lines as they take; the first stands after the heading. */
export function legendPlaces(
  kinds: readonly string[], heading: string, [left, right]: readonly [number, number], y: number,
): readonly Place[] {
  const start = textWidth(heading, "bold") * 1.06 + 10;
  let at = { x: left + start, y };
  return kinds.map((kind) => {
    const taken = SQUARE + textWidth(`${kind} ${NUMBER}`) * 1.06;
    if (at.x + taken > right && at.x > left) at = { x: left, y: at.y + LINE };
    const place = at;
    at = { ...at, x: at.x + taken + SQUARE };
    return place;
  });
}

/** What stands over the names of kinds. */
export const legendHeading = (isNarrow: boolean): string => (isNarrow ? "Threads" : "Threads at work for");

/** One kind needs no colours told. */
const FEWEST_KINDS = 2;

/** Where lanes begin: below the overview, the legend and the names of whoever left. */
function headOf(
  { hosts, kinds, isNarrow, left }: FrameAsk, right: number,
): Pick<Frame, "left" | "legend" | "leftY"> & { readonly top: number } {
  const widest = hosts.map(({ threads, perCore }) => textWidth(`${threads - perCore}–${threads - 1}`));
  const inset = Math.max(54, 14 + Math.max(...widest) * 1.1);
  const legend =
    kinds.length < FEWEST_KINDS
      ? []
      : legendPlaces(kinds, legendHeading(isNarrow), [inset, right], OVERVIEW + 10 + 12);
  const legendBottom = legend.length === 0 ? OVERVIEW + 10 : (legend.at(-1)?.y ?? 0) + 10;
  const leftY = Array.from({ length: left }, (_, i) => legendBottom + 11 + i * LINE);
  return { left: inset, legend, leftY, top: legendBottom + left * LINE + (left > 0 ? 2 : 0) };
}

/** Height of run queues, processes and delays below the axis, of what the lanes leave. */
function heightsOf(
  { isNarrow, hasQueue, hasDelays, processes }: FrameAsk, spare: number,
): { readonly depth: number; readonly states: number; readonly delay: number } {
  const [depth, delay] = [hasQueue ? (isNarrow ? 64 : 72) : 0, hasDelays ? (isNarrow ? 96 : 104) : 0];
  if (isNarrow) return { depth, delay, states: STATES.heading + Math.min(processes, 24) * 6 };
  const wanted = STATES.heading + Math.min(processes, STATES.most) * STATES.highest;
  const states = Math.min(wanted, spare * (hasDelays ? 0.6 : 0.85));
  const rest = Math.max(0, spare - states);
  return {
    states, depth: hasQueue ? Math.min(ROOMY.depth, depth + rest * 0.4) : 0,
    delay: hasDelays ? Math.min(ROOMY.delay, delay + rest * 0.6) : 0,
  };
}

const QUEUE_HEAD = 28;
const DELAY_HEAD = 30;

export function frameOf(ask: FrameAsk): Frame {
  const { width, room, hosts, isFollowing, isNarrow, hasQueue, hasDelays } = ask;
  const right = isNarrow ? width : width - ASIDE - GAP;
  const { top, left, legend, leftY } = headOf(ask, right);
  const across = { x: left, width: Math.max(1, right - left) };
  const least = heightsOf(ask, 0);
  const rest = (isFollowing ? TRACK + 10 : 0) + 24 + QUEUE_HEAD + least.depth + DELAY_HEAD + least.delay
    + (isNarrow ? least.states + 110 : 0);
  const fixed = top + rest;
  const rows = laneRows(hosts, top, Math.max(60, room - fixed));
  const last = rows.at(-1);
  const lanesBottom = last === undefined ? top : last.top + last.height;
  const heights = heightsOf(ask, Math.max(0, room - fixed - (lanesBottom - top) - 24));
  const track = isFollowing ? { top: lanesBottom + 10, height: TRACK } : null;
  const axisY = (track === null ? lanesBottom : track.top + track.height) + 6;
  const depth = { ...across, y: axisY + 46, height: heights.depth };
  const depthBottom = hasQueue ? depth.y + depth.height : depth.y - 6;
  const states = stateRows(ask.processes, depthBottom, heights.states);
  const statesBottom = states.length === 0 ? depthBottom : (states.at(-1)?.top ?? 0) + (states.at(-1)?.height ?? 0);
  const delay = { ...across, y: statesBottom + DELAY_HEAD + (states.length > 0 ? 4 : 0), height: heights.delay };
  const tall = hasDelays ? heights.delay : 0;
  const below = delay.y + tall + 44;
  const histogram = isNarrow
    ? { ...across, y: below, height: hasDelays ? 84 : 0 }
    : { x: right + GAP, width: ASIDE, y: delay.y, height: tall };
  const bottom = !hasDelays ? delay.y : isNarrow ? histogram.y + histogram.height + 18 : delay.y + tall + 18;
  return {
    width, left, right, rows, legend, leftY, track, axisY, depth, states, delay, histogram,
    overview: { ...across, y: 0, height: OVERVIEW }, lanes: { ...across, y: top, height: lanesBottom - top },
    names: namesOf(hosts, rows), height: Math.ceil(bottom + 8),
  };
}

/** The thread at a height; null between lanes that are further apart than a finger is sure. */
export function threadAt({ rows }: Frame, y: number): number | null {
  const thread = rows.findIndex(({ top, height }) => y < top + height + 1);
  const row = rows[thread];
  return row === undefined || y < row.top - 4 ? null : thread;
}

/** The row of the processes at a height; null where there is none. */
export function stateAt({ states }: Frame, y: number): number | null {
  const nth = states.findIndex(({ top, height }) => y >= top && y < top + height + 1);
  return nth < 0 ? null : nth;
}
