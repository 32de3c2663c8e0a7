/** A stretch of line that says which side is meant: dashed for A, solid for B. */
export function LineSample({ side }: { readonly side: "A" | "B" }) {
  return (
    <svg className="sample" width={20} height={8} aria-hidden="true" focusable="false">
      <path d="M0 4H20" className={side === "A" ? "ghost" : "b"} />
    </svg>
  );
}
