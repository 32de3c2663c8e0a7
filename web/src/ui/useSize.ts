import { useCallback, useState } from "react";

/** The size of an element in its own pixels, kept up to date, also when it goes and comes back. */
export function useSize(): readonly [
  (element: HTMLDivElement) => () => void,
  { readonly width: number; readonly height: number },
] {
  const [size, setSize] = useState({ width: 0, height: 0 });
  const ref = useCallback((element: HTMLDivElement) => {
    const measure = () =>
      setSize((old) => {
        const next = { width: element.clientWidth, height: element.clientHeight };
        return !element.isConnected || (old.width === next.width && old.height === next.height) ? old : next;
      });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, size];
}
