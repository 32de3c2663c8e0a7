/** The choice of the process kind whose knobs are shown, from the true catalogue. */
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { builtCatalogue as catalogue } from "../engine/browserEngine";
import type { KnobItem } from "../features/knobs/item";
import { KnobGroups } from "../features/knobs/KnobGroups";
import { initialState, reduceAll } from "../testing/knobRows";
import { knobItems } from "./knobItems";

const nothing = () => undefined;
const itemsOf = (hash: string): readonly KnobItem[] => {
  const base = new Set(hash.split(/[?&]/).map((pair) => pair.split("=")[0] ?? pair));
  return knobItems()(reduceAll(initialState(catalogue), hash), base, null);
};

interface More {
  readonly inHand?: string;
  readonly omit?: string;
}

/** The group of process kinds, as HTML. */
function drawn(items: readonly KnobItem[], { inHand, omit }: More = {}, hosts = 1): string {
  const edit = { knob: nothing, knobs: nothing, check: () => Promise.reject(new Error("not asked")) };
  const html = renderToStaticMarkup(
    <KnobGroups
      items={items} heldKnob={null} inHand={inHand ?? null} omit={omit} host={null} hosts={hosts} edit={edit}
      onHand={nothing} onHost={nothing}
    />,
  );
  return html.split('class="group"').find((group) => group.includes('aria-label="Process kinds"')) ?? "";
}

const options = (html: string): readonly string[] =>
  [...html.matchAll(/<option[^>]*>([^<]*)/g)].map(([, text]) => text ?? "");
const chosen = (html: string): string | undefined => /<option[^>]*selected=""[^>]*>([^<]*)/.exec(html)?.[1];
const keys = (html: string): readonly string[] =>
  [...html.matchAll(/data-knob="([^"]*)"/g)].map(([, key]) => (key ?? "").replace(/@(?:instance|node)\d+/, ""));
const kinds = (html: string) => new Set(keys(html).flatMap((key) => key.split("@")[1] ?? []));

it("shows the knobs of the kind that the scenario turns on, and of no other; what is of no kind stands above", () => {
  const html = drawn(itemsOf("#v1/starved-lms?background_processes@node3=4"), {}, 3);
  expect(chosen(html)).toBe("lms (1 changed)");
  expect([...kinds(html)]).toEqual(["lms"]);
  expect(keys(html)).toContain("nice@lms");
  expect(html.indexOf('data-knob="background_processes')).toBeGreaterThan(0);
  expect(html.indexOf('data-knob="background_processes')).toBeLessThan(html.indexOf("<select"));
});

it("offers each kind of the catalogue once, those whose knobs do not act here last", () => {
  const html = drawn(itemsOf("#v1/starved-lms"), {}, 3);
  const [here = "", rest = ""] = html.split('<optgroup label="Do not act here">');
  const names = (part: string) => options(part).map((text) => text.split(" ")[0] ?? "");
  expect(names(here)).toEqual(["session", "background", "lgwr", "dbwr", "ckpt", "lms", "heartbeat"]);
  expect(names(html).toSorted()).toEqual(catalogue.process_kinds.map(({ id }) => id).toSorted());
  expect(names(rest)).not.toHaveLength(0);
});

it("counts what is not at its default, and what A has otherwise", () => {
  const marked = (link: string) =>
    options(drawn(itemsOf(`#v1/dbwr-moderate?${link}`))).filter((one) => one.includes("changed"));
  expect(marked("nice@lgwr=-5&background_processes=1")).toEqual(["lgwr (1 changed)"]);
  expect(marked("nice@lgwr=-5&class@lgwr=BATCH&a.nice@ckpt=3")).toEqual(["lgwr (2 changed)", "ckpt (1 changed)"]);
});

it("begins with the first kind that was changed, else with the first that is there", () => {
  expect(chosen(drawn(itemsOf("#v1/dbwr-moderate?nice@dbwr=1&nice@ckpt=1")))).toBe("dbwr (1 changed)");
  // Closed where nothing stands in front; a knob that is no kind's opens it.
  expect(chosen(drawn(itemsOf("#v1/dbwr-moderate?background_processes=2")))).toBe("session");
});

it("follows the knob that comes into the hand, on one host or on several", () => {
  const hash = "#v1/dbwr-moderate?nice@lgwr=-5";
  expect([...kinds(drawn(itemsOf(hash), { inHand: "class@ckpt" }))]).toEqual(["ckpt"]);
  expect([...kinds(drawn(itemsOf(hash), { inHand: "sessions" }))]).toEqual(["lgwr"]);
  expect([...kinds(drawn(itemsOf("#v1/starved-lms"), { inHand: "class@session@instance2" }, 3))]).toEqual(["session"]);
});

it("counts the knob that stands elsewhere, too, but does not show it twice", () => {
  const html = drawn(itemsOf("#v1/dbwr-moderate?nice@lgwr=-5&class@lgwr=BATCH"), { omit: "nice@lgwr" });
  expect(chosen(html)).toBe("lgwr (2 changed)");
  expect(keys(html)).toContain("class@lgwr");
  expect(keys(html)).not.toContain("nice@lgwr");
});

it("shows all of the few knobs that a frame asks for", () => {
  const few = itemsOf("#v1/dbwr-moderate").filter(({ key }) => ["nice@lgwr", "nice@ckpt"].includes(key))
    .map((item) => ({ ...item, isPrincipal: true }));
  const html = drawn(few);
  expect(html).not.toContain("<select");
  expect(keys(html)).toEqual(["nice@lgwr", "nice@ckpt"]);
});
