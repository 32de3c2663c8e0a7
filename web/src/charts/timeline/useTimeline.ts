import {
  useCallback, useEffect, useLayoutEffect, useMemo, useState, type KeyboardEvent, type PointerEvent,
} from "react";
import { Desk, type Cursor, type TimelineAsk } from "./desk";
import type { Frame } from "./frame";

/** Place of a pointer: share of the plot's width, and px from the top as the frame counts them. */
function placeOf(
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
  element: Element, frame: Frame,
): { readonly share: number; readonly y: number } {
  const box = element.getBoundingClientRect();
  const x = ((clientX - box.left) / box.width) * frame.width;
  return { share: (x - frame.left) / (frame.right - frame.left), y: ((clientY - box.top) / box.height) * frame.height };
}

function onWheel(desk: Desk, event: WheelEvent): void {
  const { frame } = desk.ask;
  if (frame === null || !(event.currentTarget instanceof Element)) return;
  event.preventDefault();
  const { share } = placeOf(event, event.currentTarget, frame);
  const unit = event.deltaMode === 1 ? 16 : 1;
  const [dx, dy] =
    event.shiftKey && event.deltaX === 0 ? [event.deltaY * unit, 0] : [event.deltaX * unit, event.deltaY * unit];
  if (Math.abs(dx) > Math.abs(dy)) desk.move({ type: "pan", share: dx / (frame.right - frame.left) });
  else
    desk.move({
      type: "zoom", factor: Math.exp(Math.max(-120, Math.min(120, dy)) * (event.ctrlKey ? 0.01 : 0.0025)),
      share: Math.min(1, Math.max(0, share)),
    });
}

function handlersOf(desk: Desk) {
  let inOverview = false;
  const centre = (share: number) => {
    const { from, to } = desk.bounds();
    desk.move({ type: "centre", ms: from + share * (to - from) });
  };
  const at = (event: PointerEvent<HTMLCanvasElement>, act: (share: number, y: number, frame: Frame) => void) => {
    const { frame } = desk.ask;
    if (frame === null) return;
    const { share, y } = placeOf(event, event.currentTarget, frame);
    act(share, y, frame);
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLCanvasElement>) => at(event, (share, y, frame) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      inOverview = y < frame.overview.y + frame.overview.height + 4;
      if (inOverview) centre(share);
      else desk.move({ type: "down", id: event.pointerId, share });
      desk.read(share, y);
    }),
    onPointerMove: (event: PointerEvent<HTMLCanvasElement>) => at(event, (share, y) => {
      if (inOverview) centre(share);
      else desk.move({ type: "move", id: event.pointerId, share });
      if (!inOverview && !desk.gesture.isMoved) desk.read(share, y);
    }),
    onPointerUp: (event: PointerEvent<HTMLCanvasElement>) => {
      const isClick = !inOverview && !desk.gesture.isMoved && desk.gesture.fingers.length === 1;
      inOverview = false;
      desk.move({ type: "up", id: event.pointerId });
      if (isClick) desk.follow();
    },
    onPointerCancel: (event: PointerEvent<HTMLCanvasElement>) => {
      inOverview = false;
      desk.move({ type: "up", id: event.pointerId });
    },
    // A finger that is lifted leaves what it read.
    onPointerLeave: ({ pointerType }: PointerEvent) => {
      if (pointerType !== "touch" && desk.cursor?.isKeyed === false && desk.gesture.fingers.length === 0)
        desk.point(null);
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !desk.key(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

/** The desk of one timeline, its cursor, and what its canvas listens to. */
export function useTimeline(ask: TimelineAsk) {
  const [cursor, setCursor] = useState<Cursor | null>(null);
  const [desk] = useState(() => new Desk(ask, setCursor));
  useLayoutEffect(() => desk.take(ask));
  const attach = useCallback((canvas: HTMLCanvasElement) => {
    const listen = (event: WheelEvent) => onWheel(desk, event);
    desk.attach(canvas);
    canvas.addEventListener("wheel", listen, { passive: false });
    return () => {
      desk.attach(null);
      canvas.removeEventListener("wheel", listen);
    };
  }, [desk]);
  useEffect(() => {
    const theme = new MutationObserver(() => desk.repaint());
    // What is written before the text face is here is written anew.
    void document.fonts.ready.then(() => desk.repaint());
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "data-palette"] });
    return () => {
      theme.disconnect();
      desk.stop();
    };
  }, [desk]);
  const handlers = useMemo(() => handlersOf(desk), [desk]);
  return { desk, attach, cursor, handlers };
}
