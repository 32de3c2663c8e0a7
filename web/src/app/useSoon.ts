import { useEffect, useState } from "react";
import { nextFrame } from "../engine/browserEngine";

/** False until the first frame has been painted. What answers come in meanwhile does not put it off. */
export function useSoon(): boolean {
  const [isSoon, setSoon] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    nextFrame(() => {
      // After the frame's own painting, not before it.
      timer = setTimeout(() => setSoon(true), 0);
    });
    return () => clearTimeout(timer);
  }, []);
  return isSoon;
}
