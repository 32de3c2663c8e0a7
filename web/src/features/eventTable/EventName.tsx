import type { EventRow } from "../../analysis/types";

/** The square of its class and its name, which breaks before a bracket if it must. */
export function EventName({ row }: { readonly row: EventRow }) {
  const [name, ...brackets] = row.event.split(/(?=\()/);
  return (
    <>
      <i className="swatch" data-class={row.class} />
      <span className={row.isDatabaseEvent ? "mono" : ""}>
        {name}
        {brackets.map((text) => <span key={text} className="bracket">{text}</span>)}
      </span>
    </>
  );
}
