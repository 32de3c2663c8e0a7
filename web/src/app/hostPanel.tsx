/** The form of one's own host: knobs of the column in a sentence. Fetched with the scenario that opens on it. */
import type { Measured } from "../analysis";
import type { HostNumber } from "../features/host/HostField";
import type { FitPort } from "../features/host/FitPoints";
import { HostForm } from "../features/host/HostForm";
import { hostNumbers, type NumberKey } from "../features/host/Sentence";
import { readTyped, shownValue, type KnobItem } from "../features/knobs/item";
import { namedVectors } from "../features/knobs/vectors";
import type { ViewProps } from "./panels";

export interface HostModel {
  readonly points: Measured | null;
  readonly isOnCurve: boolean;
}

function numberOf(item: KnobItem): HostNumber {
  return {
    key: item.key, value: Number(item.value), text: shownValue(item.value), isLocked: item.isLocked,
    read: (text) => readTyped(item, text),
  };
}

/** Of POWER the yields are published; a list that is there already follows the threads by itself. */
export function yieldsOf(threads: number, isPower: boolean): Readonly<Record<string, string>> {
  const known = namedVectors.find(({ id }) => id === (threads > 4 ? "power8" : "power7"));
  return isPower && threads > 1 && known !== undefined ? { smt_yield: known.yields } : {};
}

/** What can be found from points: numbers that act, with their parts, but for the load itself. */
export function fitOf({ points }: HostModel, { knobs, on }: ViewProps<HostModel>["at"]["props"]): FitPort {
  const load = points?.load ?? "";
  const can = ({ kind, acts, isLocked, base }: KnobItem): boolean =>
    (kind === "integer" || kind === "number") && acts && !isLocked && base !== load;
  return {
    knobs: knobs.filter(can).map(({ key, group, unit }) => ({ id: key, group, unit })), first: "lio_us",
    rest: (free) => JSON.stringify([knobs.map(({ key, value }) => (key === free ? "" : value)), points]),
    ask: on.fit, take: (key, value) => on.knob(key, value, "commit"),
  };
}

export function HostView({ model, at: { props } }: ViewProps<HostModel>) {
  const { knobs, hostCount, on } = props;
  const itemOf = (key: string): KnobItem | undefined => knobs.find((item) => item.key === key);
  const items = hostNumbers.flatMap((key) => itemOf(key) ?? []);
  const scheduler = itemOf("os_scheduler");
  // A frame may show a few knobs alone.
  if (items.length < hostNumbers.length || scheduler === undefined) return null;
  const numbers = Object.fromEntries(items.map((item) => [item.key, numberOf(item)]));
  const { key, value, choices, isLocked } = scheduler;
  return (
    <HostForm
      numbers={numbers as Record<NumberKey, HostNumber>} scheduler={{ key, value: String(value), choices, isLocked }}
      idle={items.filter((item) => !item.acts).map((item) => item.key)} hosts={hostCount}
      isMixed={items.some((item) => item.isMixed)} edit={on} yieldsOf={yieldsOf} points={model.points}
      isOnCurve={model.isOnCurve} onPoints={on.points} fit={fitOf(model, props)}
    />
  );
}
