import type { BlockTimeModel } from "../../analysis/types";
import { formatFixed, formatShort, NONE } from "../../units";

interface TablesProps {
  readonly model: BlockTimeModel;
}

/** The load of the global cache and its messages as AWR prints them. */
export function CacheTables({ model }: TablesProps) {
  return (
    <>
      <Load model={model} />
      <Messaging model={model} />
      <p className="mute">
        Not modelled: DBWR Fusion writes; sent queue time on ksxp, GES message process time; shares of direct, indirect
        and flow controlled messages.
      </p>
    </>
  );
}

function Head({ title, model }: TablesProps & { readonly title: string }) {
  return (
    <thead>
      <tr>
        <th scope="col">{title}</th>
        {model.instances.map((instance) => (
          <th key={instance} scope="col">
            instance {instance}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Load({ model }: TablesProps) {
  return (
    <table>
      <Head title="Global cache load profile: a second; a transaction beneath" model={model} />
      <tbody>
        {model.load.map(({ name, values }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {values.map(({ perS, perTransaction }, at) => (
              <td key={model.instances[at]}>
                {formatShort(perS)}
                <small>{perTransaction === null ? NONE : formatShort(perTransaction)}</small>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Messaging({ model }: TablesProps) {
  return (
    <table>
      <Head title="Global cache and enqueue services, messaging statistics" model={model} />
      <tbody>
        {model.messaging.map(({ name, values }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {values.map((value, at) => (
              <td key={model.instances[at]}>{value === null ? NONE : formatFixed(value, value < 0.1 ? 3 : 2)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
