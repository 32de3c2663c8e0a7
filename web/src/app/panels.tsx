/** The panels of the page: one row each, drawn in the order of the table. */
import { Fragment, useCallback, useMemo, type ComponentType, type ReactNode } from "react";
import {
  curveIn, eventsIn, findingIn, hasDatabase, hasGroups, hasPairs, hasTrace, howSureIn, loadAdvice, lossesIn, matrixIn,
  measuredIn, trustIn,
  type AnalysisInput, type CurveModel, type MatrixModel,
} from "../analysis";
import type { Report } from "../engine";
import { CurvePanel } from "../features/curve/CurvePanel";
import { AdviceLine } from "../features/finding/AdviceLine";
import { FindingPanel } from "../features/finding/FindingPanel";
import { HowSurePanel } from "../features/howSure/HowSurePanel";
import { Matrix } from "../features/matrix/Matrix";
import { TrustStrip } from "../features/trustStrip/TrustStrip";
import { lately } from "../ui/lately";
import type { PageProps } from "./pageProps";
import type * as Tables from "./tablePanels";
import type { Frame } from "./useFrame";

/** Where a panel is drawn, and what it may ask for. */
export interface PanelAt {
  readonly props: Omit<PageProps, "input" | "page">;
  readonly frame: Frame;
  readonly onLeavesOut: () => void;
  readonly onKeys: () => void;
}

interface Row {
  /** As links and frames name it. */
  readonly id: string;
  /** As the page names it where panels are chosen. */
  readonly title: string;
  readonly place: "main" | "foot";
  /** Painted between the moves of a hand, not with them. */
  readonly isLate: boolean;
  /** Of the report of B, null before the first; where it does not apply nothing is worked out. */
  readonly applies: (report: Report | null) => boolean;
}

export interface Panel extends Row {
  readonly draw: (input: AnalysisInput, at: PanelAt) => ReactNode;
}

/** The finding, and what advice is worked out from. */
interface FindingAt {
  readonly finding: ReturnType<typeof findingIn>;
  readonly input: AnalysisInput;
}

export interface ViewProps<Model> {
  readonly model: Model;
  readonly at: PanelAt;
}

/** A row: what a panel shows of an input, null for nothing, and what paints that. */
export function panel<Model>(
  row: Row & {
    readonly model: (input: AnalysisInput) => Model;
    readonly view: ComponentType<ViewProps<NonNullable<Model>>>;
  },
): Panel {
  const { model: modelOf, view: View, ...rest } = row;
  const draw = (input: AnalysisInput, at: PanelAt): ReactNode => {
    const model = modelOf(input);
    return model === null || model === undefined ? null : <View model={model} at={at} />;
  };
  return { ...rest, draw };
}

/** What stands where an answer will. */
export function waitingWords({ isBusy, work }: Pick<PageProps, "isBusy" | "work">): string {
  if (work?.isStopped === true) return "Stopped before the first answer.";
  return isBusy ? `Running ${work?.what ?? "a first sketch"} …` : "Nothing is known of this.";
}

function CurveView({ model, at: { props, frame } }: ViewProps<CurveModel>) {
  const { on, sweep } = props;
  // In a frame, which is as low as its host likes, the finding and the curve are all that must have room.
  const [least, rest] = props.panels === null ? [400, 500] : [280, 340];
  const height = frame.isPhone ? 308 : Math.max(least, Math.min(560, frame.layout.height - rest));
  const onMove = useCallback(
    (place: number, phase: "drag" | "commit") => on.knob(sweep.knob, sweep.words?.[place] ?? place, phase),
    [on, sweep.knob, sweep.words],
  );
  return (
    <CurvePanel
      model={model} axes={props.axes} knob={sweep.knob} range={sweep.range} isLocked={sweep.isLocked}
      isHeld={props.heldKnob !== null} isFaded={props.isFaded} height={height} brokenLaw={props.brokenLaw}
      waiting={waitingWords(props)}
      onMove={onMove} onAxes={on.axes} onRun={on.run}
    />
  );
}

function MatrixView({ model, at: { props } }: ViewProps<MatrixModel>) {
  return (
    <Matrix
      {...model} host={props.view.host} isHeld={props.heldKnob !== null} isFaded={props.isFaded} onHost={props.on.host}
    />
  );
}

const AdviceView = lately(() => loadAdvice().then(({ adviceOf }) =>
  ({ input }: { readonly input: AnalysisInput }) => (
    <AdviceLine key={input.preset.id} sentence={adviceOf(input)} />
  )));

