/**
 * Puts functions of a WebAssembly module that resemble one another side by side, for gzip looks 32 kB back and no
 * further. The order means nothing to the module: its text, in which functions have names, is what is put in order.
 */
import { Told } from "./shell.mjs";
import { bodiesOf } from "./wasm-module.mjs";

/** Bytes of code that count as alike where they stand in two functions: some three instructions. */
const LENGTH = 6;
/** Bytes of code in front of a function that gzip still sees. */
const WINDOW = 30_000;
/** What a function shares is set against its size to this power: with 1 small ones come first, with 0 large ones. */
const POWER = 0.7;

/** Of each body the different pieces in it, by number; and of each piece the bodies that it stands in. */
function piecesOf(bodies) {
  const numbers = new Map();
  const standsIn = [];
  const numberOf = (piece) => {
    if (!numbers.has(piece)) numbers.set(piece, standsIn.push([]) - 1);
    return numbers.get(piece);
  };
  const pieces = bodies.map((body, index) => {
    const found = new Set();
    for (let at = 0; at + LENGTH <= body.length; at++) found.add(numberOf(body.readUIntBE(at, LENGTH)));
    for (const piece of found) standsIn[piece].push(index);
    return [...found];
  });
  return { pieces, standsIn };
}

/** What each body shares with those in the window: `count(index, ±1)` as a body comes into it or leaves it. */
function sharing(bodies) {
  const { pieces, standsIn } = piecesOf(bodies);
  const seen = new Uint32Array(standsIn.length);
  const shared = new Float64Array(bodies.length);
  const count = (index, by) => {
    for (const piece of pieces[index]) {
      const before = seen[piece];
      seen[piece] += by;
      if (before === 0 || seen[piece] === 0) for (const other of standsIn[piece]) shared[other] += by;
    }
  };
  const sizes = pieces.map((own) => (own.length + LENGTH) ** POWER);
  return { count, share: (index) => (shared[index] + 0.5) / sizes[index] };
}

/** The bodies' indices in an order in which each shares much, for its size, with those that stand before it. */
export function orderOf(bodies) {
  const { count, share } = sharing(bodies);
  const left = new Set(bodies.keys());
  const order = [];
  let [first, behind] = [0, 0];
  while (left.size > 0) {
    let [best, most] = [-1, -1];
    for (const index of left) {
      const found = share(index);
      if (found > most) [best, most] = [index, found];
    }
    left.delete(best);
    order.push(best);
    count(best, 1);
    for (behind += bodies[best].length; behind > WINDOW && order[first] !== best; first++) {
      count(order[first], -1);
      behind -= bodies[order[first]].length;
    }
  }
  return order;
}

/**
 * The module's text, as wasm-opt writes it, with the functions in the order in which they compress best. `module`: the
 * same in bytes.
 */
export function ordered(text, module) {
  const start = text.indexOf("\n (func ");
  const end = text.lastIndexOf("\n )") + "\n )".length;
  const functions = text.slice(start, end).split(/(?=\n \(func )/);
  const order = orderOf(bodiesOf(module));
  if (order.length !== functions.length)
    throw new Told(`wasm-opt tells of ${functions.length} functions, the module of ${order.length}`);
  return [text.slice(0, start), ...order.map((index) => functions[index]), text.slice(end)].join("");
}
