/** Tables and charts of instances with redo, of joined instances, and of sessions that end. */
import type { AnalysisInput } from "../analysis";
import { blockTimeIn, consumerGroupsIn, mapIn, redoIn, statspackIn, tkprofIn, variantsIn } from "../analysis/tables";
import { BlockTime } from "../features/blockTime/BlockTime";
import { ConsumerGroups } from "../features/consumerGroups/ConsumerGroups";
import { MapPanel } from "../features/map/MapPanel";
import { RedoPanel } from "../features/redo/RedoPanel";
import { Statspack } from "../features/statspack/Statspack";
import { Tkprof } from "../features/tkprof/Tkprof";
import { VariantsPanel } from "../features/variants/VariantsPanel";
import type { ViewProps } from "./panels";

/** Of the side that is chosen, B where both are. */
export function StatspackView({ model: input, at: { props } }: ViewProps<AnalysisInput>) {
  const model = statspackIn(input);
  if (model === null) return null;
  const isA = props.view.side === "A" && model.a !== null;
  const { texts } = props;
  return (
    <Statspack model={isA && model.a !== null ? model.a : model.b} side={isA ? "A" : "B"} texts={texts.texts} />
  );
}

/** Of the side that is chosen, B where both are. */
export function BlockTimeView({ model: input, at: { props, frame } }: ViewProps<AnalysisInput>) {
  const model = blockTimeIn(input);
  if (model === null) return null;
  const isA = props.view.side === "A" && model.a !== null;
  const { texts } = props;
  return (
    <BlockTime
      model={isA && model.a !== null ? model.a : model.b} side={isA ? "A" : "B"} texts={texts.texts}
      isNarrow={frame.isPhone}
    />
  );
}

/** Of the side that is chosen, B where both are. */
export function TkprofView({ model: input, at: { props } }: ViewProps<AnalysisInput>) {
  const model = tkprofIn(input);
  if (model === null) return null;
  const isA = props.view.side === "A" && model.a !== null;
  const { texts } = props;
  return <Tkprof model={isA && model.a !== null ? model.a : model.b} side={isA ? "A" : "B"} texts={texts.texts} />;
}

/** Of the side that is chosen, B where both are. */
export function GroupsView({ model: input, at: { props } }: ViewProps<AnalysisInput>) {
  const { a, b } = consumerGroupsIn(input);
  const isA = props.view.side === "A" && a !== null;
  const rows = isA ? a : b;
  return rows === null ? null : <ConsumerGroups rows={rows} side={isA ? "A" : "B"} />;
}

export function RedoView({ model: input, at: { props } }: ViewProps<AnalysisInput>) {
  const model = redoIn(input);
  return model === null ? null : <RedoPanel model={model} isFaded={props.isFaded} />;
}

export function VariantsView({ model: input, at: { props } }: ViewProps<AnalysisInput>) {
  const model = variantsIn(input);
  return model === null ? null : <VariantsPanel model={model} isFaded={props.isFaded} onRun={props.on.variants} />;
}

export function MapView({ model: input, at: { props } }: ViewProps<AnalysisInput>) {
  const model = mapIn(input);
  return model === null ? null : (
    <MapPanel model={model} isHeld={props.heldKnob !== null} isFaded={props.isFaded} onKnobs={props.on.knobs} />
  );
}
