import { useRef, type KeyboardEvent } from "react";
import { mergeProps, useFocusRing, useSlider, useSliderThumb, VisuallyHidden } from "react-aria";
import { useSliderState, type SliderState } from "react-stately";
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
const identity = { format: (value: number) => String(value) } as Intl.NumberFormat;

export function Slider(props: SliderProps) {
  const { range, value, isLocked } = props;
  const trackRef = useRef<HTMLDivElement>(null);
  const latest = useRef(value);
  latest.current = value;
  const state = useSliderState({
    value: [toTrack(range, value) * PLACES], minValue: 0, maxValue: PLACES, step: 1, isDisabled: isLocked, numberFormatter: identity,
    onChange: ([place]) => {
      const next = fromTrack(range, (place ?? 0) / PLACES);
      if (next !== latest.current) props.onChange(next, "drag");
    },
    onChangeEnd: () => props.onChange(latest.current, "commit"),
  });
  const { groupProps, trackProps } = useSlider({ "aria-label": props.label, isDisabled: isLocked }, state, trackRef);
  const at = (part: number) => ({ left: `${part * 100}%` });
  return (
    <div {...groupProps} className="slider" data-locked={isLocked || undefined} data-hand={props.isInHand || undefined} onPointerDown={props.onHand}>
      <div {...trackProps} ref={trackRef} style={{ position: "absolute", inset: 0 }}>
        <span className="slider-track" />
        {props.tick === null ? null : <span className="slider-tick" style={at(toTrack(range, props.tick))} />}
        {props.ghost === null ? null : <span className="slider-ghost" style={at(toTrack(range, props.ghost))} />}
        <Thumb state={state} trackRef={trackRef} props={props} />
      </div>
    </div>
  );
}

interface ThumbProps {
  readonly state: SliderState;
  readonly trackRef: React.RefObject<HTMLDivElement | null>;
  readonly props: SliderProps;
}

function Thumb({ state, trackRef, props }: ThumbProps) {
  const inputRef = useRef<HTMLInputElement>(null);
  const { thumbProps, inputProps, isDragging } = useSliderThumb({ index: 0, trackRef, inputRef, "aria-label": props.label }, state);
  const { focusProps, isFocusVisible } = useFocusRing();
  const onKeyDownCapture = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const wished = valueForKey(props.range, props.value, event.key);
    if (wished !== null) {
      event.preventDefault();
      event.stopPropagation();
      if (wished !== props.value) props.onChange(wished, "commit");
    } else if (/^[0-9.]$/.test(event.key) && props.onTyped !== undefined) {
      event.preventDefault();
      props.onTyped(event.key);
    }
  };
  const place = `${(toTrack(props.range, props.value) * 100).toFixed(3)}%`;
  return (
    <div
      {...thumbProps} className="slider-thumb" style={{ left: place, touchAction: "none" }}
      data-dragging={isDragging || undefined} data-focused={isFocusVisible || undefined} onKeyDownCapture={props.isLocked ? undefined : onKeyDownCapture}
    >
      <VisuallyHidden>
        <input
          ref={inputRef} {...mergeProps(inputProps, focusProps, { onFocus: props.onHand })}
          aria-labelledby={undefined} aria-valuetext={props.valueText} aria-orientation="horizontal"
        />
      </VisuallyHidden>
    </div>
  );
}
