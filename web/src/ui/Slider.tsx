import { useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { Press } from "./press";
import { fromTrack, toTrack, valueForKey, type Range } from "./scale";

export interface SliderProps {
  readonly label: string;
  readonly range: Range;
  readonly value: number;
  /** What is said for the value: number, unit and result. */
  readonly valueText: string;
  /** The default, as a tick on the track. */
  readonly tick: number | null;
  /** A dashed ring: A's value, or the value before this drag. */
  readonly ghost: number | null;
  readonly isLocked: boolean;
  /** This is what the person holds, here or elsewhere on the page. */
  readonly isInHand: boolean;
  readonly onChange: (value: number, phase: "drag" | "commit") => void;
  readonly onTyped?: (digit: string) => void;
  readonly onHand?: () => void;
}

/** The track is cut fine enough that no value of any knob falls between two places. */
const PLACES = 4000;

/** The gesture on the track: a press leads the thumb there, a press on the thumb takes it where it is. */
function useTrack({ range, value, isLocked, onChange, onHand }: SliderProps) {
  const track = useRef<HTMLDivElement>(null);
  const [isDragging, setDragging] = useState(false);
  const grip = useRef(0);
  const press = useRef<Press | null>(null);
  const lead = (event: PointerEvent) => {
    const box = track.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return;
    press.current?.lead(fromTrack(range, (event.clientX - grip.current - box.left) / box.width), onChange);
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (isLocked || event.button !== 0) return;
    onHand?.();
    event.currentTarget.setPointerCapture(event.pointerId);
    const thumb =
      event.target instanceof Element ? event.target.closest(".slider-thumb")?.getBoundingClientRect() : undefined;
    grip.current = thumb === undefined ? 0 : event.clientX - thumb.left - thumb.width / 2;
    press.current = new Press(value);
    setDragging(true);
    if (thumb === undefined) lead(event);
    event.currentTarget.querySelector("input")?.focus({ preventScroll: true });
    event.preventDefault();
  };
  const onRelease = () => {
    if (!isDragging) return;
    setDragging(false);
    press.current?.release(onChange);
  };
  const pointer = {
    onPointerDown, onPointerUp: onRelease, onPointerCancel: onRelease,
    onPointerMove: (event: PointerEvent) => {
      if (isDragging) lead(event);
    },
  };
  return { track, isDragging, pointer };
}

export function Slider(props: SliderProps) {
  const { label, range, value, isLocked } = props;
  const { track, isDragging, pointer } = useTrack(props);
  const at = (part: number) => ({ left: `${(part * 100).toFixed(3)}%` });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const wished = valueForKey(range, value, event.key);
    if (wished !== null) {
      event.preventDefault();
      event.stopPropagation();
      if (wished !== value) props.onChange(wished, "commit");
    } else if (/^[0-9.]$/.test(event.key) && props.onTyped !== undefined) {
      event.preventDefault();
      props.onTyped(event.key);
    }
  };
  return (
    <div
      className="slider" role="group" aria-label={label} data-locked={isLocked || undefined}
      data-hand={props.isInHand || undefined}
      {...pointer}
    >
      <div ref={track} style={{ position: "absolute", inset: 0 }}>
        <span className="slider-track" />
        {props.tick === null ? null : <span className="slider-tick" style={at(toTrack(range, props.tick))} />}
        {props.ghost === null ? null : <span className="slider-ghost" style={at(toTrack(range, props.ghost))} />}
        <div className="slider-thumb" style={at(toTrack(range, value))} data-dragging={isDragging || undefined}>
          <input
            type="range" min={0} max={PLACES} step={1} value={Math.round(toTrack(range, value) * PLACES)}
            disabled={isLocked} aria-label={label} aria-valuetext={props.valueText}
            onChange={(event) => props.onChange(fromTrack(range, Number(event.target.value) / PLACES), "commit")}
            onFocus={props.onHand} onKeyDown={onKeyDown}
          />
        </div>
      </div>
    </div>
  );
}
