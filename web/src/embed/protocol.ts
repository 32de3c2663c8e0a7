/** What a host page and the frame say to one another. Everything that comes in is checked before it is believed. */
import type { ToldFigures } from "../analysis";

export const NAMESPACE = "wait-what-if";
export const VERSION = 1;
const LONGEST_LINK = 8192;

export interface FrameState {
  /** `#v1/…`: the whole scenario and view, as they are now. */
  readonly link: string;
  /** The headline, if it is of this scenario; else empty. */
  readonly finding: string;
  /** `empty`: nothing is known of this scenario yet. */
  readonly stage: string;
  /** Something to know that is no error, such as keys of the link that this version does not know; null: nothing. */
  readonly notice: string | null;
}

export type FromHost =
  | { readonly type: "getState"; readonly id: string }
  | { readonly type: "setState"; readonly id: string; readonly link: string };

export type FromFrame =
  | { readonly type: "ready"; readonly state: FrameState }
  /** `isSuperseded`: a later `setState` came before this one could act. */
  | { readonly type: "state"; readonly id: string; readonly state: FrameState; readonly isSuperseded?: true }
  | { readonly type: "change"; readonly isUserInitiated: boolean; readonly state: FrameState }
  /** The answer stands, as precise as asked, or as its budget allows: `stage` says which. Comes after each change. */
  | { readonly type: "settled"; readonly state: FrameState; readonly figures: ToldFigures }
  /** `id`: of the message that is at fault; null where it had none, or where a person's change was refused. */
  | { readonly type: "error"; readonly id: string | null; readonly message: string }
  /** Comes with a port, to a host whose origin is not known; everything else is said there. */
  | { readonly type: "port" };

export type Heard =
  | { readonly kind: "message"; readonly message: FromHost }
  | { readonly kind: "refused"; readonly id: string | null; readonly why: string }
  | { readonly kind: "foreign" };

/** Reads a message. What is not ours is foreign and gets no answer; what is ours but wrong is refused with a reason. */
export function hear(data: unknown): Heard {
  if (typeof data !== "object" || data === null) return { kind: "foreign" };
  const { ns, version, type, id, link } = data as Record<string, unknown>;
  if (ns !== NAMESPACE) return { kind: "foreign" };
  const named = typeof id === "string" && id.length <= 64 ? id : null;
  if (version !== VERSION) return { kind: "refused", id: named, why: `This frame speaks version ${VERSION}.` };
  if (named === null) return { kind: "refused", id: null, why: "A message needs an id of at most 64 characters." };
  if (type === "getState") return { kind: "message", message: { type, id: named } };
  if (type !== "setState") return { kind: "refused", id: named, why: "Known messages: getState, setState." };
  if (typeof link !== "string" || link.length > LONGEST_LINK)
    return { kind: "refused", id: named, why: `setState needs a link of at most ${LONGEST_LINK} characters.` };
  return { kind: "message", message: { type, id: named, link } };
}

export function say(message: FromFrame): FromFrame & { readonly ns: string; readonly version: number } {
  return { ns: NAMESPACE, version: VERSION, ...message };
}

/** Whom the frame speaks with: a page of one origin, whoever holds the port that it hands to its parent, or nobody. */
export type Host =
  { readonly kind: "origin"; readonly origin: string } | { readonly kind: "port" } | { readonly kind: "nobody" };

function originOf(text: string): Host {
  try {
    const { origin } = new URL(text);
    return origin === "null" ? { kind: "nobody" } : { kind: "origin", origin };
  } catch {
    return { kind: "nobody" };
  }
}

/**
 * The origin asked for, else that of the page that holds the frame; a port where any may ask, or where the page does
 * not say who it is.
 */
export function hostOf(asked: string | null, referrer: string): Host {
  if (asked === "*" || (asked === null && referrer === "")) return { kind: "port" };
  return originOf(asked ?? referrer);
}
