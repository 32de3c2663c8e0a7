/** Parts of the page, as links and frames name them. A file of its own: a frame reads them before the page is there. */
export const panelNames = [
  "host", "answer", "sure", "curve", "map", "blocks", "redo", "matrix", "events", "statspack", "tkprof", "groups",
  "variants", "losses", "knobs", "trust",
] as const;
export type PanelName = (typeof panelNames)[number];
