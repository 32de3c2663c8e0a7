import { memo } from "react";
import type { BlockTimeModel, PairTime } from "../../analysis/types";
import { ClusterPicture } from "../../charts/cluster/ClusterPicture";
import type { TextsState } from "../../store";
import { Sourced } from "../../ui/Sourced";
import { formatFixed, formatMs, formatMsInterval, formatShort, NONE } from "../../units";
import { CacheTables } from "./CacheTables";

type Texts = Extract<TextsState, { kind: "here" }>["texts"];

export interface BlockTimeProps {
  readonly model: BlockTimeModel;
  readonly side: "A" | "B";
  readonly texts: Texts | null;
  readonly isNarrow: boolean;
}

/** Where the time of a request goes, and the global cache as AWR prints it; what was published beneath, in grey. */
export const BlockTime = memo(function BlockTime({ model, side, texts, isNarrow }: BlockTimeProps) {
  const title = `Where a block's time goes in ${side}`;
  return (
    <section className="blocks" aria-label={title}>
      <h2>{title}</h2>
      <ClusterPicture model={model.cluster} width={isNarrow ? 350 : 640} />
      <ClusterKey />
      <Evictions lines={model.evictions} />
      <Legend pairs={model.pairs} />
      <Pairs pairs={model.pairs} />
      {model.left === 0 ? null : <p className="mute">{model.left} more such rows, for which sessions wait less.</p>}
      {model.instances.length === 0 ? null : (
        <>
          <Characteristics model={model} texts={texts} />
          <CacheTables model={model} />
        </>
      )}
    </section>
  );
});

/** What the colours of the picture are. */
function ClusterKey() {
  return (
    <p className="parts">
      <span>
        <i data-kind="lms" /> LMS
      </span>
      <span>
        <i data-kind="lgwr" /> log writer
      </span>
      <span>
        <i data-kind="rest" /> other CPU; the frame is all CPUs of the node
      </span>
      <span>links: blocks a second, both ways</span>
    </p>
  );
}

/** What happened to the cluster, in the order of starts and moments. */
function Evictions({ lines }: { readonly lines: readonly string[] }) {
  return lines.length === 0 ? null : (
    <ul className="left" aria-label="Who left the cluster">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** A part of so little is not told. */
const LEAST = 0.02;

function Legend({ pairs }: { readonly pairs: readonly PairTime[] }) {
  const named = pairs.flatMap(({ parts }) => parts.filter(({ share }) => share >= LEAST).map(({ part }) => part));
  const parts = pairs[0]?.parts.filter(({ part }) => named.includes(part)) ?? [];
  return (
    <p className="parts">
      {parts.map(({ part }) => (
        <span key={part}>
          <i data-part={part} /> {part}
        </span>
      ))}
    </p>
  );
}

/** The largest part in words, for those who cannot see the bar. */
function wordsOf({ parts }: PairTime): string {
  const shown = parts.filter(({ share }) => share >= LEAST);
  return shown.map(({ part, ms }) => `${part} ${formatMs(ms)}`).join(", ");
}

function Pairs({ pairs }: { readonly pairs: readonly PairTime[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Asked by, served by</th>
          <th scope="col">a second</th>
          <th scope="col">mean ±95 %</th>
          <th scope="col">share of the time</th>
        </tr>
      </thead>
      <tbody>
        {pairs.map((pair) => (
          <tr key={`${pair.from} ${pair.server} ${pair.reply}`}>
            <th scope="row">
              {pair.reply}, {pair.from} ← {pair.server}
            </th>
            <td>{formatShort(pair.perS)}</td>
            <td>
              {formatMs(pair.meanMs)} <small>{formatMsInterval(pair.meanMs, pair.ci95)}</small>
            </td>
            <td>
              <span className="part-bar" role="img" aria-label={wordsOf(pair)} title={wordsOf(pair)}>
                {pair.parts.map(({ part, share }) => (
                  <i key={part} data-part={part} style={{ flexGrow: share }} />
                ))}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const shown = (value: number | null | undefined): string =>
  value === null || value === undefined ? NONE : formatFixed(value, value < 10 ? 2 : 1);

function Characteristics({ model, texts }: Pick<BlockTimeProps, "model" | "texts">) {
  const published = (texts?.cache_snapshots ?? []).filter(({ preset }) => preset === model.preset);
  const was = (instance: number, id: string): number | null | undefined =>
    published.find((one) => one.instance === instance)?.figures.find(([figure]) => figure === id)?.[1];
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">
            Global cache and enqueue services, workload characteristics
            {published[0] === undefined ? "" : <>; beneath: <Sourced text={published[0].source} /></>}
          </th>
          {model.instances.map((instance) => (
            <th key={instance} scope="col">
              instance {instance}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {model.rows.map(({ name, id, values }) => (
          <tr key={id}>
            <th scope="row">{name}</th>
            {values.map((value, at) => (
              <td key={model.instances[at]}>
                {shown(value)}
                {published.length === 0 ? null : <small>{shown(was(model.instances[at] ?? 0, id))}</small>}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
