/**
 * What the chart says: readouts, the value of the handle, the table behind it, and the note on how far the answer is.
 */
import { hasRatios } from "../../analysis";
import type { CurveModel, CurvePoint, Stage } from "../../analysis/types";
import type { Rows } from "../../ui/download";
import {
  formatBigCount, formatFixed, formatHalfWidth, formatIntervalOf, formatKnob, formatNumber, formatShort, formatSigned,
  unitOf,
} from "../../units";
import { decimalsFor } from "../../units/format";

export interface Reading {
  readonly x: string;
  readonly b: string | null;
  readonly a: string | null;
  readonly difference: string | null;
}

/** All places the cursor can stand on. */
export function placesOf(model: CurveModel): readonly number[] {
  return [...new Set([...model.b, ...model.a].map((p) => p.x))].toSorted((one, other) => one - other);
}

function withInterval({ metric }: CurveModel, point: CurvePoint | undefined): string | null {
  if (point === undefined) return null;
  const decimals = decimalsFor(point.y);
  const interval = hasRatios(metric.id)
    ? formatIntervalOf(point.y, point.ci95, decimals)
    : formatHalfWidth(point.ci95, decimals);
  return [formatFixed(point.y, decimals), interval].filter(Boolean).join(" ");
}

/** B − A in its own unit, signed: +5.5 %, −1.2 sessions. */
export function differenceText({ differenceUnit: unit }: Pick<CurveModel, "differenceUnit">, value: number): string {
  return `${formatSigned(value, decimalsOfDifference(unit, value))}\u00a0${unitOf("", unit)}`;
}

export function differenceWidth(
  { differenceUnit: unit }: Pick<CurveModel, "differenceUnit">, value: number, ci95: number | null,
): string {
  return formatHalfWidth(ci95, decimalsOfDifference(unit, value));
}

function decimalsOfDifference(unit: string, value: number): number {
  if (unit !== "%") return decimalsFor(value);
  return Math.abs(value) >= 1_000 ? 0 : 1;
}

export function readingAt(model: CurveModel, x: number): Reading {
  const difference = model.difference.find((p) => p.x === x);
  const place = formatKnob(x);
  return {
    x: model.xWords === null ? `${place} ${unitOf(place, model.xLabel)}` : `${model.xLabel} ${model.xWords[x] ?? ""}`,
    b: withInterval(model, model.b.find((p) => p.x === x)),
    a: withInterval(model, model.a.find((p) => p.x === x)),
    difference:
      difference === undefined
        ? null
        : [differenceText(model, difference.value), differenceWidth(model, difference.value, difference.ci95)]
            .filter(Boolean)
            .join(" "),
  };
}

/** Some figures are numbers of nothing. */
const withUnit = (shown: string, unit: string): string => (unit === "" ? shown : `${shown} ${unit}`);

export function readingText(reading: Reading, unit: string): string {
  const parts = [
    reading.b === null ? null : withUnit(`B ${reading.b}`, unitOf(reading.b, unit)),
    reading.a === null ? null : `A ${reading.a}`,
    reading.difference === null ? null : `B minus A ${reading.difference}`,
  ];
  return `${reading.x}: ${parts.filter((part) => part !== null).join(", ")}`;
}

export function rowsOf(model: CurveModel): Rows {
  const family = model.family.map((curve) => `${model.familyName} ${curve.label} (${model.unit})`);
  const measured = model.published.filter(({ role }) => role === "measured");
  const all = new Set([...placesOf(model), ...measured.map(({ x }) => x)]);
  const places = [...all].toSorted((one, other) => one - other);
  return {
    columns: [
      model.xLabel, `B (${model.unit})`, "B ±95 %", `A (${model.unit})`, "A ±95 %",
      `B − A (${model.differenceUnit === "%" ? "% of A" : model.differenceUnit})`, "B − A ±95 %", ...family,
      ...(measured.length === 0 ? [] : [`measured (${model.unit})`]),
    ],
    rows: places.map((x) => {
      const b = model.b.find((p) => p.x === x);
      const a = model.a.find((p) => p.x === x);
      const d = model.difference.find((p) => p.x === x);
      return [
        model.xWords === null ? x : (model.xWords[x] ?? ""), b?.y ?? null, b?.ci95 ?? null, a?.y ?? null,
        a?.ci95 ?? null, d?.value ?? null, d?.ci95 ?? null,
        ...model.family.map((curve) => curve.points.find((p) => p.x === x)?.y ?? null),
        ...(measured.length === 0 ? [] : [measured.find((p) => p.x === x)?.y ?? null]),
      ];
    }),
  };
}

