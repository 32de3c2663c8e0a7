import { useLayoutEffect, useRef, useState, type RefObject } from "react";

/** The size of an element in its own pixels, kept up to date. */
export function useSize<T extends HTMLElement>(): readonly [RefObject<T | null>, { readonly width: number; readonly height: number }] {
  const ref = useRef<T>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = () => setSize((old) => {
      const next = { width: element.clientWidth, height: element.clientHeight };
      return old.width === next.width && old.height === next.height ? old : next;
    });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, size];
}
