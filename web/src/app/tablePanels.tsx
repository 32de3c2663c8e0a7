/** Tables and charts of instances with redo, of joined instances, and of sessions that end. */
import type { RedoModel, SidesOfBlockTime, SidesOfStatspack, SidesOfTkprof, VariantsModel } from "../analysis";
import { BlockTime } from "../features/blockTime/BlockTime";
import { RedoPanel } from "../features/redo/RedoPanel";
import { Statspack } from "../features/statspack/Statspack";
import { Tkprof } from "../features/tkprof/Tkprof";
import { VariantsPanel } from "../features/variants/VariantsPanel";
import type { ViewProps } from "./panels";

/** Of the side that is chosen, B where both are. */
export function StatspackView({ model, at: { props } }: ViewProps<SidesOfStatspack>) {
  const isA = props.view.side === "A" && model.a !== null;
  const { texts } = props;
  return (
    <Statspack model={isA && model.a !== null ? model.a : model.b} side={isA ? "A" : "B"} texts={texts.texts} />
  );
}

/** Of the side that is chosen, B where both are. */
export function BlockTimeView({ model, at: { props, frame } }: ViewProps<SidesOfBlockTime>) {
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
export function TkprofView({ model, at: { props } }: ViewProps<SidesOfTkprof>) {
  const isA = props.view.side === "A" && model.a !== null;
  const { texts } = props;
  return <Tkprof model={isA && model.a !== null ? model.a : model.b} side={isA ? "A" : "B"} texts={texts.texts} />;
}

export function RedoView({ model, at: { props } }: ViewProps<RedoModel>) {
  return <RedoPanel model={model} isFaded={props.isFaded} />;
}

export function VariantsView({ model, at: { props } }: ViewProps<VariantsModel>) {
  return <VariantsPanel model={model} isFaded={props.isFaded} onRun={props.on.variants} />;
}
