import { metricWord } from "../../analysis";
import { Icon } from "../../ui/Icon";
import { MenuButton, type MenuGroup } from "../../ui/MenuButton";

export interface Axes {
  readonly y: string;
  readonly x: string;
  readonly metrics: readonly { readonly id: string; readonly title: string; readonly unit: string }[];
  /** The second knob of the map; null: none. */
  readonly by: string | null;
  readonly knobs: readonly {
    readonly id: string;
    readonly group: string;
    readonly acts: boolean;
    /** It can stand across that of the axis. */
    readonly crosses: boolean;
  }[];
  /** A frame holds them where they are. */
  readonly areFixed: boolean;
}

export interface AxesWanted {
  readonly y?: string;
  readonly x?: string;
  readonly by?: string | null;
}

export interface AxisMenusProps {
  readonly axes: Axes;
  readonly onAxes: (axes: AxesWanted) => void;
}

/** Where a metric stands in the menu, by how its name begins. */
const families = [
  ["Server", /^service_/],
  ["CPU", /^(on_cpu|cpu_)/],
  ["Scheduling", /run_queue|switches|migrations|dispatch/],
  ["Throughput and response", /./],
] as const;

function grouped<One extends { readonly id: string; readonly acts?: boolean }>(
  all: readonly One[], groupOf: (one: One) => string, labelOf: (one: One) => string, chosen: string | null,
): readonly MenuGroup[] {
  const titles = [...new Set(all.map(groupOf))];
  return titles.map((title) => ({
    title,
    choices: all
      .filter((one) => groupOf(one) === title)
      .map((one) => ({
        id: one.id, label: labelOf(one), isSelected: one.id === chosen,
        ...(one.acts === false ? { detail: "changes nothing here" } : {}),
      })),
  }));
}

/** Knobs for the horizontal axis, by group. */
export const knobChoices = (knobs: Axes["knobs"], chosen: string | null): readonly MenuGroup[] =>
  grouped(knobs, ({ group }) => group, ({ id }) => id, chosen);

/** What the curve shows, against which knob. */
export function AxisMenus({ axes, onAxes }: AxisMenusProps) {
  const metric = axes.metrics.find(({ id }) => id === axes.y);
  const metrics = grouped(
    axes.metrics, ({ id }) => families.find(([, begins]) => begins.test(id))?.[0] ?? "", ({ title }) => title, axes.y,
  );
  const knobs = knobChoices(axes.knobs, axes.x);
  const shown = metric === undefined ? axes.y : metricWord(metric);
  if (axes.areFixed)
    return (
      <div className="axis-menus">
        <span>{shown}</span>
        <span className="mute">by</span>
        <span className="mono">{axes.x}</span>
        {axes.by === null ? null : <span className="mono">and {axes.by}</span>}
      </div>
    );
  return (
    <div className="axis-menus">
      <MenuButton
        label={`Vertical axis: ${shown}, ${metric?.title ?? axes.y}`} className="axis-menu" groups={metrics}
        onChoose={(y) => onAxes({ y })}
      >
        <span>{shown}</span>
        <Icon name="down" />
      </MenuButton>
      <span className="mute">by</span>
      <MenuButton
        label={`Horizontal axis: ${axes.x}`} className="axis-menu mono" groups={knobs} onChoose={(x) => onAxes({ x })}
      >
        <span>{axes.x}</span>
        <Icon name="down" />
      </MenuButton>
      <SecondKnob axes={axes} onAxes={onAxes} />
    </div>
  );
}

/** As the sentence of the menus goes on: by this knob and no other. */
const NO_OTHER = "no other";

/** A knob across that of the axis: what both do together is the map below. */
export function SecondKnob({ axes: { by, knobs }, onAxes }: AxisMenusProps) {
  const none = { title: "Two knobs", choices: [{ id: "", label: "one knob alone", isSelected: by === null }] };
  return (
    <>
      <span className="mute">and</span>
      <MenuButton
        label={`Second knob, for a map: ${by ?? NO_OTHER}`} className={`axis-menu${by === null ? "" : " mono"}`}
        groups={[none, ...knobChoices(knobs.filter(({ crosses }) => crosses), by)]}
        onChoose={(chosen) => onAxes({ by: chosen === "" ? null : chosen })}
      >
        <span>{by ?? NO_OTHER}</span>
        <Icon name="down" />
      </MenuButton>
    </>
  );
}
