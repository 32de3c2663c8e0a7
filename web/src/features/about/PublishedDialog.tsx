import type { FigureGroup, FigureTable } from "../../analysis";
import { Icon } from "../../ui/Icon";
import { DialogBox } from "../../ui/DialogBox";
import { Sourced } from "../../ui/Sourced";
import { Fetched, type TextsStage } from "./Fetched";

export interface PublishedDialogProps {
  readonly isOpen: boolean;
  readonly table: FigureTable;
  /** How far the list itself is. */
  readonly stage: TextsStage;
  readonly onGroup: (preset: string) => void;
  readonly onClose: () => void;
}

const HEADS = ["Figure", "Published", "Simulated, ± 95 %", "Error", "Verdict", "Role"];

const VERDICTS =
  "± is half the width of a 95 % interval, of a published figure its own rounding. Inputs and consistency checks are "
    + "met within the tolerance given, outside the interval or not. A prediction is a hit if the published figure, "
    + "give or take that, is inside, a miss if not; cannot tell: the interval is too wide, or there is none.";

/** The links are whole addresses: what begins with # is taken for a way to skip within the page. */
function Group({
  group, onGroup, onClose,
}: { readonly group: FigureGroup } & Pick<PublishedDialogProps, "onGroup" | "onClose">) {
  return (
    <tbody>
      <tr className="figure-group">
        <th scope="rowgroup" colSpan={HEADS.length}>
          <button type="button" aria-expanded={group.isAsked} onClick={() => onGroup(group.preset)}>
            <Icon name="down" />
            {group.title}
            <span className="mute">{group.isAsked ? "" : `run ${group.count}`}</span>
          </button>
        </th>
      </tr>
      {group.rows.map((row) => (
        <tr key={row.id}>
          <th scope="row">
            <a href={`${location.origin}${location.pathname}#v1/${row.query}`} onClick={onClose}>
              {row.what}
            </a>
            {row.note === "" ? null : <small><Sourced text={row.note} /></small>}
          </th>
          <td data-name="Published">
            {row.published}
            {row.rounding === "" ? null : <small>{row.rounding}</small>}
          </td>
          <td data-name="Simulated">
            {row.simulated}
            {row.halfWidth === "" && !row.isTruncated ? null : (
              <small>
                {row.halfWidth}
                {row.isTruncated ? " *" : ""}
              </small>
            )}
          </td>
          <td data-name="Error">{row.error}</td>
          <td data-name="Verdict">
            {row.verdict}
            {row.beside === "" ? null : <small>{row.beside}</small>}
          </td>
          <td data-name="Role">{row.role}</td>
        </tr>
      ))}
    </tbody>
  );
}

/** Every published number beside the simulated one; misses stay. */
export function PublishedDialog({ isOpen, table, stage, onGroup, onClose }: PublishedDialogProps) {
  const { groups, ended, progress } = table;
  return (
    <DialogBox title="Published figures" size="wide" isOpen={isOpen} onClose={onClose}>
      <p>
        What was measured on real machines, beside what this model gives. An input was used to set a knob, so agreeing
        proves nothing; a consistency check follows from inputs; a prediction was not used at all. Each name opens its
        scenario. The figures of an experiment are simulated when it is unfolded.
      </p>
      <p className="mute fine">{VERDICTS}</p>
      <Fetched stage={stage} what="The list" />
      {stage !== "here" ? null : groups.length === 0 ? (
        <p className="mute">There are no published figures.</p>
      ) : (
        <table className="figures">
          <thead>
            <tr>
              {HEADS.map((head) => (
                <th scope="col" key={head}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          {groups.map((group) => (
            <Group key={group.preset} group={group} onGroup={onGroup} onClose={onClose} />
          ))}
        </table>
      )}
      {progress === null || stage !== "here" || !isOpen ? null : (
        <p className="mute fine figures-work" role="group" aria-label="Runs behind the figures">
          Running what stands behind the figures: {progress.done} of {progress.all}{" "}
          {progress.all === 1 ? "run" : "runs"}{" "}
          <progress aria-label="Runs behind the figures done" max={progress.all} value={progress.done} />
        </p>
      )}
      <p className="mute fine" role="status">
        {ended}
      </p>
      <p className="mute fine">* The event budget ended a run before it was as precise as asked.</p>
      <p className="mute fine">
        The command line prints the whole list with <code>npm run -s sim -- validate</code>.
      </p>
    </DialogBox>
  );
}
