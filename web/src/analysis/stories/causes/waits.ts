/** Waits that leave threads idle, and spinning. */
import { eventOf, heldBy, type Cause } from "../../read/ledger";
import { sessionsOf } from "./cage";
import { ownNoun, type Words } from "./words";

export const latch: Words = {
  cause: "latch", noun: ownNoun,
  headline: ({ b, part }) =>
    `latches keep ${sessionsOf(heldBy(b, "latch", part.node))} spinning or asleep`,
};

export const polling: Words = { cause: "polling", noun: ownNoun, headline: () => "processes poll" };

/** Any other event, by its name. */
export const wait: Words = {
  cause: "wait", noun: ownNoun,
  headline: ({ b, part }) => {
    const held = heldBy(b, part.cause as Cause, part.node);
    return held < 0.05 ? null : `${sessionsOf(held)} in ${eventOf(part.cause)} beside idle threads`;
  },
};
