/**
 * A kind of process that the page has never heard of, from a catalogue and a report made with it
 * (`sim-wasm/crates/scenario/tests/kind_more`): its knobs, events, stays and losses are shown like those of any other.
 */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { knobItems } from "./knobItems";
import { kindLabel, kindsOf } from "../features/knobs/kinds";
import { linesOf } from "../features/knobs/rows";
import { eventTableOf } from "../analysis/sides/eventTable";
import { heldBy, hostLedgers } from "../analysis/read/ledger";
import { recordingIn } from "../analysis/read/recording";
import { indexTimeline } from "../analysis/timeline/timeline";
import { nameOf, staysIn } from "../analysis/timeline/words";
import { builtCatalogue } from "../engine/browserEngine";
import type { Catalogue, Report } from "../engine";
import { initialState, reduceAll } from "../testing/knobRows";

interface Made {
  readonly link: string;
  readonly catalogue: Catalogue;
  readonly report: Report;
  readonly data: readonly number[];
}

const path = new URL("../../../sim-wasm/crates/scenario/tests/kind_more/page.json", import.meta.url);
const { link, catalogue, report, data } = JSON.parse(readFileSync(path, "utf8")) as Made;

/** What the one has more than the other, which must be something. */
function more<T>(all: readonly T[], known: readonly T[]): readonly T[] {
  const left = all.filter((one) => !known.includes(one));
  expect(left.length).toBeGreaterThan(0);
  return left;
}

const [kind] = more(catalogue.process_kinds.map(({ id }) => id), builtCatalogue.process_kinds.map(({ id }) => id));
const knobs = more(catalogue.knobs.map(({ id }) => id), builtCatalogue.knobs.map(({ id }) => id));
const eventsOf = ({ activities }: Catalogue): readonly string[] => activities.map(({ event }) => event);
const events = more(eventsOf(catalogue), eventsOf(builtCatalogue));

it("has its knobs in the column, with the values of the link, and says of its class which host has what", () => {
  const column = (hash: string) =>
    linesOf(knobItems()(reduceAll(initialState(catalogue), hash), new Set(), null), null);
  const lines = column(`#v1/${link}&class@${kind}@instance2=FIFO`);
  const own = lines.filter(({ item }) => knobs.includes(item.base)).map(({ item, parts }) => ({ item, parts }));
  expect(own.map(({ item }) => item.base)).toEqual(knobs);
  for (const { item, parts } of own) {
    const said = new RegExp(`${item.base}(@instance2)?=([^&]+)`).exec(link)?.[2];
    expect([item.base, String(parts.at(-1)?.value)]).toEqual([item.base, said]);
  }
  const classes = lines.find(({ item }) => item.key === `class@${kind}`);
  expect(classes?.parts.map(({ value }) => value)).toEqual(["TS", "FIFO"]);
  const kinds = kindsOf(lines.filter(({ item }) => item.group === classes?.item.group));
  expect(kinds.map(kindLabel)).toContain(`${kind} (1 changed)`);
});

it("has a row for each of its waits in the event table", () => {
  const { rows } = eventTableOf(report, report, false);
  const shown = rows.filter(({ event }) => events.some((own) => event === `${own} (${kind})`));
  expect(shown.length).toBe(events.length);
  for (const { event, class: name, aasB, meanMsB } of shown) {
    const wait = report.waits.find((row) => event.startsWith(row.event));
    expect([event, name, aasB, meanMsB]).toEqual([event, wait?.class, wait?.aas.mean, wait?.mean_ms]);
    expect(name).not.toBe("Other");
  }
});

it("draws its stays on the threads, and names them", () => {
  const shapes = report.nodes.map(({ threads }) => ({ perCore: 1, perSocket: threads, threads }));
  const recording = recordingIn(report, Float64Array.from(data), catalogue.activities, shapes);
  if (recording === null) throw new Error("nothing was recorded");
  expect(recording.kinds).toEqual([kind]);
  const index = indexTimeline(recording);
  expect(nameOf(index, 0)).toContain(kind);
  expect(index.lanes.row.length).toBeGreaterThan(20);
  const told = staysIn(index, recording.fromMs, recording.toMs, 100).rows.flat();
  for (const event of events) expect(told).toContain(event);
});

it("counts its work and its waits in the ledger, by host and instance", () => {
  const own = report.ledger.filter((row) => row.kind === kind);
  expect(own.every(({ node, instance }) => node === 2 && instance === 2)).toBe(true);
  expect(own.find(({ cause }) => cause === "work")?.threads?.mean).toBeGreaterThan(0);
  const [, second] = hostLedgers(report);
  for (const event of events) {
    expect(second?.taken.map(({ cause }) => cause)).toContain(`wait ${event}`);
    expect(heldBy(report, `wait ${event}`, 2, kind)).toBe(own.find((row) => row.event === event)?.processes?.mean);
    expect(heldBy(report, `wait ${event}`, 1, kind)).toBe(0);
    // No session is among them.
    expect(heldBy(report, `wait ${event}`)).toBe(0);
  }
});
