/** First sketches of presets as they came out when the page was built: fetched, and shown until they have run here. */

/** Of the model they are from; none where the page is served as it is written. */
const model = import.meta.env["VITE_KEPT"] as string | undefined;

/** Null where there is none. */
export async function fetchKept(preset: string): Promise<unknown> {
  if (model === undefined) return null;
  const reply = await fetch(new URL(`kept/${preset}-${model}.json`, document.baseURI));
  return reply.ok ? await reply.json() : null;
}
