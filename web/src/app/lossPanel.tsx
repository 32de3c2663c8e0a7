/** Where the capacity of the threads goes. The page has it at its end, and is not kept waiting for it. */
import type { LossTableModel } from "../analysis";
import { LossTable } from "../features/lossTable/LossTable";
import type { ViewProps } from "./panels";

export function LossesView({ model, at: { frame } }: ViewProps<LossTableModel>) {
  return <LossTable model={model} isNarrow={frame.isPhone} />;
}
