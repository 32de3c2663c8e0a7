/** What a host page and the frame say to one another. Everything that comes in is checked before it is believed. */

export const NAMESPACE = "wait-what-if";
export const VERSION = 1;
const LONGEST_LINK = 8192;

export interface FrameState {
  /** `#v1/…`: the whole scenario and view. */
  readonly link: string;
  readonly finding: string;
  readonly stage: string;
}

export type FromHost =
  | { readonly type: "getState"; readonly id: string }
  | { readonly type: "setState"; readonly id: string; readonly link: string };

export type FromFrame =
  | { readonly type: "ready"; readonly state: FrameState }
  | { readonly type: "state"; readonly id: string; readonly state: FrameState }
  | { readonly type: "change"; readonly isUserInitiated: boolean; readonly state: FrameState }
  | { readonly type: "error"; readonly id: string | null; readonly message: string };

export type Heard = { readonly kind: "message"; readonly message: FromHost } | { readonly kind: "refused"; readonly id: string | null; readonly why: string } | { readonly kind: "foreign" };

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
  if (typeof link !== "string" || link.length > LONGEST_LINK) return { kind: "refused", id: named, why: `setState needs a link of at most ${LONGEST_LINK} characters.` };
  return { kind: "message", message: { type, id: named, link } };
}

export function say(message: FromFrame): FromFrame & { readonly ns: string; readonly version: number } {
  return { ns: NAMESPACE, version: VERSION, ...message };
}

/** The one origin that is listened to: the one asked for, else the page that holds the frame. */
export function hostOrigin(asked: string | null, referrer: string): string | null {
  for (const text of asked === null ? [referrer] : [asked]) {
    try {
      const { origin } = new URL(text);
      if (origin !== "null") return origin;
    } catch {
      return null;
    }
  }
  return null;
}
