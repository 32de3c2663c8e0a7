import { useEffect, useState } from "react";
import { nextFrame } from "../engine/browserEngine";

/** How many of the first frames have been painted, up to `most`. What answers come in meanwhile does not put it off. */
export function usePainted(most: number): number {
  const [painted, setPainted] = useState(0);
  useEffect(() => {
    if (painted === most) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    nextFrame(() => {
      // After the frame's own painting, not before it.
      timer = setTimeout(() => setPainted(painted + 1), 0);
    });
    return () => clearTimeout(timer);
  }, [painted, most]);
  return painted;
}
