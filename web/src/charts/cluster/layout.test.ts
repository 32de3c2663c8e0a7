/** Hosts and links, from numbers written by hand. */
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { ClusterModel } from "../../analysis/types";
import { ClusterPicture } from "./ClusterPicture";
import { layoutCluster } from "./layout";

const cluster = (count: number, blocks: (one: number, other: number) => number): ClusterModel => {
  const all = Array.from({ length: count }, (_, at) => at + 1);
  return {
    nodes: all.map((node) => ({ instance: node, node, cpus: 8, busy: 6, lms: 1, lgwr: 0.5, perS: 10, goneS: null })),
    links: all.flatMap((one) => all.filter((other) => other > one).map((other) => ({
      one, other, there: blocks(one, other), thereMs: 1, back: 0, backMs: 0,
    }))),
  };
};

it("draws links as wide as their traffic, and none where nothing goes", () => {
  const { lines } = layoutCluster(cluster(3, (one, other) => [0, 0, 0, 400, 100, 0][one + other] ?? 0), 640);
  expect(lines.map(({ link, width }) => [link.one, link.other, width])).toEqual([[1, 2, 26], [1, 3, 6.5]]);
});

it("has bars of LMS, log writer and the rest within all CPUs", () => {
  const [box] = layoutCluster(cluster(2, () => 1), 640).boxes;
  const one = box!.barWidth / 8;
  expect(box!.bars.map(({ width }) => width / one)).toEqual([1, 0.5, 4.5]);
});

it("keeps every box inside, and none on another", () => {
  for (const width of [340, 640]) {
    for (let count = 2; count <= 16; count++) {
      const { boxes, height } = layoutCluster(cluster(count, () => 1), width);
      for (const [at, box] of boxes.entries()) {
        expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height).toBe(true);
        const hit = boxes.slice(at + 1).find((other) =>
          Math.abs(other.x - box.x) < box.width && Math.abs(other.y - box.y) < box.height);
        expect(hit?.node.node, `${count} at ${width}: ${box.node.node}`).toBeUndefined();
      }
    }
  }
});

it("has no figure of a link on another", () => {
  for (const width of [340, 640])
    for (const count of [2, 3, 4]) {
      const { lines, boxes } = layoutCluster(cluster(count, () => 1000), width);
      const labels = lines.flatMap(({ label }) => (label === null ? [] : [label]));
      expect(labels).toHaveLength((count * (count - 1)) / 2);
      for (const [at, [x, y]] of labels.entries()) {
        const near = labels.slice(at + 1).filter((one) => Math.abs(one[0] - x) < 40 && Math.abs(one[1] - y) < 14);
        expect(near, `${count} at ${width}`).toEqual([]);
        const hidden = boxes.some((box) => x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height);
        expect(hidden, `${count} at ${width}: in a box`).toBe(false);
      }
    }
});

it("has each bar begin where the one before it ends", () => {
  const [box] = layoutCluster(cluster(2, () => 1), 640).boxes;
  const one = box!.barWidth / 8;
  expect(box!.bars.map(({ kind, from }) => [kind, from / one])).toEqual([["lms", 0], ["lgwr", 1], ["rest", 1.5]]);
});

it("says of a link what goes there and what comes back", () => {
  const { nodes, links } = cluster(2, () => 400);
  const model = { nodes, links: links.map((link) => ({ ...link, back: 90, backMs: 2.5 })) };
  const text = renderToStaticMarkup(createElement(ClusterPicture, { model, width: 640 })).replaceAll("\u00a0", " ");
  const [, told] = /<title>(1 →[^<]*)/.exec(text) ?? [];
  expect(told).toBe("1 → 2: 400 blocks/s, 1 ms each; 2 → 1: 90 blocks/s, 2.5 ms each");
});
