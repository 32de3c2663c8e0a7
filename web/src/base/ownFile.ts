/** A file of the page itself. */
export const ownFile = async (address: URL): Promise<Uint8Array> =>
  new Uint8Array(await (await fetch(address)).arrayBuffer());
