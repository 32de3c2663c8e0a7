import type { AppState } from "../store";

/** What stands above the page. What a frame leaves out is said of what a refused link is replaced by, too. */
export const noticeOf = ({ view, notice }: Pick<AppState, "view" | "notice">, problems: string): string | null =>
  [view.linkError ?? notice, problems].filter(Boolean).join(" ") || null;
