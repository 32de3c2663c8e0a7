/** The global cache as AWR prints it: its load, and its messages. */
import type { Report } from "../../engine";
import { databaseFigure } from "../read/database";
import type { LoadRow, MessagingRow } from "./types";

/** As AWR estimates traffic: bytes of a block, and of a message whatever it is. */
const BLOCK_BYTES = 8192;
const MESSAGE_BYTES = 200;
const KB = 1024;

const figure = (report: Report, id: string, instance: number): number =>
  databaseFigure(report, id, instance)?.mean ?? 0;

type Read = (report: Report, instance: number) => number;

const sumOf = (...ids: readonly string[]): Read => (report, instance) =>
  ids.reduce((sum, id) => sum + figure(report, id, instance), 0);

const received = sumOf("gc_cr_blocks_received_per_s", "gc_current_blocks_received_per_s");
const served = sumOf("gc_cr_blocks_served_per_s", "gc_current_blocks_served_per_s");
const heard = sumOf("gc_messages_heard_per_s");
const told = sumOf("gc_messages_told_per_s");

const LOAD: readonly (readonly [string, Read])[] = [
  ["Global Cache blocks received", received],
  ["Global Cache blocks served", served],
  ["GCS/GES messages received", heard],
  ["GCS/GES messages sent", told],
  ["Estd Interconnect traffic (KB)", (report, instance) => {
    const blocks = received(report, instance) + served(report, instance);
    return (BLOCK_BYTES * blocks + MESSAGE_BYTES * (heard(report, instance) + told(report, instance))) / KB;
  }],
];

/** A second, and a transaction where there are any. */
export function loadOf(report: Report): readonly LoadRow[] {
  return LOAD.map(([name, read]) => ({
    name, values: report.databases.map(({ instance }) => {
      const perS = read(report, instance);
      const transactions = report.instances[instance - 1]?.transactions_per_s.mean ?? 0;
      return { perS, perTransaction: transactions > 0 ? perS / transactions : null };
    }),
  }));
}

const MESSAGING: readonly (readonly [string, string])[] = [
  ["Avg message sent queue time (ms)", "gc_message_send_queue_ms"],
  ["Avg message received queue time (ms)", "gc_message_queue_ms"],
  ["Avg GCS message process time (ms)", "gc_message_process_ms"],
];

/** What commits wait for beyond the write of their redo, by the names of V$SYSSTAT; each with what there has to be. */
const BROADCASTS: readonly (readonly [string, string, string])[] = [
  ["redo write broadcast ack count (% of log writes)", "redo_write_broadcast_ack_percent", "log_writes_per_s"],
  ["redo write broadcast ack time, each (ms)", "redo_write_broadcast_ack_ms", "redo_write_broadcast_ack_percent"],
];

/** Null where no message was sent, or received; commits where some instance tells others of them. */
export function messagingOf(report: Report): readonly MessagingRow[] {
  const rowOf = (name: string, id: string, isThere: (instance: number) => boolean): MessagingRow => ({
    name, values: report.databases.map(({ instance }) => (isThere(instance) ? figure(report, id, instance) : null)),
  });
  const isActive = (instance: number): boolean => told(report, instance) + heard(report, instance) > 0;
  const has = (id: string) => (instance: number): boolean => databaseFigure(report, id, instance) !== null;
  const messages = MESSAGING.map(([name, id]) => rowOf(name, id, isActive));
  const broadcasts = BROADCASTS.map(([name, id, needed]) =>
    rowOf(name, id, (instance) => has(id)(instance) && figure(report, needed, instance) > 0));
  const tells = report.databases.some(({ instance }) => has("redo_write_broadcast_ack_percent")(instance));
  return tells ? [...messages, ...broadcasts] : messages;
}
