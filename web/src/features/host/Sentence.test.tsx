import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { HostNumber } from "./HostField";
import { hostNumbers, Sentence, type NumberKey, type SentenceProps } from "./Sentence";

/** The sentence of a host, its numbers in their fields. */
function said(values: Partial<Record<NumberKey, number>>): string {
  const numberOf = (key: NumberKey, value = 2): HostNumber =>
    ({ key, value, text: String(value), isLocked: false, read: () => ({ value }) });
  const numbers = Object.fromEntries(hostNumbers.map((key) => [key, numberOf(key, values[key])]));
  const scheduler = { key: "os_scheduler", value: "cfs", choices: [], isLocked: true };
  const text = renderToStaticMarkup(
    <Sentence
      numbers={numbers as SentenceProps["numbers"]} scheduler={scheduler} idle={[]} hosts={1} isMixed={false}
      named={[]} edit={{} as SentenceProps["edit"]}
    />,
  );
  return text.replaceAll(/<input[^>]* value="(\d+)"[^>]*>/g, "$1").replaceAll("</span>", " ").replaceAll(/<[^>]*>/g, "")
    .replaceAll(/\s+/g, " ");
}

it("has words and verbs that agree with the numbers before them", () => {
  expect(said({})).toContain(
    "2 sockets × 2 cores × 2 threads = 8 under cfs serve 2 sessions that think 2 ms, with cpu_count 2",
  );
  expect(said({ sockets: 1, cores_per_socket: 1, threads_per_core: 1 })).toContain(
    "1 socket × 1 core × 1 thread = 1 under cfs serves 2 sessions that think 2 ms",
  );
  expect(said({ sessions: 1 })).toContain("= 8 under cfs serve 1 session that thinks 2 ms");
});
