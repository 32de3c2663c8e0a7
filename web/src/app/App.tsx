import { useCallback, useMemo, useState } from "react";
import type { AnalysisInput } from "../analysis";
import type { CurveModel } from "../analysis/types";
import { plainText } from "../base/plainText";
import type { KnobItem } from "../features/knobs/item";
import {
  selectAxes, selectCanRedo, selectCanUndo, selectCommandLine, selectFault, selectFigures, selectHandle,
  selectHostCount, selectInput, selectIsBusy, selectKnobs, selectPage, selectPresets, selectRepair,
  selectSharedLink, selectWork, timelineInput,
  type Action, type AppState, type AppStore, type ViewState,
} from "../store";
import { WorksContext } from "../ui/Sourced";
import { knobItems } from "./knobItems";
import { noticeOf } from "./notice";
import { Page } from "./Page";
import type { PageActions, PageProps } from "./pageProps";
import { useLook, useTabTitle } from "./useLook";
import { usePainted } from "./usePainted";
import { useStore } from "./useStore";

export interface AppProps {
  readonly store: AppStore;
  /** In a frame: only these panels, and no bar. */
  readonly frame?: {
    readonly panels: readonly string[];
    readonly show: readonly string[] | null;
    /** What its address asks for, and there is not. */
    readonly problems: readonly string[];
    /** That the scenario has none of the panels, where that is so. */
    readonly none: (input: AnalysisInput) => string;
  };
}

function actionsOf(store: AppStore, onRead: () => void): PageActions {
  const dispatch = (action: Action) => store.dispatch(action);
  return {
    knob: (id, value, phase) => dispatch({ type: "knobChanged", id, value, phase }),
    knobs: (values) => dispatch({ type: "knobsSet", values }),
    check: (id, text, beside) => store.check(id, text, beside),
    preset: (preset) => dispatch({ type: "presetChosen", preset }),
    repair: ({ key, side }, value) => dispatch({ type: "repaired", id: key, value, side }),
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
    stop: () => dispatch({ type: "runsStopped" }),
    goOn: () => dispatch({ type: "runsResumed" }),
    title: (title) => dispatch({ type: "titleChanged", title }),
    note: (note) => dispatch({ type: "noteChanged", note }),
    texts: () => dispatch({ type: "textsAsked" }),
    published: (isOpen) => dispatch({ type: isOpen ? "publishedOpened" : "publishedClosed" }),
    publishedGroup: (preset) => dispatch({ type: "publishedTurned", preset }),
    variants: () => dispatch({ type: "variantsAsked" }),
    fit: (free, hear) => store.fit(free, hear),
    points: (points) => dispatch({ type: "pointsLaid", points }),
    dismissNotice: () => {
      onRead();
      dispatch({ type: "linkErrorDismissed" });
    },
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
): PageProps["sweep"] {
  const [min, max] = xDomain;
  return useMemo(
    () => ({ knob: xLabel, words: xWords, isLocked, range: { step, isWhole, scale: xScale, min, max } }),
    [step, isWhole, isLocked, xLabel, xWords, xScale, min, max],
  );
}

/** A frame or a link may show a few knobs. */
function chosenKnobs(all: readonly KnobItem[], shown: readonly string[] | null): readonly KnobItem[] {
  if (shown === null) return all;
  return all
    .filter((item) => shown.includes(item.key) || shown.includes(item.base))
    .map((item) => ({ ...item, isPrincipal: true }));
}

/** What is wrong with the address of a frame, until it has been read. */
function useProblems(problems: readonly string[] = [], none = ""): readonly [string, () => void] {
  const [isRead, setRead] = useState(false);
  const onRead = useCallback(() => setRead(true), []);
  return [isRead ? "" : [...problems, none].join(" ").trim(), onRead];
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
  const input = selectInput(state);
  const [problems, onRead] = useProblems(frame?.problems, frame?.none(input));
  const on = useMemo(() => actionsOf(store, onRead), [store, onRead]);
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
  const painted = usePainted(2);
  const all = painted === 0 ? noItems : itemsOf(selectKnobs(state), main, held, state.view.side === "A");
  const shown = frame?.show ?? state.view.show;
  const knobs = useMemo(() => chosenKnobs(all, shown), [all, shown]);
  const sweep = useSweep(selectHandle(state), page.curve);
  const broken = page.trust?.laws.find((law) => !law.ok);
  const brokenLaw = broken === undefined ? null : `${broken.name} misses by ${broken.residual}`;
  const link = useCallback(
    () => `${location.origin}${location.pathname.replace(/embed\.html$/, "")}${selectSharedLink(store.getState())}`,
    [store],
  );
  const commandLine = useCallback(() => selectCommandLine(store.getState()), [store]);
  return (
    <WorksContext value={state.texts.texts?.works}>
      <Page
        page={page} input={input} knobs={knobs} allKnobs={all} favourites={favourites}
        presets={selectPresets(state)} hostCount={selectHostCount(state)} preset={state.preset} presetTitle={title}
        view={view} nameA={page.curve.nameA} nameB={page.curve.nameB}
        axes={selectAxes(state)} sweep={sweep} timeline={timelineInput(state)} heldKnob={held}
        canUndo={selectCanUndo(state)} canRedo={selectCanRedo(state)} notice={noticeOf(state, problems)}
        repair={selectRepair(state)}
        isAlarming={state.view.linkError !== null} link={link}
        commandLine={commandLine} presetNote={state.texts.texts?.notes[state.preset] ?? ""}
        texts={state.texts} figures={selectFigures(state)} isBusy={selectIsBusy(state)}
        work={held === null ? selectWork(state) : null}
        isFaded={page.stage.kind === "failed" || broken !== undefined} brokenLaw={brokenLaw}
        panels={frame?.panels ?? state.view.panels} painted={painted} on={on}
      />
    </WorksContext>
  );
}

const noItems: readonly KnobItem[] = [];
const whole = (state: AppState): AppState => state;
