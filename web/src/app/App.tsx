import { useCallback, useMemo, useState } from "react";
import type { CurveModel } from "../analysis/types";
import { plainText } from "../base/plainText";
import type { KnobItem } from "../features/knobs/item";
import {
  selectAxes, selectCanRedo, selectCanUndo, selectCommandLine, selectFault, selectFigures, selectHandle,
  selectHostCount, selectInput, selectIsBusy, selectKnobs, selectLink, selectPage, selectPresets, timelineInput,
  type Action, type AppState, type AppStore, type ViewState,
} from "../store";
import { knobItems } from "./knobItems";
import { Page } from "./Page";
import type { PageActions, PageProps } from "./pageProps";
import { useLook, useTabTitle } from "./useLook";
import { useStore } from "./useStore";

export interface AppProps {
  readonly store: AppStore;
  /** In a frame: only these panels, and no bar. */
  readonly frame?: {
    readonly panels: readonly string[];
    readonly show: readonly string[] | null;
    readonly locked: readonly string[];
  };
}

function actionsOf(store: AppStore): PageActions {
  const dispatch = (action: Action) => store.dispatch(action);
  return {
    knob: (id, value, phase) => dispatch({ type: "knobChanged", id, value, phase }),
    knobs: (values) => dispatch({ type: "knobsSet", values }),
    check: (id, text) => store.check(id, text),
    preset: (preset) => dispatch({ type: "presetChosen", preset }),
    side: (side) => dispatch({ type: "sideChosen", side }),
    host: (host) => dispatch({ type: "hostChosen", host }),
    view: (view) => dispatch({ type: "viewChosen", view }),
    timelineSide: (side) => dispatch({ type: "timelineSideChosen", side }),
    follow: (process) => dispatch({ type: "followChosen", process }),
    timelineWindow: (window) => dispatch({ type: "timelineWindowChosen", window }),
    axes: (axes) => dispatch({ type: "axesChosen", ...axes }),
    look: (id) => {
      const [kind, value] = id.split(":");
      if (kind === "theme") dispatch({ type: "themeChosen", theme: value as ViewState["theme"] });
      else dispatch({ type: "paletteChosen", palette: value as ViewState["palette"] });
    },
    past: (type) => dispatch({ type }),
    run: (kind) => {
      if (kind !== "copyFault") dispatch({ type: kind });
      else
        void navigator.clipboard
          ?.writeText(selectFault(store.getState()) ?? `${location.href}\n${selectCommandLine(store.getState())}`)
          .catch(() => undefined);
    },
    title: (title) => dispatch({ type: "titleChanged", title }),
    note: (note) => dispatch({ type: "noteChanged", note }),
    texts: () => dispatch({ type: "textsAsked" }),
    published: (isOpen) => dispatch({ type: isOpen ? "publishedOpened" : "publishedClosed" }),
    publishedGroup: (preset) => dispatch({ type: "publishedTurned", preset }),
    variants: () => dispatch({ type: "variantsAsked" }),
    dismissNotice: () => dispatch({ type: "linkErrorDismissed" }),
  };
}

function presetIn(state: AppState) {
  return state.catalogue.presets.find((preset) => preset.id === state.preset) ?? state.catalogue.presets[0];
}

/** What the scenario turns on: its x axis, its family, its assumption, and what sets A apart. */
function favouritesOf(preset: ReturnType<typeof presetIn>): readonly string[] {
  const keys = [preset?.sweep.knob, preset?.family?.knob, preset?.hinge?.knob, ...Object.keys(preset?.compare ?? {})];
  return [...new Set(keys.filter((key) => key !== undefined))];
}

