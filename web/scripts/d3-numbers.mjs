/**
 * Stands for d3-interpolate in the page: D3's scales would find out of what kind their ranges are, colours, dates and
 * texts; ours are of numbers. 1 kB that no visit needs.
 */
export {
  interpolateNumber, interpolateNumber as interpolate, interpolateRound, piecewise,
} from "../../node_modules/d3-interpolate/dist/d3-interpolate.mjs";
