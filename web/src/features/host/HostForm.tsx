import { useState, type DragEvent } from "react";
import type { Measured } from "../../analysis";
import { formatCount } from "../../units";
import type { FitPort } from "./FitPoints";
import { readLscpu } from "./lscpu";
import { LscpuPaste, notesOf, useLscpu, type Values } from "./LscpuPaste";
import { PointsPaste, usePoints } from "./PointsPaste";
import { Sentence, type SentenceProps } from "./Sentence";

export interface HostFormProps extends Omit<SentenceProps, "named"> {
  /** Yields to go with so many threads of a core, where they are known of such a CPU. */
  readonly yieldsOf: (threads: number, isPower: boolean) => Values;
  readonly points: Measured | null;
  /** Whether the curve has their axes. */
  readonly isOnCurve: boolean;
  readonly onPoints: (points: Measured | null) => void;
  readonly fit: FitPort;
}

/** Fields of `lscpu` from which on a dropped file is its output. */
const SURELY = 3;

export function HostForm({ yieldsOf, points, isOnCurve, onPoints, fit, ...sentence }: HostFormProps) {
  const [open, setOpen] = useState<"lscpu" | "points" | null>(null);
  const [isOver, setOver] = useState(false);
  const lscpu = useLscpu(sentence.edit, yieldsOf, sentence.scheduler.value);
  const typed = usePoints(onPoints);
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    const text = file === undefined ? event.dataTransfer.getData("text") : await file.text();
    if (text === "") return;
    const isLscpu = readLscpu(text).read >= SURELY;
    (isLscpu ? lscpu : typed).onText(text);
    setOpen(isLscpu ? "lscpu" : "points");
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const turn = (what: "lscpu" | "points") => () => setOpen((was) => (was === what ? null : what));
  const count = points?.rows.length ?? 0;
  return (
    <section
      className="host" aria-label="Your host" data-over={isOver || undefined} onDragOver={over}
      onDragLeave={() => setOver(false)} onDrop={(event) => void drop(event)}
    >
      <Sentence {...sentence} named={open === "lscpu" ? notesOf(lscpu, true) : []} />
      <div className="host-tools">
        <button type="button" className="link" aria-expanded={open === "lscpu"} onClick={turn("lscpu")}>
          Paste lscpu
        </button>
        <button type="button" className="link" aria-expanded={open === "points"} onClick={turn("points")}>
          {count === 0 ? "Add your points" : `Your ${count === 1 ? "point" : `${formatCount(count)} points`}`}
        </button>
      </div>
      {open === "lscpu" ? <LscpuPaste lscpu={lscpu} /> : null}
      {open === "points" ? (
        <PointsPaste typed={typed} points={points} isOnCurve={isOnCurve} onPoints={onPoints} fit={fit} />
      ) : null}
    </section>
  );
}