/** The knob on the curve's x axis. */
function useSweep(
  { step, isWhole, isLocked }: ReturnType<typeof selectHandle>, { xLabel, xDomain, xWords, xScale }: CurveModel,
  locked: readonly string[] = [],
): PageProps["sweep"] {
  const [min, max] = xDomain;
  const isHeldFast = isLocked || isAmong(locked, xLabel);
  return useMemo(
    () => ({
      knob: xLabel, words: xWords, isLocked: isHeldFast, range: { step, isWhole, scale: xScale, min, max },
    }),
    [step, isWhole, isHeldFast, xLabel, xWords, xScale, min, max],
  );
}

/** Whether a frame locks a knob, or what it is a part of. */
function isAmong(locked: readonly string[], key: string): boolean {
  return locked.includes(key) || locked.includes(key.replace(/@(?:instance|node)\d+$/, ""));
}

/** A frame or a link may show a few knobs, and lock some. */
function chosenKnobs(
  all: readonly KnobItem[], shown: readonly string[] | null, locked: readonly string[] = [],
): readonly KnobItem[] {
  if (shown === null && locked.length === 0) return all;
  const few =
    shown === null
      ? all
      : all
          .filter((item) => shown.includes(item.key) || shown.includes(item.base))
          .map((item) => ({ ...item, isPrincipal: true }));
  return few.map((item) => (isAmong(locked, item.key) ? { ...item, isLocked: true } : item));
}

/** Title and note are words of whoever wrote the link; the link keeps them as they came. */
function usePlainWords(view: ViewState): ViewState {
  return useMemo(() => {
    const [title, note] = [plainText(view.title), plainText(view.note)];
    return title === view.title && note === view.note ? view : { ...view, title, note };
  }, [view]);
}

export function App({ store, frame }: AppProps) {
  const state = useStore(store, whole);
  const page = selectPage(state);
  const preset = presetIn(state);
  const [itemsOf] = useState(knobItems);
  const on = useMemo(() => actionsOf(store), [store]);
  useLook(state.view.theme, state.view.palette);
  const view = usePlainWords(state.view);
  const title = view.title || (preset?.title ?? "");
  useTabTitle(title);
  const held = state.inHand?.id ?? null;
  const favourites = useMemo(() => favouritesOf(preset), [preset]);
  const main = useMemo(
    () => new Set([...favourites, ...Object.keys(state.base), ...Object.keys(state.ghost)]),
    [favourites, state.base, state.ghost],
  );
  const all = itemsOf(selectKnobs(state), main, held);
  const shown = frame?.show ?? state.view.show;
  const locked = frame?.locked;
  const knobs = useMemo(() => chosenKnobs(all, shown, locked), [all, shown, locked]);
  const sweep = useSweep(selectHandle(state), page.curve, locked);
  const broken = page.trust?.laws.find((law) => !law.ok);
  const brokenLaw = broken === undefined ? null : `${broken.name} misses by ${broken.residual}`;
  const link = useCallback(
    () => `${location.origin}${location.pathname.replace(/embed\.html$/, "")}${selectLink(store.getState())}`, [store],
  );
  const commandLine = useCallback(() => selectCommandLine(store.getState()), [store]);
  return (
    <Page
      page={page} input={selectInput(state)} knobs={knobs} favourites={favourites} presets={selectPresets(state)}
      hostCount={selectHostCount(state)} preset={state.preset} presetTitle={title} view={view} nameA={page.curve.nameA}
      nameB={page.curve.nameB}
      axes={selectAxes(state)} sweep={sweep} timeline={timelineInput(state)} heldKnob={held}
      canUndo={selectCanUndo(state)} canRedo={selectCanRedo(state)} notice={state.view.linkError ?? state.notice}
      isAlarming={state.view.linkError !== null} link={link} commandLine={commandLine} presetNote={preset?.note ?? ""}
      texts={state.texts} figures={selectFigures(state)} isBusy={selectIsBusy(state)}
      isFaded={page.stage.kind === "failed" || broken !== undefined} brokenLaw={brokenLaw}
      panels={frame?.panels ?? state.view.panels} on={on}
    />
  );
}

const whole = (state: AppState): AppState => state;
