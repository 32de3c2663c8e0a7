import { useMemo, useState } from "react";
import { Choice } from "../../ui/Choice";
import { HostChoice } from "../../ui/HostChoice";
import { Icon } from "../../ui/Icon";
import { MenuButton } from "../../ui/MenuButton";
import type { KnobEdit, KnobItem } from "./item";
import { HostKnob } from "./HostKnob";
import { linesOf, type KnobLine } from "./rows";
import { namedVectors, vectorOf } from "./vectors";

export interface GroupsProps {
  readonly items: readonly KnobItem[];
  /** The host whose knobs are shown, counted from 1; null: all, side by side. */
  readonly host: number | null;
  readonly hosts: number;
  readonly edit: KnobEdit;
  readonly onHand: (key: string) => void;
  readonly onHost: (host: number | null) => void;
}

const ALL = "all";

/** Knobs by what they belong to. */
export function KnobGroups(props: GroupsProps) {
  return props.hosts > 1 ? <HostGroups {...props} /> : <InstanceGroups {...props} />;
}

/** Of several hosts: those of one, or of all in one row. */
function HostGroups({ items, host, hosts, edit, onHand, onHost }: GroupsProps) {
  const lines = useMemo(() => linesOf(items, host), [items, host]);
  return (
    <>
      <HostChoice of="Knobs of" host={host} hosts={hosts} onHost={onHost} />
      <Groups lines={lines} items={items} edit={edit} onHand={onHand} />
    </>
  );
}

/** Of one host: where it has several instances, those of all or of one. */
function InstanceGroups({ items, edit, onHand }: GroupsProps) {
  const [chosen, setChosen] = useState(ALL);
  const parts = [...new Set(items.flatMap((item) => item.part ?? []))].toSorted();
  const isShown = (item: KnobItem): boolean =>
    item.part === null
      ? chosen === ALL || !items.some((other) => other.key === `${item.key}@${chosen}`)
      : item.part === chosen || (chosen === ALL && item.isSaid);
  const lines = items.filter(isShown).map((item) => ({ item, name: item.key, parts: [] }));
  return (
    <>
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
      <Groups lines={lines} items={items} edit={edit} onHand={onHand} />
    </>
  );
}

interface LinesProps {
  readonly lines: readonly KnobLine[];
  readonly items: readonly KnobItem[];
  readonly edit: KnobEdit;
  readonly onHand: (key: string) => void;
}

function Groups({ lines, items, edit, onHand }: LinesProps) {
  const names = [...new Set(items.toSorted((one, other) => one.groupAt - other.groupAt).map((item) => item.group))];
  return names.map((name) => (
    <Group
      key={name} name={name} lines={lines.filter(({ item }) => item.group === name)} items={items} edit={edit}
      onHand={onHand}
    />
  ));
}

const isPrincipal = ({ item, parts }: KnobLine): boolean =>
  item.isPrincipal || parts.some((part) => part.isPrincipal && part.acts);

interface GroupProps extends LinesProps {
  readonly name: string;
}

function Group({ name, lines, items, edit, onHand }: GroupProps) {
  const acting = lines.filter(({ item }) => item.acts);
  const principal = acting.filter(isPrincipal);
  const [isOpened, setOpened] = useState<boolean | null>(null);
  const [isWhole, setWhole] = useState(false);
  const [hasIdle, setIdle] = useState(false);
  const isOpen = isOpened ?? principal.length > 0;
  const rest = acting.length - principal.length;
  const idle = lines.filter(({ item }) => !item.acts);
  const shown = isWhole || principal.length === 0 ? acting : principal;
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
        {isOpen && rest > 0 && principal.length > 0 ? (
          <button
            type="button" className="more" aria-expanded={isWhole}
            aria-label={isWhole ? `${name}: show fewer` : `${name}: show ${rest} more`}
            onClick={() => setWhole((was) => !was)}
          >
            {isWhole ? "fewer" : `${rest} more`}
          </button>
        ) : isOpen ? null : (
          <span className="fine mute">{lines.length}</span>
        )}
      </div>
      {!isOpen ? null : (
        <>
          {name === "Host" ? <VectorMenus lines={lines} items={items} edit={edit} /> : null}
          {rows(shown)}
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
function VectorMenus({ lines, items, edit }: Omit<LinesProps, "onHand">) {
  const [threads, yields] = ["threads_per_core", "smt_yield"].map((key) =>
    lines.find(({ item }) => item.base === key || item.key === key),
  );
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
  const choices = namedVectors.map(({ id, label, detail }) => ({ id, label, detail, isSelected: id === chosen?.id }));
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
