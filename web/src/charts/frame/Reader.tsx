import { useRef, type KeyboardEvent, type MouseEvent, type PointerEvent } from "react";

export interface ReaderProps {
  readonly label: string;
  readonly count: number;
  /** Values stand in rows of so many, the first at the bottom; absent: all in one. */
  readonly columns?: number;
  readonly index: number | null;
  readonly readout: string;
  /** The place nearest to a point, given as shares of the width and height. */
  readonly indexAt: (x: number, y: number) => number;
  readonly onIndex: (index: number | null) => void;
  /** A press, or Enter, takes what is read. */
  readonly onChoose?: (index: number) => void;
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
export function Reader({
  label, count, columns = 1, index, readout, indexAt, onIndex, onChoose, press,
}: ReaderProps) {
  const isKeyed = useRef(false);
  const last = Math.max(0, count - 1);
  const under = ({ currentTarget, clientX, clientY }: MouseEvent<HTMLDivElement>): number => {
    const box = currentTarget.getBoundingClientRect();
    return indexAt((clientX - box.left) / box.width, (clientY - box.top) / box.height);
  };
  const read = (event: PointerEvent<HTMLDivElement>) => {
    if (press?.isPressed || (event.pointerType === "touch" && press !== undefined)) return;
    isKeyed.current = false;
    onIndex(under(event));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = index ?? 0;
    const page = Math.max(1, Math.round(count / 10));
    const [up, down] = [at + columns, at - columns].map((to) => (to < 0 || (to > last && columns > 1) ? at : to));
    if (event.key === "Enter" && index !== null) return onChoose?.(index);
    const moves: Record<string, number | null> = {
      ArrowRight: at + 1, ArrowUp: up ?? at, ArrowLeft: at - 1, ArrowDown: down ?? at, PageUp: at + page,
      PageDown: at - page, Home: 0, End: last, Escape: null,
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
      onClick={onChoose && ((event) => onChoose(under(event)))}
      onKeyDown={onKeyDown} onBlur={() => onIndex(null)}
    />
  );
}
