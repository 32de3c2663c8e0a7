/** Waits that leave threads idle, and spinning. */
import { eventOf, heldBy, type Cause } from "../../read/ledger";
import { sessionsOf } from "./cage";
import { moreThanA, ownNoun, type Told, type Words } from "./words";

/** Sessions that it holds. */
const held = (told: Told, tell: (sessions: string) => string): string | null =>
  moreThanA(told, (report) => heldBy(report, told.part.cause as Cause, told.part.node), sessionsOf, tell);

export const latch: Words = {
  cause: "latch", noun: ownNoun,
  headline: (told) => held(told, (sessions) => `latches keep ${sessions} spinning or asleep`),
};

export const polling: Words = { cause: "polling", noun: ownNoun, headline: () => "processes poll" };

/** Any other event, by its name. */
export const wait: Words = {
  cause: "wait", noun: ownNoun,
  headline: (told) => held(told, (sessions) => `${sessions} in ${eventOf(told.part.cause)}`),
};
