/** Words of others, as they are shown: text, and nothing in it that turns a line round or is not seen. */

/** Control characters but ends of lines, separators, and all that sets the direction of writing. */
// oxlint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f]/g;

export function plainText(text: string): string {
  return text.replaceAll(UNSEEN, " ");
}
