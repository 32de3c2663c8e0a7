/** Words and figures that few readers open: fetched when they are shown, not with the page. */
import type { Texts } from "./catalogue";
import address from "./generated/texts.json?url";

/** Rejects where the file is not there or is none. */
export async function fetchTexts(): Promise<Texts> {
  const reply = await fetch(address);
  if (!reply.ok) throw new Error(`${reply.status} ${reply.statusText}`);
  return (await reply.json()) as Texts;
}
