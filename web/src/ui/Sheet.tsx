import { useRef, type PointerEvent, type ReactNode } from "react";

export interface SheetProps {
  readonly label: string;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly children: ReactNode;
}

/** A sheet from below that leaves the page behind it usable. Pull the bar, or press it. */
export function Sheet({ label, isOpen, onOpenChange, children }: SheetProps) {
  const from = useRef<number | null>(null);
  /** The click that ends a pull is none. */
  const wasPulled = useRef(false);
  const onPointerMove = (event: PointerEvent) => {
    if (from.current === null) return;
    const up = from.current - event.clientY;
    if (Math.abs(up) < 24) return;
    from.current = null;
    wasPulled.current = true;
    onOpenChange(up > 0);
  };
  return (
    <section className="sheet" aria-label={label} data-open={isOpen || undefined}>
      <button
        type="button" className="grab" aria-expanded={isOpen}
        aria-label={isOpen ? "Show fewer knobs" : "Show all knobs"}
        onPointerDown={(event) => {
          from.current = event.clientY;
          wasPulled.current = false;
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={onPointerMove}
        onClick={() => {
          from.current = null;
          if (!wasPulled.current) onOpenChange(!isOpen);
          wasPulled.current = false;
        }}
      />
      {children}
    </section>
  );
}
