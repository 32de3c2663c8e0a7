import { useCallback, useDeferredValue, useEffect, useState } from "react";
import { TermsContext } from "../charts/frame/TermsContext";
import { Bar } from "../features/bar/Bar";
import { RepairLine } from "../features/finding/RepairLine";
import { KnobColumn } from "../features/knobs/KnobColumn";
import { KnobSheet } from "../features/knobs/KnobSheet";
import { WorkLine } from "../features/progress/WorkLine";
import { helpIn } from "./help";
import { Dialogs, TimelinePanel } from "./late";
import type { OpenDialog, PageProps } from "./pageProps";
import { PanelList, panels, type Panel, type PanelAt } from "./panels";
import { useFrame } from "./useFrame";
import { useKeys } from "./useKeys";

/** Which dialog is open, if any, and whether there was one yet. */
function useDialog({
  published: onPublished, texts: onTexts,
}: PageProps["on"]): readonly [OpenDialog, (next: OpenDialog) => void, boolean] {
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [hasOpened, setOpened] = useState(false);
  const show = useCallback(
    (next: OpenDialog) => {
      setDialog(next);
      setOpened(true);
      onPublished(next === "published");
      if (next === "leavesOut") onTexts();
    },
    [onPublished, onTexts],
  );
  return [dialog, show, hasOpened];
}

/** The words below the knobs are fetched once there is a page to show them on. */
function useHelp(isShown: boolean, onTexts: () => void): void {
  useEffect(() => {
    if (isShown) onTexts();
  }, [isShown, onTexts]);
}

export function Page(props: PageProps) {
  const [dialog, setDialog, hasDialogs] = useDialog(props.on);
  const [isOpen, setOpen] = useState(false);
  const frame = useFrame(props.panels, isOpen);
  const flipDrawer = useCallback(() => setOpen((was) => !was), []);
  const showKeys = useCallback(() => setDialog("keys"), [setDialog]);
  const closeDialog = useCallback(() => setDialog(null), [setDialog]);
  const showLeftOut = useCallback(() => setDialog("leavesOut"), [setDialog]);
  // The answer and its curve come first, knobs and menus a moment after, and then the matrix.
  const hasHands = props.painted > 0;
  const { view: onView } = props.on;
  const isTimeline = props.view.view === "timeline";
  const flipTimeline = useCallback(() => onView(isTimeline ? "lab" : "timeline"), [onView, isTimeline]);
  useKeys(props.on.past, flipTimeline, showKeys);
  const hasReport = (frame.has("statspack") || frame.has("blocks")) &&
    (props.input.fullB?.report.databases.length ?? 0) > 0;
  const hasHelp = hasHands && (hasReport || (!frame.isPhone && frame.has("knobs")));
  // Terms are explained once there is an answer that has some.
  useHelp(hasHelp || props.page.finding.isSaid, props.on.texts);
  const hand = {
    items: props.knobs, heldKnob: props.heldKnob, edit: props.on, host: props.view.host, hosts: props.hostCount,
    onHost: props.on.host,
  };
  const { isPhone, layout, has } = frame;
  const at = { props, frame, onLeavesOut: showLeftOut, onKeys: showKeys };
  return (
    <div
      className="page" data-layout={layout.name} data-tight={frame.isTight || undefined}
      data-drawer={isOpen ? "open" : "closed"} data-sheet={isOpen ? "open" : "peek"}
      data-embed={props.panels !== null || undefined}
    >
      {props.panels !== null ? null : (
        <>
          <a
            className="skip" href="#main"
            onClick={(event) => {
              event.preventDefault();
              document.getElementById("main")?.focus();
            }}
          >
            To the finding
          </a>
          {hasHands ? (
            <Bar
              title={props.presetTitle} presets={props.presets} preset={props.preset} theme={props.view.theme}
              palette={props.view.palette} layout={layout.name} isTight={layout.width < 1200}
              isSmall={layout.width < 960} isDrawerOpen={isOpen}
              isTimeline={isTimeline} canUndo={props.canUndo} canRedo={props.canRedo} side={props.view.side}
              nameA={props.nameA} nameB={props.nameB} onPreset={props.on.preset} onSide={props.on.side}
              onTexts={props.on.texts} onPast={props.on.past} onOpen={setDialog} onLook={props.on.look}
              onDrawer={flipDrawer} onTimeline={flipTimeline}
            />
          ) : (
            <header className="banner">
              <div className="bar" />
              {isPhone ? <div className="sides" /> : null}
            </header>
          )}
        </>
      )}
      {isPhone || !has("knobs") ? null : hasHands ? (
        <KnobColumn key={props.preset} help={helpIn(props.texts)} {...hand} />
      ) : (
        <aside className="knobs" />
      )}
      <TermsContext value={props.texts.texts?.terms}>
        <Main props={props} rows={panels} at={at} isWhole={props.painted > 1} />
      </TermsContext>
      {props.painted > 1 ? <PanelList rows={panels} place="foot" input={props.input} late={null} at={at} /> : null}
      {isPhone && has("knobs") && hasHands ? (
        <KnobSheet
          key={props.preset} favourites={props.favourites} {...hand} isOpen={isOpen} onOpenChange={setOpen}
        />
      ) : null}
      {hasDialogs ? (
        <Dialogs props={props} open={dialog} onClose={closeDialog} />
      ) : null}
    </div>
  );
}

