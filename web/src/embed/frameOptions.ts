/**
 * What the address of the frame asks for:
 * `?panels=curve,knobs&show=sessions&lock=cpu_count,axes&range.sessions=1:20&theme=dark&palette=oem&origin=…`.
 */
import { panelNames, type PanelName } from "../app/panelNames";
import { findKnob, splitScope, type Catalogue, type Knob } from "../engine";
import { plainView, type KnobRow, type ViewState } from "../store";

const themes = ["light", "dark", "projector", "system"] as const;
const palettes = ["default", "oem"] as const;
const keys = ["panels", "show", "lock", "theme", "palette", "origin"] as const;
const RANGE = "range.";
/** Panels by what the page and its dialogs call them, where that is not their name. */
const TITLES: ReadonlyMap<string, string> = new Map<string, PanelName>([
  ["your host", "host"], ["finding", "answer"], ["how sure", "sure"], ["where a block's time goes", "blocks"],
  ["redo over time", "redo"], ["a beside b", "matrix"], ["consumer groups", "groups"],
  ["where it could come from", "variants"], ["two knobs", "map"], ["trust strip", "trust"],
]);
/** What stands on the axes of the chart, as `lock` calls it. */
const AXES = "axes";
/** Names of one list. */
const MOST = 64;
/** Of a word that is like none all that there are are told, where they are no more. */
const MOST_NAMED = 16;
/** Two names may differ in so many letters to be taken for one another. */
const MOST_SLIPS = 3;

export interface FrameOptions {
  readonly view: ViewState;
  readonly panels: readonly string[];
  readonly show: readonly string[] | null;
  readonly origin: string | null;
  /** With the ranges that the frame allows. */
  readonly catalogue: Catalogue;
  /** Sentences about what is asked for and is not there. */
  readonly problems: readonly string[];
}

const list = (text: string | null): readonly string[] =>
  (text ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "")
    .slice(0, MOST);

