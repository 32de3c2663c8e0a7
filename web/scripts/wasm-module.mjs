/** Just enough of the binary format of a WebAssembly module to find its code in it. Modules are Buffers. */

const HEADER = 8;
const CODE = 10;

/** A number of the module, seven bits a byte, and the place behind it. */
function unsigned(module, from) {
  for (let value = 0, at = from; ; at++) {
    value += (module[at] & 127) * 128 ** (at - from);
    if (module[at] < 128) return [value, at + 1];
  }
}

/** Where what stands in a section begins and ends; nothing where the module has no such section. */
function section(module, kind) {
  for (let at = HEADER, size = 0; at < module.length; at += size) {
    const found = module[at];
    [size, at] = unsigned(module, at + 1);
    if (found === kind) return { at, end: at + size };
  }
  return { at: module.length, end: module.length };
}

/** The bodies of a module's functions, in its order. */
export function bodiesOf(module) {
  const bodies = [];
  const { at, end } = section(module, CODE);
  if (at === end) return bodies;
  for (let [, next] = unsigned(module, at), length = 0; next < end; next += length) {
    [length, next] = unsigned(module, next);
    bodies.push(module.subarray(next, next + length));
  }
  return bodies;
}
