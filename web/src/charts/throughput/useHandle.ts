import { useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { Press } from "../../ui/press";
import { valueForKey, type Range } from "../../ui/scale";

export interface UseHandleOptions {
  readonly x: number;
  readonly range: Range;
  readonly isLocked: boolean;
  /** From a share of the chart's width to the knob's value. */
  readonly valueAt: (share: number) => number;
  readonly onMove: (value: number, phase: "drag" | "commit") => void;
}

/** The gesture of the handle: pointer anywhere on the plot, or keys on the handle itself. */
export function useHandle({ x, range, isLocked, valueAt, onMove }: UseHandleOptions) {
  const [isGrabbed, setGrabbed] = useState(false);
  const press = useRef<Press | null>(null);
  const drag = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.closest(".chart-body")?.getBoundingClientRect();
    if (box === undefined) return;
    press.current?.lead(valueAt((event.clientX - box.left) / box.width), onMove);
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (isLocked || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    press.current = new Press(x);
    setGrabbed(true);
    drag(event);
  };
  const onRelease = () => {
    if (!isGrabbed) return;
    setGrabbed(false);
    press.current?.release(onMove);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isLocked || event.ctrlKey || event.metaKey || event.altKey) return;
    const wished = valueForKey(range, x, event.key);
    if (wished === null) return;
    event.preventDefault();
    if (wished !== x) onMove(wished, "commit");
  };
  const pointer = {
    onPointerDown, onPointerUp: onRelease, onPointerCancel: onRelease,
    onPointerMove: (event: PointerEvent<HTMLElement>) => { if (isGrabbed) drag(event); },
  };
  return { isGrabbed, pointer, onKeyDown };
}
