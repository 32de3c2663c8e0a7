import { useMemo, useState } from "react";
import { Choice } from "../../ui/Choice";
import { HostChoice } from "../../ui/HostChoice";
import { Icon } from "../../ui/Icon";
import { MenuButton } from "../../ui/MenuButton";
import type { KnobEdit, KnobItem } from "./item";
import { HostKnob } from "./HostKnob";
import { KindChoice, useKind } from "./KindChoice";
import { kindOf, kindsOf } from "./kinds";
import { acts, isFront, lineOf, linesOf, type KnobLine } from "./rows";
import { namedVectors, vectorOf } from "./vectors";

export interface ColumnProps {
  readonly items: readonly KnobItem[];
  /** The knob of the drag that is going on. */
  readonly heldKnob: string | null;
  /** The host whose knobs are shown, counted from 1; null: all, side by side. */
  readonly host: number | null;
  readonly hosts: number;
  readonly edit: KnobEdit;
  readonly onHost: (host: number | null) => void;
}

interface GroupsProps extends ColumnProps {
  /** The knob in hand, or the last one that was. */
  readonly inHand: string | null;
  /** One that stands elsewhere. */
  readonly omit?: string | undefined;
  readonly onHand: (key: string) => void;
}

const ALL = "all";

/** Knobs by what they belong to: of several hosts those of one, or of all in one row; else of one instance, or all. */
export function KnobGroups(props: GroupsProps) {
  const { items, host, hosts, onHost } = props;
  const [chosen, setChosen] = useState(ALL);
  const parts = hosts > 1 ? [] : [...new Set(items.flatMap(({ part }) => part ?? []))].toSorted();
  const lines = useMemo(
    () => (hosts > 1 ? linesOf(items, host) : ofInstance(items, chosen)),
    [items, host, hosts, chosen],
  );
  const names = [...new Set(items.toSorted((one, other) => one.groupAt - other.groupAt).map(({ group }) => group))];
  return (
    <>
      <HostChoice of="Knobs of" host={host} hosts={hosts} onHost={onHost} />
      {parts.length < 2 ? null : (
        <div className="knob-instances">
          <span>Knobs of</span>
          <Choice
            label="Knobs of which instance" face="fine" value={chosen} onChange={setChosen}
            options={[
              { value: ALL, label: "all instances" },
              ...parts.map((part) => ({ value: part, label: part.replace("instance", "") })),
            ]}
          />
        </div>
      )}
      {names.map((name) => (
        <Group key={name} {...props} name={name} lines={lines.filter(({ item }) => item.group === name)} />
      ))}
    </>
  );
}

/** Of one host: what is said of all instances, and what of one alone; or what holds for the chosen one. */
function ofInstance(items: readonly KnobItem[], chosen: string): readonly KnobLine[] {
  const isShown = (item: KnobItem): boolean =>
    item.part === null
      ? chosen === ALL || !items.some((other) => other.key === `${item.key}@${chosen}`)
      : item.part === chosen || (chosen === ALL && item.isSaid);
  return items.filter(isShown).map(lineOf);
}

interface GroupProps extends GroupsProps {
  readonly name: string;
  readonly lines: readonly KnobLine[];
}

