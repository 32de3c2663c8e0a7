import { DialogBox } from "../../ui/DialogBox";
import { NONE } from "../../units";

export interface PublishedRow {
  readonly id: string;
  readonly what: string;
  readonly published: string;
  readonly simulated: string;
  readonly error: string;
  readonly role: string;
  readonly note: string;
  /** The scenario that simulates it. */
  readonly link: string | null;
}

export interface PublishedDialogProps {
  readonly isOpen: boolean;
  readonly rows: readonly PublishedRow[];
  readonly onClose: () => void;
}

/** Every published number beside the simulated one; misses stay. */
export function PublishedDialog({ isOpen, rows, onClose }: PublishedDialogProps) {
  const hasErrors = rows.some((row) => row.error !== NONE);
  return (
    <DialogBox title="Published figures" size="wide" isOpen={isOpen} onClose={onClose}>
      <p>What was measured on real machines, beside what this model gives. An input was used to set a knob, so agreeing proves nothing; a consistency check follows from inputs; a prediction was not used at all.</p>
      {rows.length === 0 ? <p className="mute">This scenario has no published figures.</p> : (
        <table className="figures">
          <thead>
            <tr><th scope="col">Figure</th><th scope="col">Published</th><th scope="col">{hasErrors ? "Simulated" : "In the model"}</th>{hasErrors ? <th scope="col">Error</th> : null}<th scope="col">Role</th></tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <td>{row.what}{row.note === "" ? null : <span className="mute"> {row.note}</span>}</td>
                <td>{row.published}</td>
                <td>{row.link === null ? row.simulated : <a href={row.link} onClick={onClose} aria-label={`Simulate: ${row.what}`}>{row.simulated === NONE ? "simulate" : row.simulated}</a>}</td>
                {hasErrors ? <td>{row.error}</td> : null}
                <td>{row.role}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="mute fine">The command line prints the whole list with <code>npm run -s sim -- validate</code>.</p>
    </DialogBox>
  );
}
