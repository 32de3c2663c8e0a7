import { memo } from "react";
import type { TkprofModel, TkprofStatement } from "../../analysis/types";
import type { TextsState } from "../../store";
import { Sourced } from "../../ui/Sourced";
import { beforeMoved, formatCount, formatFixed, NONE } from "../../units";

type Texts = Extract<TextsState, { kind: "here" }>["texts"];
type Listing = Texts["listings"][number];
type Call = TkprofStatement["calls"][number];

export interface TkprofProps {
  readonly model: TkprofModel;
  readonly side: "A" | "B";
  readonly texts: Texts | null;
}

/** What was published of such a run. */
function publishedFor(model: TkprofModel, { statement }: TkprofStatement, texts: Texts | null): Listing | null {
  const isOf = (one: Listing): boolean =>
    one.preset === model.preset
    && one.statement === statement
    && one.values.every(([key, value]) => String(model.values[key]) === value);
  return texts?.listings.find(isOf) ?? null;
}

/** But for those that say which listing is meant. */
const movedFrom = ({ moved }: TkprofModel, { values }: Listing): readonly string[] =>
  moved.filter((key) => values.every(([own]) => own !== key));

const whole = (value: number): string => formatCount(Math.round(value));
/** One session of many waits less than once on average, and yet for a time. */
const times = (value: number): string => (value > 0 && value < 0.5 ? "<1" : whole(value));
const seconds = (value: number): string => formatFixed(value, 2);

/** Number, in which way it is written, and its place in a published line. */
const COLUMNS: readonly (readonly [Exclude<keyof Call, "call">, (value: number) => string])[] = [
  ["count", whole], ["cpu_s", seconds], ["elapsed_s", seconds], ["disk", whole], ["query", whole], ["current", whole],
  ["rows", whole],
];

/** As tkprof prints it; what was published stands beneath each number, in grey. */
export const Tkprof = memo(function Tkprof({ model, side, texts }: TkprofProps) {
  const of = model.sessions === 1 ? "its session" : `one of ${formatCount(model.sessions)} sessions`;
  const where = model.instance === null ? "" : ` in instance ${model.instance}`;
  const title = `tkprof of ${side}: ${of}${where}`;
  const published = model.statements.map((one) => publishedFor(model, one, texts)).find((one) => one !== null);
  return (
    <section className="tkprof" aria-label={title}>
      <h2>{title}</h2>
      {published === undefined ? null : (
        <p className="mute">
          Published beneath, in grey{beforeMoved(movedFrom(model, published))}:{" "}
          <Sourced text={published.source} />; the roles of its figures stand under Published.
        </p>
      )}
      {model.statements.map((one) => (
        <Statement key={one.statement} one={one} published={publishedFor(model, one, texts)} />
      ))}
    </section>
  );
});

interface StatementProps {
  readonly one: TkprofStatement;
  readonly published: Listing | null;
}

function Statement({ one, published }: StatementProps) {
  return (
    <>
      <p className="sql">
        <code>{published?.text ?? one.name}</code>
        {one.depth > 0 ? <span className="mute"> recursive depth {one.depth}</span> : null}
      </p>
      <table>
        <thead>
          <tr>
            {["call", "count", "cpu", "elapsed", "disk", "query", "current", "rows"].map((head) => (
              <th key={head} scope="col">{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {one.calls.map((call) => <Line key={call.call} call={call} published={published} />)}
        </tbody>
        <tfoot>
          <Line call={totalOf(one.calls)} published={published} />
        </tfoot>
      </table>
      {one.waits.length === 0 ? null : <Waits waits={one.waits} />}
      {published === null ? null : <p className="mute">{published.note}</p>}
    </>
  );
}

interface LineProps {
  readonly call: Call;
  readonly published: Listing | null;
}

function Line({ call, published }: LineProps) {
  const was = published?.calls.find(([name]) => name === call.call) ?? null;
  return (
    <tr>
      <th scope="row">{call.call}</th>
      {COLUMNS.map(([key, format], i) => {
        const printed = was?.[i + 1];
        return (
          <td key={key}>
            {format(call[key])}
            {was === null ? null : <small>{typeof printed === "number" ? format(printed) : NONE}</small>}
          </td>
        );
      })}
    </tr>
  );
}

function totalOf(calls: readonly Call[]): Call {
  const sum = (key: Exclude<keyof Call, "call">): number => calls.reduce((all, call) => all + call[key], 0);
  return {
    call: "total", count: sum("count"), cpu_s: sum("cpu_s"), elapsed_s: sum("elapsed_s"), disk: sum("disk"),
    query: sum("query"), current: sum("current"), rows: sum("rows"),
  };
}

/** Elapsed times include waiting for these. */
function Waits({ waits }: { readonly waits: TkprofStatement["waits"] }) {
  return (
    <table className="waits">
      <thead>
        <tr>
          <th scope="col">Event waited on</th>
          <th scope="col">times waited</th>
          <th scope="col">max. wait, s</th>
          <th scope="col">total waited, s</th>
        </tr>
      </thead>
      <tbody>
        {waits.map((wait) => (
          <tr key={wait.event}>
            <th scope="row">{wait.event}</th>
            <td>{times(wait.times)}</td>
            <td>{seconds(wait.longest_s)}</td>
            <td>{seconds(wait.total_s)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
