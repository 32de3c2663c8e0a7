import { useContext } from "react";
import type { Span } from "../../analysis/types";
import { Term } from "../../ui/Term";
import { TermsContext } from "./TermsContext";
import { firstTerms } from "./firstTerms";

/** A sentence whose numbers and names keep their faces; terms are explained where they first stand in it. */
export function Spans({ spans }: { readonly spans: readonly Span[] }) {
  const terms = useContext(TermsContext);
  const seen = new Set<string>();
  return (
    <>
      {spans.map((span, i) => {
        if (span.face === "mono") return <code key={i}>{span.text}</code>;
        if (span.face === "strong") return <b key={i}>{span.text}</b>;
        if (span.face === "strong-b") return <b key={i} className="accent">{span.text}</b>;
        const parts = firstTerms(span.text, terms, seen).map(({ text, term, after }, at) =>
          term === null ? text : (
            <span key={at} className="one-line">
              <Term text={text} words={term.words} />
              {after}
            </span>
          ),
        );
        return <span key={i}>{parts}</span>;
      })}
    </>
  );
}
