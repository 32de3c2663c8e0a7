import { ownFile } from "../base/ownFile";

export interface Saved {
  readonly title: string;
  readonly fileName: string;
  readonly rows: () => Rows;
  /** The drawing as SVG text, where it is no SVG on the page. */
  readonly drawing: (() => string | null) | undefined;
  readonly plot: SVGSVGElement | null;
}

/** Saves a chart: its rows as CSV, or its drawing as SVG or PNG. */
export function save(as: string, { title, fileName, rows, drawing, plot }: Saved): void {
  if (as === "csv") return saveText(`${fileName}.csv`, "text/csv", csvOf(rows()));
  const text = drawing?.() ?? (plot === null ? null : svgText(plot, title));
  if (text === null) return;
  void faceText().then((face) => {
    const whole = styled(text, face);
    return as === "svg" ? saveText(`${fileName}.svg`, "image/svg+xml", whole) : savePng(fileName, whole);
  });
}

/** What no attribute says; in the text alone, for a style in the page is what its policy forbids. */
const styled = (svg: string, face: string): string =>
  svg.replace("</title>", (end) => `${end}<style>${face}svg{font-variant-numeric:tabular-nums}</style>`);

/** The page's text face as a rule that holds its file: a picture loads nothing. Empty where it is not to be had. */
async function faceText(): Promise<string> {
  for (const sheet of document.styleSheets)
    for (const rule of sheet.cssRules) {
      const [, address] = (rule instanceof CSSFontFaceRule && /url\("?([^")]+)"?\)/.exec(rule.cssText)) || [];
      if (address === undefined) continue;
      try {
        const bytes = await ownFile(new URL(address, sheet.href ?? document.baseURI));
        const characters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
        return rule.cssText.replace(address, `data:font/woff2;base64,${btoa(characters)}`);
      } catch {
        return "";
      }
    }
  return "";
}

/** Saves a text as a file, from the page itself. */
function saveText(name: string, type: string, text: string): void {
  saveBlob(name, new Blob([text], { type }));
}

function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Paints a stand-alone drawing at twice its size, for slides. */
async function savePng(name: string, drawing: string): Promise<void> {
  const address = URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * 2;
    canvas.height = image.naturalHeight * 2;
    const pen = canvas.getContext("2d");
    if (pen === null) return;
    pen.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => {
      if (blob !== null) saveBlob(`${name}.png`, blob);
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

const cell = (value: string | number | null): string => {
  if (value === null) return "";
  // What differs from zero only by rounding is zero.
  const text = typeof value === "number" ? String(Math.abs(value) < 1e-12 ? 0 : Number(value.toPrecision(9))) : value;
  // A leading =, + or @ would be a formula in a spreadsheet.
  const safe = typeof value === "string" && /^[=+@]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export function csvOf({ columns, rows }: Rows): string {
  return [columns, ...rows].map((row) => row.map(cell).join(",")).join("\n") + "\n";
}

const KEPT = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linejoin",
  "stroke-linecap", "paint-order", "font-family", "font-size", "font-weight", "text-anchor", "opacity",
  "letter-spacing",
] as const;

/** Room around a saved drawing, and above it for its title. */
const MARGIN = 16;
const HEADING = 40;

/** A drawing that stands alone: its title above, the page's styles written into each mark. */
function svgText(svg: SVGSVGElement, title: string): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((mark, i) => {
    const original = originals[i];
    if (original === undefined) return;
    const style = getComputedStyle(original);
    for (const name of KEPT) mark.setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "style"]) mark.removeAttribute(name);
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  for (const name of ["class", "style", "aria-hidden"]) copy.removeAttribute(name);
  const space = "http://www.w3.org/2000/svg";
  const name = document.createElementNS(space, "title");
  name.textContent = title;
  const page = getComputedStyle(document.documentElement);
  const { width, height } = svg.viewBox.baseVal;
  const [wide, tall] = [width + 2 * MARGIN, height + HEADING + MARGIN].map(String) as [string, string];
  const made = (of: string, attributes: Readonly<Record<string, string>>): Element => {
    const one = document.createElementNS(space, of);
    for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
    return one;
  };
  const ground = made("rect", {
    x: `${-MARGIN}`, y: `${-HEADING}`, width: wide, height: tall, fill: page.backgroundColor,
  });
  const heading = made("text", {
    y: "-16", fill: page.color, "font-family": page.fontFamily, "font-size": "15", "font-weight": "600",
  });
  heading.textContent = title;
  copy.prepend(name, ground, heading);
  copy.setAttribute("viewBox", `${-MARGIN} ${-HEADING} ${wide} ${tall}`);
  copy.setAttribute("width", wide);
  copy.setAttribute("height", tall);
  return new XMLSerializer().serializeToString(copy);
}
