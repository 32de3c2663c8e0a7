import type { PageProps } from "./pageProps";
import { useLayout, type Layout } from "./useLayout";

/** How the page is laid out, and which parts it has. */
export interface Frame {
  readonly layout: Layout;
  readonly isPhone: boolean;
  readonly isTight: boolean;
  readonly columns: 1 | 2;
  /** Room in the left column for the bars of the event table. */
  readonly hasBars: boolean;
  readonly has: (panel: string) => boolean;
}

/** `isOpen`: the drawer takes room from the main part. */
export function useFrame(panels: PageProps["panels"], isOpen: boolean): Frame {
  const layout = useLayout();
  const isTight = layout.name === "wide" && layout.width < 1360;
  const mainWidth = layout.width - (layout.name === "wide" || isOpen ? 296 : 0);
  const has = (panel: string) => panels === null || panels.includes(panel);
  const isNarrow =
    layout.name !== "phone" && (mainWidth <= 976 || (layout.name === "drawer" && layout.width <= 1024)) && !isTight;
  const columns = isNarrow || !has("matrix") ? 1 : 2;
  const inner = mainWidth - 96;
  const left = columns === 1 ? inner : inner - Math.max(392, (inner * 392) / 1048);
  return { layout, isPhone: layout.name === "phone", isTight, columns, hasBars: left >= 648, has };
}
