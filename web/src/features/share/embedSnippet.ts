/** The iframe that shows this picture elsewhere, and what hears it there. */

export interface ShownKnob {
  readonly key: string;
  readonly isLocked: boolean;
  /** As typed; empty: the end that the scenario has. */
  readonly from: string;
  readonly to: string;
}

export interface Snippet {
  readonly link: string;
  readonly panels: readonly string[];
  readonly knobs: readonly ShownKnob[];
  readonly areAxesLocked: boolean;
  readonly theme: string;
  readonly height: number;
}

/** Ends that are said are said as a pair: of the other that of the slider is taken, where that is on its side. */
export interface Ends {
  /** Of the slider, … */
  readonly min: number;
  readonly max: number;
  /** … and as far as the knob may go at all. */
  readonly least: number;
  readonly most: number;
}

function rangeOf(from: string, to: string, { min, max, least, most }: Ends): string {
  const low = from || (to !== "" && Number(to) <= min ? least : min);
  return `${low}:${to || (from !== "" && Number(from) >= max ? most : max)}`;
}

const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");

/** The address of the frame. `endsOf`: how far knobs go. */
export function embedAddress(
  { link, panels, knobs, areAxesLocked, theme }: Snippet, endsOf: (key: string) => Ends,
): string {
  const [page = "", hash = ""] = link.split("#");
  const address = new URL("embed.html", page);
  const set = (key: string, words: readonly string[]) => {
    if (words.length > 0) address.searchParams.set(key, words.join(","));
  };
  const locked = knobs.filter(({ isLocked }) => isLocked).map(({ key }) => key);
  set("panels", panels);
  if (panels.includes("knobs")) set("show", knobs.map(({ key }) => key));
  set("lock", [...locked, ...(areAxesLocked ? ["axes"] : [])]);
  for (const { key, from, to } of knobs) {
    if (from !== "" || to !== "") address.searchParams.set(`range.${key}`, rangeOf(from, to, endsOf(key)));
  }
  if (theme !== "system") address.searchParams.set("theme", theme);
  address.hash = hash;
  return address.toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
}

export function embedSnippet(address: string, height: number): string {
  return `<iframe id="wait-what-if" src="${escaped(address)}" title="Wait, What If" width="100%" `
    + `height="${height}" style="border:0" loading="lazy"></iframe>`;
}

/** For the page that holds the frame: it stands below the iframe. */
export const listener = `<script>
  addEventListener("message", ({ data, source }) => {
    const frame = document.getElementById("wait-what-if").contentWindow;
    if (source !== frame || data.ns !== "wait-what-if") return;
    if (data.type === "settled") {
      const { b, difference } = data.figures.throughput_lio;
      console.log(data.state.finding, b?.mean, difference?.mean, difference?.ci95);
    }
    if (data.type === "error") console.log("error", data.message);
  });
</script>`;
