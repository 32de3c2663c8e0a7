/** The same scene as a drawing that stands alone. */
import type { Palette } from "./palette";
import type { Scene } from "./scene";

const MARGIN = 16;
const HEADING = 40;
const short = (value: number) => String(Math.round(value * 100) / 100);
const safe = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

export function svgOf({ width, height, cells, lines, labels }: Scene, { css, font }: Palette, title: string): string {
  const parts: string[] = [];
  // Boxes of one colour that follow one another are one path: what lies above another stays above.
  for (let i = 0; i < cells.count;) {
    const tone = cells.tone[i] as number;
    let d = "";
    for (; i < cells.count && cells.tone[i] === tone; i++) {
      const w = short(cells.width[i] as number);
      d += `M${short(cells.x[i] as number)} `
        + `${short(cells.y[i] as number)}h${w}v${short(cells.height[i] as number)}h-${w}z`;
    }
    parts.push(`<path fill="${css[tone]}"${tone === 7 ? ' fill-opacity="0.62"' : ""} d="${d}"/>`);
  }
  for (const { d, tone } of lines) parts.push(`<path fill="none" stroke="${css[tone]}" d="${d}"/>`);
  for (const { x, y, text, tone, anchor, isBold } of labels) {
    parts.push(
      `<text x="${short(x)}" y="${short(y)}" fill="${css[tone]}" `
        + `text-anchor="${anchor ?? "start"}"${isBold ? ' font-weight="600"' : ""}>${safe(text)}</text>`,
    );
  }
  const [wide, tall] = [width + 2 * MARGIN, height + HEADING + MARGIN];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${tall}" viewBox="${-MARGIN} ${-HEADING} ${wide} `
      + `${tall}" font-family="${font.replaceAll('"', "'")}" font-size="12">`
    + `<title>${safe(title)}</title><rect x="${-MARGIN}" y="${-HEADING}" width="${wide}" height="${tall}" `
    + `fill="${css[0]}"/>`
    + `<text y="-16" font-size="15" font-weight="600" fill="${css[1]}">${safe(title)}</text>${parts.join("")}</svg>`
  );
}
