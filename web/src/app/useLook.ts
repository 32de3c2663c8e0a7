import { useEffect, useLayoutEffect } from "react";
import type { ViewState } from "../store";

const prefersDark = "(prefers-color-scheme: dark)";

/** The tab says what is shown. */
export function useTabTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Wait, What If" : `${title} · Wait, What If`;
  }, [title]);
}

/** Theme and palette stand on the root element; "system" follows the system. */
export function useLook(theme: ViewState["theme"], palette: ViewState["palette"]): void {
  useLayoutEffect(() => {
    const root = document.documentElement;
    const system = matchMedia(prefersDark);
    const apply = () => {
      root.dataset.theme = theme === "system" ? (system.matches ? "dark" : "light") : theme;
      root.dataset.palette = palette;
    };
    apply();
    system.addEventListener("change", apply);
    return () => system.removeEventListener("change", apply);
  }, [theme, palette]);
}
