import { useEffect, useLayoutEffect } from "react";
import type { ViewState } from "../store";

const prefersDark = "(prefers-color-scheme: dark)";
const onPaper = "print";

/** The tab says what is shown. */
export function useTabTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Wait, What If" : `${title} · Wait, What If`;
  }, [title]);
}

/** Theme and palette stand on the root element; "system" follows the system. Paper is white. */
export function useLook(theme: ViewState["theme"], palette: ViewState["palette"]): void {
  useLayoutEffect(() => {
    const root = document.documentElement;
    const media = [prefersDark, onPaper].map((query) => matchMedia(query));
    const apply = () => {
      const [isDark, isPaper] = media.map(({ matches }) => matches);
      const ofSystem = isDark === true ? "dark" : "light";
      root.dataset.theme = isPaper === true ? "light" : theme === "system" ? ofSystem : theme;
      root.dataset.palette = palette;
    };
    apply();
    media.forEach((one) => one.addEventListener("change", apply));
    return () => media.forEach((one) => one.removeEventListener("change", apply));
  }, [theme, palette]);
}
