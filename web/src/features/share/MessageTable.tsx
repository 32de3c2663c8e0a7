import { Fragment } from "react";
import { messageRows } from "./messages";

/** What stands between backticks is code. */
function Words({ text }: { readonly text: string }) {
  return text.split("`").map((part, i) => (
    // oxlint-disable-next-line react/no-array-index-key -- the parts of a text that never changes
    <Fragment key={i}>{i % 2 === 1 ? <code>{part}</code> : part}</Fragment>
  ));
}

export function MessageTable() {
  return (
    <details className="messages">
      <summary>All messages, each {"{ns: \"wait-what-if\", version: 1, type, …}"}</summary>
      <dl>
        {messageRows.map(({ from, types, says }) => (
          <Fragment key={types.join()}>
            <dt>
              {from}: <Words text={types.map((type) => `\`${type}\``).join(", ")} />
            </dt>
            <dd>
              <Words text={says} />
            </dd>
          </Fragment>
        ))}
      </dl>
      <p>
        The frame speaks with the page that holds it. One that sends no referrer is named by{" "}
        <code>&amp;origin=https://…</code> in the address, or gets a <code>MessagePort</code> with the message{" "}
        <code>port</code>.
      </p>
    </details>
  );
}
