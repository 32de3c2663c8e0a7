import { memo } from "react";
import type { StatspackEvent, StatspackModel } from "../../analysis/types";
import type { TextsState } from "../../store";
import { Sourced } from "../../ui/Sourced";
import { beforeMoved, formatCount, formatFixed, formatIntervalOf, NONE } from "../../units";

/** Timed events that a report prints. */
const TOP = 5;

type Texts = Extract<TextsState, { kind: "here" }>["texts"];
type Snapshot = Texts["snapshots"][number];

export interface StatspackProps {
  readonly model: StatspackModel;
  readonly side: "A" | "B";
  readonly texts: Texts | null;
}

/** What was published of a run with as many writers. */
function publishedFor({ preset, writers }: StatspackModel, texts: Texts | null): Snapshot | null {
  return texts?.snapshots.find((one) => one.preset === preset && one.writers === writers) ?? null;
}

const whole = (value: number | null): string => (value === null ? "" : formatCount(Math.round(value)));

/** As Statspack prints it; what was published stands beneath, in grey. */
export const Statspack = memo(function Statspack({ model, side, texts }: StatspackProps) {
  const published = publishedFor(model, texts);
  const title = `Statspack of ${side}: ${formatFixed(model.seconds / 60, 0)} minutes`;
  return (
    <section className="statspack" aria-label={title}>
      <h2>{title}</h2>
      {published === null ? null : (
        <p className="mute">
          Published beneath, in grey{beforeMoved(model.moved)}: <Sourced text={published.source} />; the roles of its
          figures stand under Published.
        </p>
      )}
      <EventRows model={model} published={published?.events ?? []} />
      <ProfileRows model={model} published={published?.profile ?? []} />
      {model.classes.length === 0 ? null : <ClassRows model={model} />}
    </section>
  );
});

interface EventRowsProps {
  readonly model: StatspackModel;
  readonly published: Snapshot["events"];
}

/** The top five, and what was among them where it is not. */
function shownOf({ top, others }: StatspackModel, published: Snapshot["events"]): readonly StatspackEvent[] {
  return [...top, ...others.filter(({ event }) => published.some(([name]) => name === event))];
}

function EventRows({ model, published }: EventRowsProps) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Top 5 timed events</th>
          <th scope="col">waits</th>
          <th scope="col">time, s</th>
          <th scope="col">avg ms</th>
          <th scope="col">% total call</th>
        </tr>
      </thead>
      <tbody>
        {shownOf(model, published).map((row) => (
          <EventLines
            key={row.event} row={row} was={published.find(([name]) => name === row.event) ?? null}
            hasPublished={published.length > 0} below={belowWords(published)}
          />
        ))}
      </tbody>
    </table>
  );
}

/** What is not among the five that were printed took less than each of them. */
function belowWords(published: Snapshot["events"]): string {
  return published.length < TOP ? NONE : `< ${whole(Math.min(...published.map(([, , timeS]) => timeS)))}`;
}

interface EventLinesProps {
  readonly row: StatspackEvent;
  readonly was: Snapshot["events"][number] | null;
  readonly hasPublished: boolean;
  readonly below: string;
}

function EventLines({ row, was, hasPublished, below }: EventLinesProps) {
  return (
    <tr>
      <th scope="row">{row.event}</th>
      <td>
        {whole(row.waits)}
        {hasPublished ? <small>{was === null ? NONE : whole(was[1])}</small> : null}
      </td>
      <td>
        {whole(row.timeS)}
        {hasPublished ? <small>{was === null ? below : whole(was[2])}</small> : null}
      </td>
      <td>
        {row.meanMs === null ? "" : formatFixed(row.meanMs, row.meanMs < 10 ? 1 : 0)}
        {hasPublished ? <small>{was === null ? NONE : meanOf(was)}</small> : null}
      </td>
      <td>
        {formatFixed(row.percent, 1)}
        {hasPublished ? <small>{"\u00a0"}</small> : null}
      </td>
    </tr>
  );
}

function meanOf([, waits, timeS]: Snapshot["events"][number]): string {
  if (waits === null) return "";
  const ms = (1000 * timeS) / waits;
  return formatFixed(ms, ms < 10 ? 1 : 0);
}

interface ProfileRowsProps {
  readonly model: StatspackModel;
  readonly published: Snapshot["profile"];
}

function ProfileRows({ model, published }: ProfileRowsProps) {
  const transactions = published.find(([name]) => name === "Transactions")?.[1] ?? null;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Load profile</th>
          <th scope="col">per second</th>
          <th scope="col">per transaction</th>
        </tr>
      </thead>
      <tbody>
        {model.profile.map(({ name, perS, perTransaction }) => {
          const was = published.find(([other]) => other === name)?.[1] ?? null;
          return (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                {perS === null ? "none seen" : formatRate(perS)}
                {was === null ? null : <small>{formatRate(was)}</small>}
              </td>
              <td>
                {perTransaction === null ? "" : formatRate(perTransaction)}
                {was === null || transactions === null || perTransaction === null ? null : (
                  <small>{formatRate(was / transactions)}</small>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** What Statspack does not part: rate and mean response by class. */
function ClassRows({ model }: { readonly model: StatspackModel }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Class of transactions</th>
          <th scope="col">per second ±95 %</th>
          <th scope="col">mean response, ms ±95 %</th>
        </tr>
      </thead>
      <tbody>
        {model.classes.map((row) => (
          <tr key={row.name}>
            <th scope="row">{row.name}</th>
            <Mean value={row.perS} half={row.perSCi95} decimals={0} />
            <Mean value={row.responseMs} half={row.responseCi95} decimals={row.responseMs < 100 ? 2 : 0} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface MeanProps {
  readonly value: number;
  readonly half: number | null;
  readonly decimals: number;
}

const Mean = ({ value, half, decimals }: MeanProps) => (
  <td>
    {formatFixed(value, decimals)} {formatIntervalOf(value, half, decimals)}
  </td>
);

/** Two decimals below a thousand, as the report has them; whole numbers above. */
const formatRate = (value: number): string => (value < 1000 ? formatFixed(value, 2) : whole(value));
