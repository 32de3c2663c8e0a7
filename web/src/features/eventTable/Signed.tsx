import { formatHalfWidth, formatSigned } from "../../units";

/** A difference in a table, and its interval where it has one. */
export function Signed({ difference, ci95 }: { readonly difference: number; readonly ci95: number | null }) {
  return (
    <>
      <b>{formatSigned(difference, 2)}</b>
      <span className="plus-minus">{formatHalfWidth(ci95, 2)}</span>
    </>
  );
}
