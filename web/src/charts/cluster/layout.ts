/** Where hosts and links of a cluster are drawn: two side by side, three in a triangle, more on an ellipse. */
import type { ClusterLink, ClusterModel, ClusterNode } from "../../analysis/types";

export interface Box {
  readonly node: ClusterNode;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Widths of what LMS, log writer and everybody else use of the CPUs. */
  readonly bars: readonly { readonly kind: "lms" | "lgwr" | "rest"; readonly from: number; readonly width: number }[];
  readonly barWidth: number;
}

export interface Line {
  readonly link: ClusterLink;
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly width: number;
  /** Where its figure stands; none where there are too many. */
  readonly label: readonly [number, number] | null;
}

export interface ClusterLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
}

const WIDEST = 26;
/** From so many hosts on boxes are small, and links have no figures. */
const MANY = 5;
const PAD = 8;

type Size = readonly [width: number, height: number];

function sizeOf(count: number, isNarrow: boolean): Size {
  if (count < MANY) return isNarrow ? [108, 66] : [148, 68];
  if (!isNarrow) return count > 12 ? [78, 44] : [96, 44];
  return count > 8 ? [52, 40] : [66, 40];
}

function centres(count: number, [width, height]: Size, [boxWidth, boxHeight]: Size): readonly (readonly number[])[] {
  const [left, right, top, bottom] = [boxWidth / 2 + 1, width - boxWidth / 2 - 1, boxHeight / 2 + 1,
    height - boxHeight / 2 - 1];
  const middle = width / 2;
  if (count === 2) return [[left, height / 2], [right, height / 2]];
  if (count === 3) return [[left, bottom], [right, bottom], [middle, top]];
  return Array.from({ length: count }, (_, at) => {
    const angle = (2 * Math.PI * (at + (count === 4 ? 0.5 : 0))) / count - Math.PI / 2;
    const [across, down] = [(right - left) / 2, (bottom - top) / 2];
    const reach = count === 4 ? Math.SQRT2 : 1;
    return [middle + reach * across * Math.cos(angle), height / 2 + reach * down * Math.sin(angle)];
  });
}

function boxOf(node: ClusterNode, [x = 0, y = 0]: readonly number[], [width, height]: Size): Box {
  const barWidth = width - 2 * PAD;
  const scale = barWidth / Math.max(node.cpus, 1e-9);
  const [lms, lgwr] = [node.lms * scale, node.lgwr * scale];
  const rest = Math.max(0, Math.min(barWidth, node.busy * scale) - lms - lgwr);
  return {
    node, width, height, barWidth, x: x - width / 2, y: y - height / 2,
    bars: [
      { kind: "lms", from: 0, width: lms }, { kind: "lgwr", from: lms, width: lgwr },
      { kind: "rest", from: lms + lgwr, width: rest },
    ],
  };
}

export const blocksOf = ({ there, back }: ClusterLink): number => there + back;

/** As wide as their traffic, the widest the same in every picture. */
export function layoutCluster({ nodes, links }: ClusterModel, width: number): ClusterLayout {
  const isNarrow = width < 480;
  const count = nodes.length;
  const size = sizeOf(count, isNarrow);
  const height = count === 2 ? size[1] + 2 : count < MANY ? 210 : count <= 8 ? 280 : isNarrow ? 460 : 380;
  const at = centres(count, [width, height], size);
  const boxes = nodes.map((node, i) => boxOf(node, at[i] ?? [], size));
  const most = Math.max(1e-9, ...links.map(blocksOf));
  const indexOf = (instance: number): number => nodes.findIndex((node) => node.instance === instance);
  const place = (instance: number): readonly [number, number] => {
    const [x = 0, y = 0] = at[indexOf(instance)] ?? [];
    return [x, y];
  };
  const lines = links.filter((link) => blocksOf(link) > 0).map((link): Line => {
    const [from, to] = [place(link.one), place(link.other)];
    // The diagonals of four hosts cross in the middle: their figures stand before it.
    const part = count === 4 && Math.abs(indexOf(link.one) - indexOf(link.other)) === 2 ? 1 / 3 : 1 / 2;
    const middle = [from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])] as const;
    const widthOf = Math.max(1, (WIDEST * blocksOf(link)) / most);
    return { link, from, to, width: widthOf, label: count < MANY ? middle : null };
  });
  return { width, height, boxes, lines: lines.toSorted((one, other) => other.width - one.width) };
}
