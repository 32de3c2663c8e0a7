/** Saves a text as a file, from the page itself. */
export function saveText(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

const cell = (value: string | number | null): string => {
  if (value === null) return "";
  const text = String(value);
  // A leading =, + or @ would be a formula in a spreadsheet.
  const safe = typeof value === "string" && /^[=+@]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export function csvOf({ columns, rows }: Rows): string {
  return [columns, ...rows].map((row) => row.map(cell).join(",")).join("\n") + "\n";
}

const KEPT = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linejoin", "stroke-linecap",
  "paint-order", "font-family", "font-size", "font-weight", "text-anchor", "opacity", "letter-spacing",
] as const;

/** A drawing that stands alone: the page's styles written into each mark. */
export function svgText(svg: SVGSVGElement, title: string): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((mark, i) => {
    const original = originals[i];
    if (original === undefined) return;
    const style = getComputedStyle(original);
    mark.setAttribute("style", KEPT.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
    mark.removeAttribute("class");
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("style", `background:${getComputedStyle(document.documentElement).backgroundColor};font-variant-numeric:tabular-nums`);
  copy.removeAttribute("aria-hidden");
  const name = document.createElementNS("http://www.w3.org/2000/svg", "title");
  name.textContent = title;
  copy.prepend(name);
  return new XMLSerializer().serializeToString(copy);
}
