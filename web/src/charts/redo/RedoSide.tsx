import { memo } from "react";
import { ROWS, type RedoColumn, type RedoReading } from "./layout";

export interface RedoSideProps {
  readonly column: RedoColumn;
  readonly reading: RedoReading | null;
  readonly cursorX: number | null;
  /** The words of a row stand in the first column. */
  readonly isFirst: boolean;
}

/** In columns as narrow as a phone's. */
const SHORT_WORDS = {
  rate: "commits/s", late: "MB that the checkpoint is late", batch: "commits/write", writers: "writers’ CPUs",
} as const;
const NARROW = 220;

const WORDS = {
  rate: "commits a second", late: "MB of redo that the checkpoint is late", batch: "commits a log write",
  writers: "CPUs of the database writers",
} as const;

/** One column: steps and lines on one clock, stalls through the upper two rows, the warm-up veiled. */
export const RedoSideView = memo(function RedoSideView({ column, reading, cursorX, isFirst }: RedoSideProps) {
  const { left, right } = column.column;
  const line = column.letter === "A" ? "ghost" : "b";
  return (
    <g>
      <g data-class="Configuration">
        {column.stalls.map((stall) => (
          <g key={stall.x}>
            <rect
              className="class stall" x={stall.x} y={ROWS.rate.top} width={stall.width}
              height={ROWS.late.bottom - ROWS.rate.top}
            />
            {stall.label === null ? null : (
              <text className="middle ink" x={stall.label.x} y={ROWS.rate.top - 5}>
                {stall.label.text}
              </text>
            )}
          </g>
        ))}
      </g>
      {(Object.keys(ROWS) as (keyof typeof ROWS)[]).map((row) => (
        <g key={row}>
          <path className="axis" d={`M${left} ${ROWS[row].bottom}H${right}`} />
          <path className={line} d={column.paths[row]} />
        </g>
      ))}
      {column.warmupX === null ? null : <WarmUp left={left} right={column.warmupX} />}
      {(Object.keys(ROWS) as (keyof typeof ROWS)[]).map((row) => (
        <Words key={row} row={row} column={column} reading={reading} isFirst={isFirst} />
      ))}
      {cursorX === null ? null : <path className="cursor" d={`M${cursorX} ${ROWS.rate.top}V${ROWS.writers.bottom}`} />}
      {column.xTicks.map((tick) => (
        <text key={tick.text} className={tick.anchor} x={tick.at} y={ROWS.writers.bottom + 16}>
          {tick.text}
        </text>
      ))}
    </g>
  );
});

/** A line of type above the first row, where stalls have their lengths. */
const LABELS = 18;

/** As the sessions above it: what comes before is in no figure. */
function WarmUp({ left, right }: { readonly left: number; readonly right: number }) {
  const top = ROWS.rate.top - LABELS;
  return (
    <>
      <rect className="veil" x={left} y={top} width={right - left} height={ROWS.writers.bottom - top} />
      <path className="parting" d={`M${right} ${top}V${ROWS.writers.bottom}`} />
    </>
  );
}

interface WordsProps extends Pick<RedoSideProps, "column" | "reading" | "isFirst"> {
  readonly row: keyof typeof ROWS;
}

/** What the row shows, and its figure: of the run, or where the cursor stands. */
function Words({ row, column, reading, isFirst }: WordsProps) {
  const y = ROWS[row].words;
  const { left, right } = column.column;
  const ink = column.letter === "B" ? "acc" : "ink";
  const isNarrow = right - left < NARROW;
  const total = row === "late" ? null : column.totals[row];
  const figure = reading === null ? (isNarrow ? (total?.split(" ")[0] ?? null) : total) : reading[row];
  return (
    <>
      {isFirst ? (
        <text className="halo" x={0} y={y}>
          {(isNarrow ? SHORT_WORDS : WORDS)[row]}
        </text>
      ) : null}
      {figure === null ? null : (
        <text className={`end bold ${ink} halo`} x={right} y={y}>
          {column.letter} {figure}
        </text>
      )}
      <path className="hair" d={`M${left} ${ROWS[row].top}v${ROWS[row].bottom - ROWS[row].top}`} />
    </>
  );
}
