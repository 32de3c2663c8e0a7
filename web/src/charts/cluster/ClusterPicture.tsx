/** Hosts as boxes with the load of LMS and log writer, links as wide as their traffic; figures where the pointer is. */
import { memo } from "react";
import type { ClusterModel } from "../../analysis/types";
import { formatFixed, formatMs, formatShort, unitOf } from "../../units";
import { blocksOf, layoutCluster, type Box, type Line } from "./layout";

export interface ClusterPictureProps {
  readonly model: ClusterModel;
  readonly width: number;
}

/** All of a host in words. */
function nodeWords({ node: { node, cpus, busy, lms, lgwr, perS, goneS } }: Box): string {
  const cpu = (value: number): string => formatFixed(value, value < 10 ? 2 : 1);
  const left = goneS === null ? "" : `; left the cluster at ${formatShort(goneS)} s`;
  return `node ${node}: ${formatShort(perS)} transactions a second; of ${cpus} ${unitOf(String(cpus), "CPUs")} `
    + `${cpu(busy)} busy, LMS ${cpu(lms)}, log writer ${cpu(lgwr)}${left}`;
}

function linkWords({ link: { one, other, there, thereMs, back, backMs } }: Line): string {
  const way = (from: number, to: number, perS: number, ms: number): string =>
    `${from} → ${to}: ${formatShort(perS)} blocks/s${perS > 0 ? `, ${formatMs(ms)} each` : ""}`;
  return `${way(one, other, there, thereMs)}; ${way(other, one, back, backMs)}`;
}

export const ClusterPicture = memo(function ClusterPicture({ model, width }: ClusterPictureProps) {
  const { height, boxes, lines } = layoutCluster(model, width);
  const words = [...boxes.map(nodeWords), ...lines.map(linkWords)].join(". ");
  return (
    <svg
      className="cluster-picture" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words}
      style={{ maxWidth: width }}
    >
      {lines.map((line) => (
        <g key={`${line.link.one} ${line.link.other}`} className="link">
          <title>{linkWords(line)}</title>
          <path d={`M${line.from.join(" ")}L${line.to.join(" ")}`} strokeWidth={line.width + 1.5} className="rim" />
          <path d={`M${line.from.join(" ")}L${line.to.join(" ")}`} strokeWidth={line.width} />
        </g>
      ))}
      {lines.map(({ link, label }) =>
        label === null ? null : (
          <text key={`${link.one} ${link.other}`} className="figure" x={label[0]} y={label[1] + 4}>
            {formatShort(blocksOf(link))}/s
          </text>
        ),
      )}
      {boxes.map((box) => (
        <Host key={box.node.instance} box={box} />
      ))}
    </svg>
  );
});

function Host({ box }: { readonly box: Box }) {
  const { node, x, y, width, height, bars, barWidth } = box;
  const isSmall = height < 60;
  const barY = height - 20;
  return (
    <g transform={`translate(${x} ${y})`} data-gone={node.goneS === null ? undefined : true}>
      <title>{nodeWords(box)}</title>
      <rect className="host" width={width} height={height} />
      <text x={8} y={isSmall ? 17 : 19} className="name">
        node {node.node}
      </text>
      {isSmall ? null : (
        <text x={8} y={37} className="mute">
          {node.goneS === null ? `${formatShort(node.perS)} tx/s` : `left at ${formatShort(node.goneS)} s`}
        </text>
      )}
      <rect className="all" x={8} y={barY} width={barWidth} height={12} />
      {bars.map((bar) => (
        <rect key={bar.kind} data-kind={bar.kind} x={8 + bar.from} y={barY} width={bar.width} height={12} />
      ))}
    </g>
  );
}
