import { useSyncExternalStore } from "react";

export type LayoutName = "wide" | "drawer" | "phone";

export interface Layout {
  readonly name: LayoutName;
  /** Of the main part, when no drawer is open. */
  readonly width: number;
  readonly height: number;
}

let last: Layout = { name: "wide", width: 1440, height: 900 };
let isRead = false;

/** Room as the page counts it: the projector's zoom makes a window smaller. */
function read(): Layout {
  const zoom = Number(getComputedStyle(document.documentElement).getPropertyValue("--zoom")) || 1;
  const width = Math.round(innerWidth / zoom);
  const height = Math.round(innerHeight / zoom);
  isRead = true;
  if (width === last.width && height === last.height) return last;
  last = { width, height, name: width < 720 ? "phone" : width < 1280 ? "drawer" : "wide" };
  return last;
}

function subscribe(listener: () => void): () => void {
  const measure = () => {
    read();
    listener();
  };
  const watcher = new MutationObserver(measure);
  watcher.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  addEventListener("resize", measure);
  measure();
  return () => {
    watcher.disconnect();
    removeEventListener("resize", measure);
  };
}

/** Asked for at every paint; measured only when something changed, as that makes the browser lay out the page. */
const current = (): Layout => (isRead ? last : read());

export function useLayout(): Layout {
  return useSyncExternalStore(subscribe, current);
}
