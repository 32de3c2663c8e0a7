import { lazy, Suspense, useCallback, useDeferredValue, useState } from "react";
import { Bar } from "../features/bar/Bar";
import { CurvePanel } from "../features/curve/CurvePanel";
import { EventTable } from "../features/eventTable/EventTable";
import { FindingPanel } from "../features/finding/FindingPanel";
import { HowSurePanel } from "../features/howSure/HowSurePanel";
import { KnobColumn } from "../features/knobs/KnobColumn";
import { KnobSheet } from "../features/knobs/KnobSheet";
import { Matrix } from "../features/matrix/Matrix";
import { TrustStrip } from "../features/trustStrip/TrustStrip";
import { Dialogs } from "./Dialogs";
import type { OpenDialog, PageProps } from "./pageProps";
import { useKeys } from "./useKeys";
import { useLayout, type Layout } from "./useLayout";

/** Loaded when it is asked for: the first paint does not pay for it. */
const TimelinePanel = lazy(() => import("../features/timeline/TimelinePanel").then((loaded) => ({ default: loaded.TimelinePanel })));

interface Frame {
  readonly layout: Layout;
  readonly isPhone: boolean;
  readonly isTight: boolean;
  readonly columns: 1 | 2;
  /** Room in the left column for the bars of the event table. */
  readonly hasBars: boolean;
  readonly has: (panel: string) => boolean;
}

function useFrame(panels: PageProps["panels"], isOpen: boolean): Frame {
  const layout = useLayout();
  const isTight = layout.name === "wide" && layout.width < 1360;
  const mainWidth = layout.width - (layout.name === "wide" || isOpen ? 296 : 0);
  const has = (panel: string) => panels === null || panels.includes(panel);
  const isNarrow = layout.name !== "phone" && (mainWidth <= 976 || (layout.name === "drawer" && layout.width <= 1024)) && !isTight;
  const columns = isNarrow || !has("matrix") ? 1 : 2;
  const inner = mainWidth - 96;
  const left = columns === 1 ? inner : inner - Math.max(392, (inner * 392) / 1048);
  return { layout, isPhone: layout.name === "phone", isTight, columns, hasBars: left >= 648, has };
}

/** Which dialog is open, if any. */
function useDialog(onPublished: PageProps["on"]["published"]): readonly [OpenDialog, (next: OpenDialog) => void] {
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const show = useCallback((next: OpenDialog) => {
    setDialog(next);
    onPublished(next === "published");
  }, [onPublished]);
  return [dialog, show];
}

export function Page(props: PageProps) {
  const [dialog, setDialog] = useDialog(props.on.published);
  const [isOpen, setOpen] = useState(false);
  const [touched, setTouched] = useState<string | null>(null);
  const frame = useFrame(props.panels, isOpen);
  const onHand = useCallback((key: string) => setTouched(key), []);
  const flipDrawer = useCallback(() => setOpen((was) => !was), []);
  const showKeys = useCallback(() => setDialog("keys"), [setDialog]);
  const closeDialog = useCallback(() => setDialog(null), [setDialog]);
  const showLeftOut = useCallback(() => setDialog("leavesOut"), [setDialog]);
  // The answer and its curve come first; knobs, menus and the matrix a moment after.
  const isWhole = useDeferredValue(true, false);
  const { view: onView } = props.on;
  const isTimeline = props.view.view === "timeline";
  const flipTimeline = useCallback(() => onView(isTimeline ? "lab" : "timeline"), [onView, isTimeline]);
  useKeys(props.on.past, flipTimeline, showKeys);
  const hand = { inHand: props.heldKnob ?? touched, edit: props.on, onHand };
  const { isPhone, layout, has } = frame;
  return (
    <div className="page" data-layout={layout.name} data-tight={frame.isTight || undefined} data-drawer={isOpen ? "open" : "closed"} data-sheet={isOpen ? "open" : "peek"} data-embed={props.panels !== null || undefined}>
      {props.panels !== null ? null : (
        <>
          <a className="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById("main")?.focus(); }}>To the finding</a>
          {isWhole ? <Bar
            title={props.presetTitle} presets={props.presets} preset={props.preset} theme={props.view.theme} palette={props.view.palette} layout={layout.name}
            isTight={layout.width < 1200} isDrawerOpen={isOpen} isTimeline={isTimeline} canUndo={props.canUndo} canRedo={props.canRedo} side={props.view.side} nameA={props.nameA} nameB={props.nameB}
            onPreset={props.on.preset} onSide={props.on.side} onPast={props.on.past} onOpen={setDialog} onLook={props.on.look} onDrawer={flipDrawer} onTimeline={flipTimeline}
          /> : <header className="banner"><div className="bar" /></header>}
        </>
      )}
      {isPhone || !has("knobs") ? null : isWhole ? <KnobColumn items={props.knobs} {...hand} /> : <aside className="knobs" />}
      <Main props={props} frame={frame} isWhole={isWhole} />
      {has("trust") ? <TrustStrip trust={props.page.trust} onLeavesOut={showLeftOut} onKeys={showKeys} /> : null}
      {isPhone && has("knobs") && isWhole ? <KnobSheet items={props.knobs} favourites={props.favourites} {...hand} isOpen={isOpen} onOpenChange={setOpen} /> : null}
      {isWhole ? <Dialogs props={props} open={dialog} onClose={closeDialog} /> : null}
    </div>
  );
}