/** Letters that are to be put in, left out or changed to make one word of the other. */
function slips(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (const [i, letter] of one.split("").entries()) {
    const next = [i + 1];
    for (let k = 1; k <= other.length; k++)
      next.push(
        Math.min((row[k] ?? 0) + 1, (next[k - 1] ?? 0) + 1, (row[k - 1] ?? 0) + (other[k - 1] === letter ? 0 : 1)),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The known word that is most like one that is not. */
function nearest(word: string, known: readonly string[]): string | null {
  const near = known
    .map((one) => ({ one, by: slips(word.toLowerCase(), one) }))
    .filter(({ by, one }) => by <= Math.min(MOST_SLIPS, one.length / 2, word.length / 2));
  return near.toSorted((a, b) => a.by - b.by)[0]?.one ?? null;
}

const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** Reads an address; what it cannot make sense of is told, all of it. */
class Reading {
  readonly problems: string[] = [];
  readonly query: URLSearchParams;
  private readonly catalogue: Catalogue;
  private readonly knobs: readonly string[];

  constructor(search: string, catalogue: Catalogue) {
    this.query = new URLSearchParams(search);
    this.catalogue = catalogue;
    this.knobs = catalogue.knobs.map(({ id }) => id);
  }

  private tell(where: string, word: string, what: string, known: readonly string[]): void {
    const like = known.find((one) => one === TITLES.get(word.toLowerCase())) ?? nearest(word, known);
    const all = known.length > MOST_NAMED ? "." : `; there are ${known.join(", ")}.`;
    this.problems.push(
      `This frame’s address: ${where}“${cut(word)}” is no ${what}${like === null ? all : `; is ${like} meant?`}`,
    );
  }

  /** Names that are nothing are told, and left out. */
  names(key: string, what: string, isKnown: (word: string) => boolean, known: readonly string[]): readonly string[] {
    return list(this.query.get(key)).filter((word) => {
      if (!isKnown(word)) this.tell(`${key}: `, word, what, known);
      return isKnown(word);
    });
  }

  knobsIn(key: string, more: readonly string[] = []): readonly string[] {
    const isKnown = (word: string): boolean => more.includes(word) || findKnob(this.catalogue, word) !== null;
    return this.names(key, "knob", isKnown, [...more, ...this.knobs]);
  }

  panels(): readonly string[] {
    const known: readonly string[] = panelNames;
    return this.names("panels", "panel", (word) => known.includes(word), known);
  }

  choice<Word extends string>(key: string, words: readonly Word[], otherwise: Word): Word {
    const said = this.query.get(key);
    const found = words.find((word) => word === said);
    if (said !== null && found === undefined) this.tell(`${key}: `, said, key, words);
    return found ?? otherwise;
  }

  private range(key: string, text: string): readonly [string, readonly [number, number]] | null {
    const id = key.slice(RANGE.length);
    const knob = findKnob(this.catalogue, id);
    if (knob === null || id !== splitScope(id).id) {
      this.tell(RANGE, id, "knob", this.knobs);
      return null;
    }
    const ends = text.split(":").map((word) => (word.trim() === "" ? Number.NaN : Number(word)));
    const [low = Number.NaN, high = Number.NaN] = ends;
    const isNumber = knob.kind === "integer" || knob.kind === "number";
    const isInside = low >= (knob.min ?? low) && high <= (knob.max ?? high);
    if (isNumber && ends.length === 2 && low < high && isInside) return [id, [low, high]];
    this.problems.push(
      isNumber
        ? `This frame’s address: ${key} is two numbers like ${knob.min ?? 1}:${knob.max ?? 100}, within these, not `
          + `“${cut(text)}”.`
        : `This frame’s address: ${id} has no range; it is no number.`,
    );
    return null;
  }

  ranges(): ReadonlyMap<string, readonly [number, number]> {
    const said = [...this.query].filter(([key]) => key.startsWith(RANGE)).slice(0, MOST);
    return new Map(said.map(([key, text]) => this.range(key, text)).filter((one) => one !== null));
  }

  unknown(): void {
    const known: readonly string[] = [...keys, `${RANGE}<knob>`];
    for (const key of [...this.query.keys()].slice(0, MOST))
      if (!known.includes(key) && !key.startsWith(RANGE)) this.tell("", key, "parameter", known);
  }
}

/** Nothing beyond the range can be set, typed or shown. */
function narrowed(catalogue: Catalogue, ranges: ReadonlyMap<string, readonly [number, number]>): Catalogue {
  if (ranges.size === 0) return catalogue;
  const knobs = catalogue.knobs.map((knob): Knob => {
    const [min, max] = ranges.get(knob.id) ?? [knob.min, knob.max];
    return { ...knob, min, max };
  });
  const presets = catalogue.presets.map((preset) => {
    const own = Object.fromEntries([...ranges].map(([id, [min, max]]) => [id, { min, max }]));
    const [from, to] = ranges.get(splitScope(preset.sweep.knob).id) ?? [preset.sweep.from, preset.sweep.to];
    return { ...preset, ranges: { ...preset.ranges, ...own }, sweep: { ...preset.sweep, from, to } };
  });
  return { ...catalogue, knobs, presets };
}

/** Values that the scenario has itself and a range leaves out; those of its link the decoder refuses. */
export function outOfRange(rows: readonly KnobRow[], preset: string): readonly string[] {
  const told = rows.filter(({ isMixed }) => !isMixed).flatMap(({ knob: { id, min, max }, value, valueA }) =>
    [value, valueA]
      .filter((one) => min !== null && max !== null && (Number(one) < min || Number(one) > max))
      .map((one) => `This frame’s address: ${RANGE}${id}=${min}:${max} leaves out ${one}, which ${preset} has.`),
  );
  return [...new Set(told)];
}

export function readFrameOptions(search: string, catalogue: Catalogue): FrameOptions {
  const reading = new Reading(search, catalogue);
  reading.unknown();
  const [asked, show, locked] = [reading.panels(), reading.knobsIn("show"), reading.knobsIn("lock", [AXES])];
  const view: ViewState = {
    ...plainView,
    theme: reading.choice("theme", themes, "system"),
    palette: reading.choice("palette", palettes, "default"),
    held: { locked: locked.filter((word) => word !== AXES), areAxesLocked: locked.includes(AXES) },
  };
  const ranges = reading.ranges();
  return {
    view, panels: asked.length === 0 ? panelNames : asked, show: show.length === 0 ? null : show,
    origin: reading.query.get("origin"), catalogue: narrowed(catalogue, ranges), problems: reading.problems,
  };
}
