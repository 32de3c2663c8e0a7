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
  const onPointerMove = (event: PointerEvent) => {
    if (from.current === null) return;
    const up = from.current - event.clientY;
    if (Math.abs(up) < 24) return;
    from.current = null;
    onOpenChange(up > 0);
  };
  return (
    <section className="sheet" aria-label={label} data-open={isOpen || undefined}>
      <button
        type="button" className="grab" aria-expanded={isOpen}
        aria-label={isOpen ? "Show fewer knobs" : "Show all knobs"}
        onPointerDown={(event) => {
          from.current = event.clientY;
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={onPointerMove}
        onClick={() => {
          if (from.current !== null || !matchMedia("(pointer: coarse)").matches) onOpenChange(!isOpen);
          from.current = null;
        }}
      />
      {children}
    </section>
  );
}