interface MainProps {
  readonly props: PageProps;
  readonly frame: Frame;
  readonly isWhole: boolean;
}

function Main({ props, frame, isWhole }: MainProps) {
  const { page, on, view } = props;
  // What is not under the finger is painted between its moves.
  const late = useDeferredValue(page);
  return (
    <main
      className="main" id="main" tabIndex={-1} data-view={view.view} data-columns={frame.columns} data-stage={page.stage.kind}
      data-busy={props.isBusy || late !== page || undefined}
    >
      {props.notice === null ? null : (
        <p className="notice" role="alert" data-alarming={props.isAlarming || undefined}>{props.notice} <button type="button" className="link" onClick={on.dismissNotice}>Dismiss</button></p>
      )}
      {page.stage.kind === "failed" ? <p className="unseen" role="alert">{page.stage.message}</p> : null}
      {view.note === "" || props.notice !== null ? null : <p className="notice">{view.note}</p>}
      {view.view === "timeline" ? <Timeline props={props} isPhone={frame.isPhone} /> : <Columns props={props} frame={frame} isWhole={isWhole} late={late} />}
    </main>
  );
}

function Columns({ props, frame, isWhole, late }: MainProps & { readonly late: PageProps["page"] }) {
  const { page, on, sweep, isFaded } = props;
  const { has, isPhone, layout } = frame;
  const isHeld = props.heldKnob !== null;
  const height = isPhone ? 308 : Math.max(400, Math.min(560, layout.height - 500));
  const onMove = useCallback((place: number, phase: "drag" | "commit") => on.knob(sweep.knob, sweep.words?.[place] ?? place, phase), [on, sweep.knob, sweep.words]);
  return (
    <>
      {has("answer") ? <FindingPanel finding={page.finding} isHeld={isHeld} /> : null}
      {has("sure") ? <HowSurePanel howSure={page.howSure} /> : null}
      {has("curve") ? (
        <CurvePanel
          model={page.curve} axes={props.axes} knob={sweep.knob} range={sweep.range} isLocked={sweep.isLocked} isHeld={isHeld} isFaded={isFaded} height={height} brokenLaw={props.brokenLaw}
          onMove={onMove} onAxes={on.axes} onRun={on.run}
        />
      ) : null}
      {has("matrix") && isWhole ? <Matrix a={late.a} b={late.b} accounting={late.accounting} titles={late.titles} isHeld={isHeld} isFaded={isFaded} /> : null}
      {has("events") && late.events !== null ? <EventTable model={late.events} hasA={late.a !== null} isNarrow={isPhone} hasBars={frame.hasBars} /> : null}
    </>
  );
}

function Timeline({ props, isPhone }: { readonly props: PageProps; readonly isPhone: boolean }) {
  const { view, on } = props;
  return (
    <Suspense fallback={<p className="mute">Loading the timeline …</p>}>
      <TimelinePanel
        input={props.timeline} side={view.timelineSide} follow={view.follow} window={view.timelineWindow} nameA={props.nameA} nameB={props.nameB}
        isBusy={props.isBusy} isPhone={isPhone} onSide={on.timelineSide} onFollow={on.follow} onWindow={on.timelineWindow}
      />
    </Suspense>
  );
}
