/** What two knobs do together: a value of B, or how it differs from A's, in each place of a grid. */
import { formatKnob, formatShort, unitOf } from "../../units";
import { wordAt, type AnalysisInput, type CurveAnswers, type MapInput, type XAxisInput } from "../read/input";
import { comparesInPercent, scaleFor, type Scale } from "../read/metrics";
import type { DifferencePoint } from "../read/types";
import { curveOf, endlessIn, largestOf } from "./curves";
import { metricWord, spelled } from "./curveTitle";
import type { MapCell, MapModel, MapPlace } from "./types";

/** How two curves are compared, and how sure the sign of a difference is. */
export interface Comparing {
  readonly along: (a: CurveAnswers, b: CurveAnswers, metric: string, scale: Scale) => readonly DifferencePoint[];
  readonly signOf: (point: DifferencePoint) => number;
}

type Row = MapInput["rows"][number];

const placesOf = (axis: XAxisInput, places: readonly number[]): readonly MapPlace[] =>
  places.map((at) => {
    const value = wordAt(axis, at);
    return { at, value, label: typeof value === "number" ? formatKnob(value) : value };
  });

/** Whether it is a first sketch that came out less precise than asked. */
function isSketch({ coarse, fine }: CurveAnswers, x: number, asked: number): boolean {
  const sketch = fine.has(x) ? undefined : coarse.get(x);
  return sketch !== undefined && (sketch.precision === null || sketch.precision > asked);
}

type Told = Pick<MapCell, "value" | "ci95" | "sign">;

/** Of both sides alike there is no difference, and no doubt. */
function differencesIn({ a, b, isCompared }: Row, metric: string, scale: Scale, by: Comparing): Map<number, Told> {
  if (b === null) return new Map();
  const xs = [...b.coarse.keys(), ...b.fine.keys()];
  if (!isCompared) return new Map(xs.map((x) => [x, { value: 0, ci95: 0, sign: 0 }]));
  const points = a === null ? [] : by.along(a, b, metric, scale);
  return new Map(points.map((point) => [point.x, { value: point.value, ci95: point.ci95, sign: by.signOf(point) }]));
}

const valuesIn = ({ b }: Row, metric: string, scale: Scale): Map<number, Told> =>
  new Map(curveOf(b, metric, scale).map(({ x, y, ci95 }) => [x, { value: y, ci95, sign: 0 }]));

function cellsOf(input: AnalysisInput, { rows, xs }: MapInput, values: readonly Map<number, Told>[]): MapCell[] {
  const none: Told = { value: null, ci95: null, sign: 0 };
  return rows.flatMap((row, at) => {
    const endless = new Set(endlessIn(row.b, input.metric.id));
    return xs.map((x): MapCell => ({
      ...(values[at]?.get(x) ?? none),
      isSketch: row.b !== null && isSketch(row.b, x, input.precisionAsked),
      isCut: row.b?.fine.get(x)?.truncated === true || row.a?.fine.get(x)?.truncated === true,
      isEndless: endless.has(x),
    }));
  });
}

/** What can be said of all places, and of so many as are known until all are. */
function titleOf(
  input: AnalysisInput, cells: readonly MapCell[], where: string, unit: string, isDifference: boolean,
): string {
  const word = metricWord(input.metric);
  const known = cells.filter(({ value }) => value !== null);
  const endless = cells.filter(({ isEndless, value }) => isEndless && value === null).length;
  const open = cells.length - known.length - endless;
  const rest = (endless === 0 ? "" : `; without bound in ${endless}`)
    + (open === 0 || known.length === 0 ? "" : `; ${open} of ${cells.length} places are not known`);
  if (known.length === 0) return `${word} ${where}${rest}`;
  if (isDifference) {
    const count = (sign: number): number => known.filter((cell) => cell.sign === sign).length;
    return `${word} ${where}: B above A in ${count(1)} of ${known.length} places, below in ${count(-1)}, `
      + `not told apart in ${count(0)}${rest}`;
  }
  const values = known.map(({ value }) => value ?? 0);
  const [low, high] = [formatShort(Math.min(...values)), formatShort(Math.max(...values))];
  const span = low === high ? low : `${low} to ${high}`;
  return `${word} ${where}: ${span} ${unitOf(high, spelled(unit))}`.trim() + rest;
}

/** Null where no second knob is asked for. */
export function mapModelOf(input: AnalysisInput, by: Comparing): MapModel | null {
  const { map, metric, xAxis, xHandle } = input;
  if (map === null) return null;
  const isDifference = map.rows.some(({ isCompared }) => isCompared);
  const scale = scaleFor(metric.unit, largestOf(map.rows.map(({ b }) => b), metric.id));
  const values = map.rows.map((row) =>
    isDifference ? differencesIn(row, metric.id, scale, by) : valuesIn(row, metric.id, scale));
  const cells = cellsOf(input, map, values);
  const unit = isDifference && comparesInPercent(metric.id) ? "%" : scale.unit;
  const where = `by ${xAxis.knob} and ${map.by.knob}`;
  return {
    title: titleOf(input, cells, where, unit, isDifference), word: metricWord(metric), unit, isDifference,
    xLabel: xAxis.knob, yLabel: map.by.knob, xs: placesOf(xAxis, map.xs),
    ys: placesOf(map.by, map.rows.map(({ place }) => place)),
    x: map.xs.indexOf(xHandle), y: map.rows.findIndex(({ place }) => place === map.place), cells,
  };
}
