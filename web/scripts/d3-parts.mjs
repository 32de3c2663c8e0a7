/**
 * Stands for d3-color and d3-format in the built page. D3's scales would ask them for ranges of colours and for labels
 * of ticks; ours have numbers, and `units/` writes the labels: 6 kB that no visit needs.
 */
const unused = () => {
  throw new Error("scales of colours, and labels by D3, are not in the page");
};

export {
  unused as color, unused as cubehelix, unused as hcl, unused as hsl, unused as lab, unused as rgb,
  unused as format, unused as formatPrefix, unused as formatSpecifier,
  unused as precisionFixed, unused as precisionPrefix, unused as precisionRound,
};
