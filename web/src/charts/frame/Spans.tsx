import type { Span } from "../../analysis/types";

/** A sentence whose numbers and names keep their faces. */
export function Spans({ spans }: { readonly spans: readonly Span[] }) {
  return (
    <>
      {spans.map((span, i) => {
        if (span.face === "mono") return <code key={i}>{span.text}</code>;
        if (span.face === "strong") return <b key={i}>{span.text}</b>;
        if (span.face === "strong-b") return <b key={i} className="accent">{span.text}</b>;
        return <span key={i}>{span.text}</span>;
      })}
    </>
  );
}