const asPercent = (fraction: number | null): string =>
  fraction === null ? "–" : `±${formatShort(fraction * 100, 2)}\u00a0%`;

export type RunKind = "runLonger" | "runAgain" | "copyFault";

export interface Note {
  readonly text: string;
  readonly actions: readonly { readonly label: string; readonly kind: RunKind }[];
  readonly isAlarm: boolean;
}

/** What a run lacks that was stopped: precision, or the certainty that what is counted is no warm-up. */
function lacking({ precision, asked }: Extract<Stage, { kind: "truncated" }>): string {
  const isPrecise = precision !== null && precision <= asked;
  return isPrecise ? ", not sure to have settled" : `, ${formatShort(asked * 100, 2)}\u00a0% asked`;
}

/** How far the answer is. A settled answer needs no words; a broken law comes before everything. */
export function noteOf(stage: Stage, brokenLaw: string | null): Note | null {
  if (brokenLaw !== null && stage.kind !== "failed" && stage.kind !== "refused") {
    return {
      text: `✕ ${brokenLaw}. Do not use this run.`, isAlarm: true,
      actions: [{ label: "Copy scenario and seed", kind: "copyFault" }],
    };
  }
  switch (stage.kind) {
    case "kept":
      return { text: `kept with the page${stage.isStopped ? "" : ", running here"}`, actions: [], isAlarm: false };
    case "coarse":
      return { text: `a first sketch, ${stage.isStopped ? "stopped" : "narrowing"}`, actions: [], isAlarm: false };
    case "refining": {
      const reached = stage.precision === null ? "" : `${asPercent(stage.precision)}, `;
      // What was asked of means may be there before percentiles, or the end of the warm-up, are sure enough.
      const isThere = stage.precision !== null && stage.precision <= stage.asked;
      const text = `${reached}narrowing${isThere ? "" : ` to ${formatShort(stage.asked * 100, 2)}\u00a0%`}`;
      return { text, actions: [], isAlarm: false };
    }
    case "truncated":
      return {
        text: `Stopped after ${formatBigCount(stage.events)} events at ${asPercent(stage.precision)}${lacking(stage)}.`,
        actions: [{ label: "Run longer", kind: "runLonger" }], isAlarm: false,
      };
    case "failed":
      return {
        text: stage.message, isAlarm: true,
        actions: [
          { label: "Run again", kind: "runAgain" }, { label: "Copy scenario and seed", kind: "copyFault" },
        ],
      };
    case "refused":
      return { text: "from before the refusal", isAlarm: true, actions: [] };
    case "empty":
    case "settled":
      return null;
  }
}

/** The value of the handle as it is said: number, unit, result. */
export function handleText(model: CurveModel): string {
  const value = model.b.find((p) => p.x === model.x);
  const shown = value === undefined ? "" : formatNumber(value.y);
  const isOver = model.stage.kind === "settled" || model.stage.kind === "truncated";
  const none = model.endlessB.includes(model.x) ? "without bound" : isOver ? "none" : "not known yet";
  const result = value === undefined ? none : withUnit(shown, unitOf(shown, model.unit));
  const difference = readingAt(model, model.x).difference;
  return `${readingAt(model, model.x).x}, B ${result}${difference === null ? "" : `, ${difference} against A`}`;
}
