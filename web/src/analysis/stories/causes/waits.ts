/** Waits that leave threads idle, and spinning. */
import { eventOf } from "../../read/ledger";
import { held } from "./cage";
import { ownNoun, type Words } from "./words";

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