function Group({ name, lines: all, items, inHand, omit, edit, onHand }: GroupProps) {
  const kinds = kindsOf(all);
  const [kind, setKind] = useKind(kinds, items, inHand);
  const [isOpened, setOpened] = useState<boolean | null>(null);
  const [isWhole, setWhole] = useState(false);
  const [hasIdle, setIdle] = useState(false);
  const lines = all.filter(({ item }) => item.key !== omit);
  const hasFront = lines.some(isFront);
  const isOpen = isOpened ?? hasFront;
  const common = kinds.length === 0 ? lines : lines.filter(({ item }) => kindOf(item) === undefined);
  const own = lines.filter((line) => !common.includes(line) && kindOf(line.item) === kind);
  const acting = common.filter(acts);
  const front = acting.filter(isFront);
  const rest = acting.length - front.length;
  const more = isWhole ? "fewer" : `${rest} more`;
  const idle = [...common, ...own].filter((line) => !acts(line));
  if (lines.length === 0) return null;
  const rows = (list: readonly KnobLine[]) =>
    list.map((line) => <HostKnob key={line.item.key} line={line} edit={edit} onHand={onHand} />);
  return (
    <div className="group" role="group" aria-label={name}>
      <div className="group-head">
        <h3>
          <button type="button" aria-expanded={isOpen} aria-label={name} onClick={() => setOpened(!isOpen)}>
            <Icon name="down" />
            {name}
          </button>
        </h3>
        {!isOpen ? (
          <span className="fine mute">{lines.length}</span>
        ) : rest > 0 && hasFront ? (
          <button
            type="button" className="more" aria-expanded={isWhole} aria-label={`${name}: show ${more}`}
            onClick={() => setWhole((was) => !was)}
          >
            {more}
          </button>
        ) : null}
      </div>
      {!isOpen ? null : (
        <>
          {name === "Host" ? <VectorMenus lines={lines} items={items} edit={edit} /> : null}
          {rows(isWhole || !hasFront ? acting : front)}
          {kinds.length === 0 ? null : <KindChoice kinds={kinds} kind={kind} onKind={setKind} />}
          {rows(own.filter(acts))}
          {idle.length === 0 ? null : (
            <button type="button" className="idle" aria-expanded={hasIdle} onClick={() => setIdle((was) => !was)}>
              {hasIdle
                ? "hide those that do not act here"
                : `${idle.length} that ${idle.length === 1 ? "does" : "do"} not act here`}
            </button>
          )}
          {hasIdle ? rows(idle) : null}
        </>
      )}
    </div>
  );
}

/**
 * Threads of a core and what they do together, by the name of the machine: of all hosts, or of each where they differ.
 */
function VectorMenus({ lines, items, edit }: Pick<GroupProps, "lines" | "items" | "edit">) {
  const [threads, yields] = ["threads_per_core", "smt_yield"].map((key) => lines.find(({ item }) => item.base === key));
  if (threads === undefined || yields === undefined) return null;
  if (!threads.item.isMixed && !yields.item.isMixed)
    return <VectorMenu threads={threads.item} yields={yields.item} whose="" edit={edit} />;
  return threads.parts.map((own) => {
    const other = items.find((item) => item.base === yields.item.key && item.host === own.host);
    return other === undefined ? null : (
      <VectorMenu key={own.key} threads={own} yields={other} whose={`, host ${own.host}`} edit={edit} />
    );
  });
}

interface VectorMenuProps {
  readonly threads: KnobItem;
  readonly yields: KnobItem;
  readonly whose: string;
  readonly edit: KnobEdit;
}

function VectorMenu({ threads, yields, whose, edit }: VectorMenuProps) {
  if (threads.isLocked || yields.isLocked) return null;
  const chosen = vectorOf(Number(threads.value), yields.value);
  const choices = namedVectors.map((one) => ({ ...one, isSelected: one === chosen }));
  const choose = (id: string) => {
    const vector = namedVectors.find((one) => one.id === id);
    if (vector !== undefined) edit.knobs({ [threads.key]: vector.threads, [yields.key]: vector.yields });
  };
  const shown = chosen?.label ?? "as set below";
  const name = `Threads of a core${whose}`;
  return (
    <div className="knob knob-row">
      <span className="knob-name plain">{name}</span>
      <MenuButton
        label={`${name}: ${shown}`} className="choice-menu plain"
        groups={[{ title: `Sets ${threads.key} and ${yields.key}`, choices }]} onChoose={choose}
      >
        <span>{shown}</span>
        <Icon name="down" />
      </MenuButton>
    </div>
  );
}
