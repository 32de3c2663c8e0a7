import { useCallback, useMemo, useState } from "react";
import type { KnobItem } from "../features/knobs/item";
import {
  selectCanRedo, selectCanUndo, selectCommandLine, selectFault, selectIsBusy, selectKnobs, selectLink, selectPage, selectPresets, type AppState, type AppStore, type ViewState,
} from "../store";
import { knobItems } from "./knobItems";
import { Page } from "./Page";
import type { PageActions, PageProps } from "./pageProps";
import { publishedRows } from "./published";
import { useLook } from "./useLook";
import { useStore } from "./useStore";

export interface AppProps {
  readonly store: AppStore;
  /** In a frame: only these panels, and no bar. */
  readonly panels?: readonly string[] | null;
}

function actionsOf(store: AppStore): PageActions {
  const { dispatch } = store;
  return {
    knob: (id, value, phase) => dispatch({ type: "knobChanged", id, value, phase }),
    preset: (preset) => dispatch({ type: "presetChosen", preset }),
    side: (side) => dispatch({ type: "sideChosen", side }),
    metric: (metric) => dispatch({ type: "metricChosen", metric }),
    look: (id) => {
      const [kind, value] = id.split(":");
      if (kind === "theme") dispatch({ type: "themeChosen", theme: value as ViewState["theme"] });
      else dispatch({ type: "paletteChosen", palette: value as ViewState["palette"] });
    },
    past: (type) => dispatch({ type }),
    run: (kind) => {
      if (kind !== "copyFault") dispatch({ type: kind });
      else void navigator.clipboard?.writeText(selectFault(store.getState()) ?? "").catch(() => undefined);
    },
    dismissNotice: () => dispatch({ type: "linkErrorDismissed" }),
  };
}

function presetIn(state: AppState) {
  return state.catalogue.presets.find((preset) => preset.id === state.preset) ?? state.catalogue.presets[0];
}

/** What the scenario turns on: its x axis, its family, its assumption, and what sets A apart. */
function favouritesOf(state: AppState): readonly string[] {
  const preset = presetIn(state);
  const keys = [preset?.sweep.knob, preset?.family?.knob, preset?.hinge?.knob, ...Object.keys(preset?.compare ?? {})];
  return [...new Set(keys.filter((key) => key !== undefined))];
}

function sweepOf(state: AppState, items: readonly KnobItem[], domain: readonly [number, number]): PageProps["sweep"] {
  const knob = presetIn(state)?.sweep.knob ?? "sessions";
  const item = items.find((one) => one.key === knob);
  const range = item?.range ?? { min: domain[0], max: domain[1], step: 1, scale: "linear" as const, isWhole: true };
  return { knob, isLocked: item?.isLocked ?? false, range: { ...range, scale: "linear", min: domain[0], max: domain[1] } };
}

export function App({ store, panels = null }: AppProps) {
  const state = useStore(store, whole);
  const page = selectPage(state);
  const [itemsOf] = useState(knobItems);
  const on = useMemo(() => actionsOf(store), [store]);
  useLook(state.view.theme, state.view.palette);
  const held = state.inHand?.id ?? null;
  const favourites = useMemo(() => favouritesOf(state), [state.preset, state.catalogue]); // oxlint-disable-line react-hooks/exhaustive-deps -- of the preset alone
  const main = useMemo(() => new Set([...favourites, ...Object.keys(state.base), ...Object.keys(state.ghost)]), [favourites, state.base, state.ghost]);
  const all = itemsOf(selectKnobs(state), main, held);
  const shown = state.view.show;
  const knobs = useMemo(() => (shown === null ? all : all.filter((item) => shown.includes(item.key)).map((item) => ({ ...item, isPrincipal: true }))), [all, shown]);
  const [from, to] = page.curve.xDomain;
  const sweep = useMemo(() => sweepOf(state, all, [from, to]), [state.preset, all, from, to]); // oxlint-disable-line react-hooks/exhaustive-deps -- of these alone
  const isBroken = page.trust?.laws.some((law) => !law.ok) ?? false;
  const link = useCallback(() => `${location.origin}${location.pathname.replace(/embed\.html$/, "")}${selectLink(store.getState())}`, [store]);
  const commandLine = useCallback(() => selectCommandLine(store.getState()), [store]);
  return (
    <Page
      page={page} knobs={knobs} favourites={favourites} presets={selectPresets(state)} preset={state.preset} presetTitle={state.view.title || (presetIn(state)?.title ?? "")}
      view={state.view} nameA={page.curve.nameA} nameB={page.curve.nameB} sweep={sweep} heldKnob={held} canUndo={selectCanUndo(state)} canRedo={selectCanRedo(state)}
      notice={state.view.linkError ?? state.notice} isAlarming={state.view.linkError !== null} link={link} commandLine={commandLine} presetNote={presetIn(state)?.note ?? ""} published={publishedRows(state)} isBusy={selectIsBusy(state)} isFaded={page.stage.kind === "failed" || isBroken} panels={panels ?? state.view.panels} on={on}
    />
  );
}

const whole = (state: AppState): AppState => state;
