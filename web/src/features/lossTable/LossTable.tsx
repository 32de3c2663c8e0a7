import { memo } from "react";
import type { LossRow, LossTableModel } from "../../analysis/types";
import { formatHalfWidth, formatMean, formatSigned } from "../../units";

export interface LossTableProps {
  readonly model: LossTableModel;
  readonly isNarrow: boolean;
}

/** Rows of the loss ledger, which sum to the capacity of the threads. */
export const LossTable = memo(function LossTable({ model, isNarrow }: LossTableProps) {
  return (
    <section className="losses" aria-label={model.title}>
      <h2>{model.title}</h2>
      <table>
        {isNarrow ? null : (
          <colgroup>
            <col />
            {[66, 52, 114].map((width, i) => (
              <col key={i} style={{ width }} />
            ))}
          </colgroup>
        )}
        <Head isNarrow={isNarrow} />
        <tbody>
          {model.rows.map((row) => (
            <Row key={row.name} row={row} isNarrow={isNarrow} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Capacity</th>
            {isNarrow ? null : <td className="was gap">{formatMean(model.sumA)}</td>}
            {isNarrow ? null : <td>{formatMean(model.sumB)}</td>}
            <td className="gap">
              <b>{formatSigned(model.sumB - model.sumA, 2)}</b>
              <span className="plus-minus" />
            </td>
          </tr>
        </tfoot>
      </table>
      <p className="mute">Causes leave out idle time that other idle time makes up for.</p>
    </section>
  );
});

function Head({ isNarrow }: { readonly isNarrow: boolean }) {
  return (
    <thead className={isNarrow ? "unseen" : ""}>
      <tr>
        <th scope="col">Where the threads’ time goes, in CPUs alone on their cores</th>
        {isNarrow ? null : (
          <>
            <th scope="col" className="gap">
              A
            </th>
            <th scope="col" className="accent">
              B
            </th>
          </>
        )}
        <th scope="col" className="gap">
          B − A ±95 %
        </th>
      </tr>
    </thead>
  );
}

function Row({ row, isNarrow }: { readonly row: LossRow; readonly isNarrow: boolean }) {
  return (
    <tr data-doubtful={!row.isSignificant || undefined}>
      <th scope="row">
        {row.name}
        {isNarrow ? <small>{`${formatMean(row.a)} → ${formatMean(row.b)} CPUs`}</small> : null}
      </th>
      {isNarrow ? null : <td className="was gap">{formatMean(row.a)}</td>}
      {isNarrow ? null : <td>{formatMean(row.b)}</td>}
      <td className="gap">
        <b>{formatSigned(row.difference, 2)}</b>
        <span className="plus-minus">{formatHalfWidth(row.ci95, 2)}</span>
      </td>
    </tr>
  );
}
