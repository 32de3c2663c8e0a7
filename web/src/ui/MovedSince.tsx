/** ", before sockets moved", ", before 2 knobs moved": behind what was published of other values. */
export function MovedSince({ knobs }: { readonly knobs: readonly string[] }) {
  return knobs.length === 0 ? null : `, before ${knobs.length === 1 ? knobs[0] : `${knobs.length} knobs`} moved`;
}
