import { useEffect, useRef, useState } from "react";
import type { Fitting } from "../../store";
import { Icon } from "../../ui/Icon";
import { MenuButton, type MenuGroup } from "../../ui/MenuButton";
import { formatKnob } from "../../units";
import { fittedText, triedText } from "./fitText";

export interface FitPort {
  /** What can be found. */
  readonly knobs: readonly { readonly id: string; readonly group: string; readonly unit: string | null }[];
  /** What is offered first. */
  readonly first: string;
  /** All else that the answer holds for: another text, and it is an old answer. */
  readonly rest: (free: string) => string;
  readonly ask: (free: string, hear: (word: Fitting) => void) => () => void;
  readonly take: (free: string, value: number) => void;
}

interface Answer {
  readonly word: Fitting;
  readonly free: string;
  readonly rest: string;
}

function useFit(port: FitPort, free: string) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const halt = useRef<() => void>(() => undefined);
  const rest = port.rest(free);
  const isOld = answer !== null && (answer.free !== free || answer.rest !== rest);
  useEffect(() => {
    if (isOld) halt.current();
  }, [isOld]);
  useEffect(() => () => halt.current(), []);
  const hear = (word: Fitting) => setAnswer({ word, free, rest });
  const begin = () => {
    halt.current();
    hear({ tried: 0, most: 0 });
    const cancel = port.ask(free, hear);
    halt.current = () => {
      cancel();
      // It does not go on when the scenario is as it was again; what was found holds for that still.
      setAnswer((was) => (was !== null && "tried" in was.word ? null : was));
    };
  };
  const stop = () => {
    halt.current();
    setAnswer(null);
  };
  return { word: answer === null || isOld ? null : answer.word, begin, stop };
}

function groupsOf(knobs: FitPort["knobs"], free: string): readonly MenuGroup[] {
  return [...new Set(knobs.map(({ group }) => group))].map((title) => ({
    title,
    choices: knobs.filter(({ group }) => group === title).map(({ id }) => ({ id, label: id, isSelected: id === free })),
  }));
}

/** One knob found from the reader's points. */
export function FitPoints({ port }: { readonly port: FitPort }) {
  const [chosen, choose] = useState(port.first);
  const knob = port.knobs.find(({ id }) => id === chosen) ?? port.knobs[0];
  const { word, begin, stop } = useFit(port, knob?.id ?? "");
  if (knob === undefined) return null;
  const isRunning = word !== null && "tried" in word;
  const fitted = word !== null && "fitted" in word ? word.fitted : null;
  const tells = fitted !== null && !(fitted.isOpenBelow && fitted.isOpenAbove);
  return (
    <div className="host-fit">
      <p>
        Find{" "}
        <MenuButton
          label={`Knob to find: ${knob.id}`} className="choice-menu mono" groups={groupsOf(port.knobs, knob.id)}
          onChoose={choose}
        >
          <span>{knob.id}</span>
          <Icon name="down" />
        </MenuButton>{" "}
        from these points:{" "}
        <button type="button" className="link" onClick={isRunning ? stop : begin}>
          {isRunning ? "Stop" : "Find it"}
        </button>
      </p>
      <div role="status">
        {isRunning ? <p>{triedText(word, knob.id)}</p> : null}
        {fitted === null ? null : (
          <p>{fittedText(fitted, knob.unit)} Taken, it is an input: these points then check nothing any more.</p>
        )}
      </div>
      {word !== null && "wrong" in word ? <p className="knob-wrong" role="alert">{word.wrong}</p> : null}
      {tells ? (
        <button type="button" className="link" onClick={() => port.take(knob.id, fitted.value)}>
          Take {knob.id} {formatKnob(fitted.value)}
        </button>
      ) : null}
    </div>
  );
}