interface MainProps {
  readonly props: PageProps;
  readonly rows: readonly Panel[];
  readonly at: PanelAt;
  readonly isWhole: boolean;
}

function Main({ props, rows, at, isWhole }: MainProps) {
  const { page, input, on, view } = props;
  // What is not under the finger is painted between its moves.
  const late = useDeferredValue(input);
  const repairWith = (word: string): void => {
    if (props.repair !== null) on.repair(props.repair, word);
  };
  return (
    <main
      className="main" id="main" tabIndex={-1} data-view={view.view} data-columns={at.frame.columns}
      data-opens={input.preset.opens ?? undefined}
      data-stage={page.stage.kind} data-behind={input.isBehind || undefined}
      data-busy={props.isBusy || late !== input || undefined}
    >
      {props.notice === null || (page.stage.kind === "refused" && props.panels === null) ? null : (
        <p className="notice" role="alert" data-alarming={props.isAlarming || undefined}>
          {props.notice}{" "}
          {page.stage.kind === "refused" ? null : (
            <button type="button" className="link" onClick={on.dismissNotice}>
              Dismiss
            </button>
          )}
        </p>
      )}
      {page.stage.kind === "failed" || page.stage.kind === "refused" ? (
        <p className="unseen" role="alert">
          {page.stage.message}
        </p>
      ) : null}
      {props.repair === null || props.panels !== null ? null : (
        <RepairLine repair={props.repair} onRepair={repairWith} />
      )}
      {view.note === "" || props.notice !== null ? null : <p className="notice">{view.note}</p>}
      {props.work === null ? null : <WorkLine work={props.work} onStop={on.stop} onGoOn={on.goOn} />}
      {view.view === "timeline" ? (
        <Timeline props={props} isPhone={at.frame.isPhone} />
      ) : (
        <PanelList rows={rows} place="main" input={input} late={isWhole ? late : null} at={at} />
      )}
    </main>
  );
}

function Timeline({ props, isPhone }: { readonly props: PageProps; readonly isPhone: boolean }) {
  const { view, on } = props;
  return (
    <TimelinePanel
      input={props.timeline} side={view.timelineSide} host={view.host} hosts={props.hostCount} follow={view.follow}
      window={view.timelineWindow} nameA={props.nameA} nameB={props.nameB} isBusy={props.isBusy} isPhone={isPhone}
      onBack={() => on.view("lab")}
      onSide={on.timelineSide} onHost={on.host} onFollow={on.follow} onWindow={on.timelineWindow}
    />
  );
}
