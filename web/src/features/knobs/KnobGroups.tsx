import { useState } from "react";
import { Choice } from "../../ui/Choice";
import { Icon } from "../../ui/Icon";
import { MenuButton } from "../../ui/MenuButton";
import type { KnobEdit, KnobItem } from "./item";
import { Knob } from "./Knob";
import { namedVectors, vectorOf } from "./vectors";

interface GroupsProps {
  readonly items: readonly KnobItem[];
  readonly edit: KnobEdit;
  readonly onHand: (key: string) => void;
}

const ALL = "all";

function nameOf(part: string): string {
  return part.replace("instance", "").replace("node", "host ");
}

/** Knobs by what they belong to. Where there are several instances or hosts, those of all or of one. */
export function KnobGroups({ items, edit, onHand }: GroupsProps) {
  const [chosen, setChosen] = useState(ALL);
  const parts = [...new Set(items.flatMap((item) => item.part ?? []))].toSorted();
  const all = parts.some((part) => part.startsWith("node")) ? "all" : "all instances";
  const isShown = (item: KnobItem): boolean =>
    item.part === null
      ? chosen === ALL || !items.some((other) => other.key === `${item.key}@${chosen}`)
      : item.part === chosen || (chosen === ALL && item.isSaid);
  const names = [...new Set(items.toSorted((one, other) => one.groupAt - other.groupAt).map((item) => item.group))];
  return (
    <>
      {parts.length < 2 ? null : (
        <div className="knob-instances">
          <span>Knobs of</span>
          <Choice
            label="Knobs of which instance" face="fine" value={chosen} onChange={setChosen}
            options={[{ value: ALL, label: all }, ...parts.map((part) => ({ value: part, label: nameOf(part) }))]}
          />
        </div>
      )}
      {names.map((name) => (
        <Group
          key={name} name={name} items={items.filter((item) => item.group === name && isShown(item))} all={items}
          edit={edit} onHand={onHand}
        />
      ))}
    </>
  );
}

interface GroupProps extends GroupsProps {
  readonly name: string;
  readonly all: readonly KnobItem[];
}

function Group({ name, items, all, edit, onHand }: GroupProps) {
  const acting = items.filter((item) => item.acts);
  const principal = acting.filter((item) => item.isPrincipal);
  const [isOpened, setOpened] = useState<boolean | null>(null);
  const [isWhole, setWhole] = useState(false);
  const [hasIdle, setIdle] = useState(false);
  const isOpen = isOpened ?? principal.length > 0;
  const rest = acting.length - principal.length;
  const idle = items.filter((item) => !item.acts);
  const shown = isWhole || principal.length === 0 ? acting : principal;
  const rows = (list: readonly KnobItem[]) =>
    list.map((item) => <Knob key={item.key} item={item} edit={edit} onHand={onHand} />);
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
          <span className="fine mute">{items.length}</span>
        )}
      </div>
      {!isOpen ? null : (
        <>
          {name === "Host" ? <VectorMenu items={all} edit={edit} /> : null}
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

/** Threads of a core and what they do together, by the name of the machine. */
function VectorMenu({ items, edit }: { readonly items: readonly KnobItem[]; readonly edit: KnobEdit }) {
  const [threads, yields] = ["threads_per_core", "smt_yield"].map((key) => items.find((item) => item.key === key));
  if (threads === undefined || yields === undefined || threads.isLocked || yields.isLocked) return null;
  const chosen = vectorOf(Number(threads.value), yields.value);
  const choices = namedVectors.map(({ id, label, detail }) => ({ id, label, detail, isSelected: id === chosen?.id }));
  const choose = (id: string) => {
    const vector = namedVectors.find((one) => one.id === id);
    if (vector !== undefined) edit.knobs({ threads_per_core: vector.threads, smt_yield: vector.yields });
  };
  const shown = chosen?.label ?? "as set below";
  return (
    <div className="knob knob-row">
      <span className="knob-name plain">Threads of a core</span>
      <MenuButton
        label={`Threads of a core: ${shown}`} className="choice-menu plain"
        groups={[{ title: "Sets threads_per_core and smt_yield", choices }]} onChoose={choose}
      >
        <span>{shown}</span>
        <Icon name="down" />
      </MenuButton>
    </div>
  );
}
