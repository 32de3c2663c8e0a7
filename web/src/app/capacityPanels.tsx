/**
 * What sessions wait for, and where the capacity of the threads goes. The page has both below its answer and curve, and
 * is not kept waiting for them.
 */
import type { EventTableModel, LossTableModel } from "../analysis";
import { EventTable } from "../features/eventTable/EventTable";
import { LossTable } from "../features/lossTable/LossTable";
import type { ViewProps } from "./panels";

export function EventsView({ model, at: { frame } }: ViewProps<EventTableModel>) {
  return <EventTable model={model} isNarrow={frame.isPhone} hasBars={frame.hasBars} />;
}

export function LossesView({ model, at: { frame } }: ViewProps<LossTableModel>) {
  return <LossTable model={model} isNarrow={frame.isPhone} />;
}
