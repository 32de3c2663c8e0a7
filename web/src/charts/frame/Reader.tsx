import { useRef, type KeyboardEvent, type PointerEvent } from "react";

export interface ReaderProps {
  readonly label: string;
  readonly count: number;
  readonly index: number | null;
  readonly readout: string;
  /** The place nearest to a point, given as shares of the width and height. */
  readonly indexAt: (x: number, y: number) => number;
  readonly onIndex: (index: number | null) => void;
  /** A gesture that shares the area: while it is pressed the cursor rests. */
  readonly press?: Press;
}

export interface Press {
  readonly isPressed: boolean;
  readonly pointer: Readonly<
    Record<
      "onPointerDown" | "onPointerMove" | "onPointerUp" | "onPointerCancel",
      (event: PointerEvent<HTMLElement>) => void
    >
  >;
}

/** A cursor over a chart for mouse, touch and keyboard: it says the exact values where it stands. */
export function Reader({ label, count, index, readout, indexAt, onIndex, press }: ReaderProps) {
  const isKeyed = useRef(false);
  const last = Math.max(0, count - 1);
  const read = (event: PointerEvent<HTMLDivElement>) => {
    if (press?.isPressed || (event.pointerType === "touch" && press !== undefined)) return;
    isKeyed.current = false;
    const box = event.currentTarget.getBoundingClientRect();
    onIndex(indexAt((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = index ?? 0;
    const page = Math.max(1, Math.round(count / 10));
    const moves: Record<string, number | null> = {
      ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1, PageUp: at + page, PageDown: at - page,
      Home: 0, End: last, Escape: null,
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    isKeyed.current = true;
    onIndex(move === null ? null : Math.min(last, Math.max(0, index === null ? 0 : move)));
  };
  return (
    <div
      className="reader" role="slider" tabIndex={0} aria-label={`Read: ${label}`} aria-valuemin={0} aria-valuemax={last}
      aria-valuenow={index ?? 0}
      aria-valuetext={index === null ? "arrow keys read the values, T shows them as a table" : readout}
      {...press?.pointer}
      onPointerMove={(event) => {
        press?.pointer.onPointerMove(event);
        read(event);
      }}
      onPointerDown={press?.pointer.onPointerDown ?? read}
      onPointerLeave={() => {
        if (!isKeyed.current) onIndex(null);
      }}
      onKeyDown={onKeyDown} onBlur={() => onIndex(null)}
    />
  );
}
