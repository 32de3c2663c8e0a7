import type { AccountingModel } from "../../analysis/types";

/** CPU counted in every way, and the CPU wait that follows from each. */
export function Accounting({ model }: { readonly model: AccountingModel }) {
  const hasA = model.rows.some(({ a }) => a !== null);
  return (
    <details className="accounting" open={model.isOpen}>
      <summary><h2>{model.title}</h2></summary>
      <table>
        <thead className="unseen">
          <tr><th scope="col">Counted as</th>{hasA ? <th scope="col">A</th> : null}<th scope="col">B</th></tr>
        </thead>
        <tbody>
          {model.rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">{row.name}</th>
              {hasA ? <td className="mute">{row.a}</td> : null}
              <td><b>{row.b}</b></td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