function FindingView({ model: { finding, input }, at: { props } }: ViewProps<FindingAt>) {
  const advice = useMemo(() => <AdviceView input={input} />, [input]);
  return (
    <FindingPanel
      finding={finding} waiting={waitingWords(props)} isSaid={finding.isSaid && props.heldKnob === null} advice={advice}
      hasHinge={input.preset.hinge !== null}
    />
  );
}

/** Tables that few scenarios have come with the first that has them; that at the end of the page comes after it. */
const EventsView = lately(() => import("./capacityPanels").then((loaded) => loaded.EventsView));
const LossesView = lately(() => import("./capacityPanels").then((loaded) => loaded.LossesView));
const HostView = lately(() => import("./hostPanel").then((loaded) => loaded.HostView));
const table = (name: keyof typeof Tables) =>
  lately(() => import("./tablePanels").then((loaded) => loaded[name]));

/** Worked out where it is shown, for few scenarios have it. */
const whole = (input: AnalysisInput): AnalysisInput => input;
const always = (): boolean => true;
const hasRun = (report: Report | null): boolean => report !== null;
const inMain = { place: "main", isLate: false, applies: always } as const;

export const panels: readonly Panel[] = [
  panel({
    ...inMain, id: "host", title: "Your host",
    model: (input) => (input.preset.opens === "host" ? measuredIn(input) : null), view: HostView,
  }),
  panel({
    ...inMain, id: "answer", title: "Finding", model: (input) => ({ finding: findingIn(input), input }),
    view: FindingView,
  }),
  panel({
    ...inMain, id: "sure", title: "How sure", model: howSureIn, view: ({ model }) => <HowSurePanel howSure={model} />,
  }),
  panel({ ...inMain, id: "curve", title: "Curve", model: curveIn, view: CurveView }),
  panel({
    ...inMain, id: "map", title: "Two knobs", isLate: true, applies: hasRun,
    model: (input) => input.map && input, view: table("MapView"),
  }),
  panel({
    ...inMain, id: "blocks", title: "Where a block's time goes", isLate: true, applies: hasPairs, model: whole,
    view: table("BlockTimeView"),
  }),
  panel({
    ...inMain, id: "redo", title: "Redo over time", isLate: true, applies: hasDatabase, model: whole,
    view: table("RedoView"),
  }),
  panel({ ...inMain, id: "matrix", title: "A beside B", isLate: true, model: matrixIn, view: MatrixView }),
  panel({ ...inMain, id: "events", title: "Events", isLate: true, model: eventsIn, view: EventsView }),
  panel({
    ...inMain, id: "statspack", title: "Statspack", isLate: true, applies: hasDatabase, model: whole,
    view: table("StatspackView"),
  }),
  panel({
    ...inMain, id: "tkprof", title: "tkprof", isLate: true, applies: hasTrace, model: whole,
    view: table("TkprofView"),
  }),
  panel({
    ...inMain, id: "groups", title: "Consumer groups", isLate: true, applies: hasGroups, model: whole,
    view: table("GroupsView"),
  }),
  panel({
    ...inMain, id: "variants", title: "Where it could come from", isLate: true, applies: hasRun,
    model: (input) => input.preset.variants && input, view: table("VariantsView"),
  }),
  panel({
    ...inMain, id: "losses", title: "Losses", isLate: true, applies: hasRun, model: lossesIn, view: LossesView,
  }),
  panel({
    id: "trust", title: "Trust strip", place: "foot", isLate: false, applies: always,
    model: (input) => ({ trust: trustIn(input) }),
    view: ({ model, at }) => <TrustStrip trust={model.trust} onLeavesOut={at.onLeavesOut} onKeys={at.onKeys} />,
  }),
];

/** What can be left out of a frame or a link, in the order of the page: the panels, and the knobs before the foot. */
export function partsOf(rows: readonly Panel[]): readonly { readonly id: string; readonly title: string }[] {
  const [main, foot] = [rows.filter(({ place }) => place === "main"), rows.filter(({ place }) => place === "foot")];
  return [...main, { id: "knobs", title: "Knobs" }, ...foot].map(({ id, title }) => ({ id, title }));
}

export interface PanelListProps {
  readonly rows: readonly Panel[];
  readonly place: Row["place"];
  readonly input: AnalysisInput;
  /** The input of those that are painted late; null: not yet. */
  readonly late: AnalysisInput | null;
  readonly at: PanelAt;
}

/** The rows of one place that are asked for and apply. */
export function PanelList({ rows, place, input, late, at }: PanelListProps) {
  return rows.filter((row) => row.place === place && at.frame.has(row.id)).map((row) => {
    const own = row.isLate ? late : input;
    return own !== null && row.applies(own.fullB?.report ?? null) ? (
      <Fragment key={row.id}>{row.draw(own, at)}</Fragment>
    ) : null;
  });
}
