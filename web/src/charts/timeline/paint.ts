/**
 * A scene as pixels: boxes are blended by hand, which costs the same for ten and for a hundred thousand; lines and
 * words by the browser.
 */
import type { Palette } from "./palette";
import { TONE, type Cells, type Scene } from "./scene";

/** The part of pixel `i` that lies between `from` and `to`. */
const cover = (i: number, from: number, to: number): number => Math.min(i + 1, to) - Math.max(i, from);

function blend(below: number, above: number, share: number): number {
  const part = (shift: number) => {
    const base = (below >>> shift) & 255;
    return Math.round(base + (((above >>> shift) & 255) - base) * share) << shift;
  };
  return ((255 << 24) | part(16) | part(8) | part(0)) >>> 0;
}

/** Boxes into pixels, in their order; edges that cut a pixel are blended. */
export function fillCells(
  { count, x, y, width, height, tone }: Cells, packed: Uint32Array, pixels: Uint32Array, across: number, down: number,
  scale: number,
): void {
  for (let i = 0; i < count; i++) {
    const left = Math.max(0, (x[i] as number) * scale);
    const top = Math.max(0, (y[i] as number) * scale);
    const right = Math.min(across, ((x[i] as number) + (width[i] as number)) * scale);
    const bottom = Math.min(down, ((y[i] as number) + (height[i] as number)) * scale);
    const colour = packed[tone[i] as number] as number;
    const veil = tone[i] === TONE.veil ? 0.62 : 1;
    const [x0, x1, y1] = [Math.floor(left), Math.ceil(right - 1e-3), Math.ceil(bottom - 1e-3)];
    for (let py = Math.floor(top); py < y1; py++) {
      const high = cover(py, top, bottom) * veil;
      const line = py * across;
      for (let px = x0; px < x1; px++) {
        const share = px > left && px + 1 < right ? high : high * cover(px, left, right);
        pixels[line + px] = share > 0.996 ? colour : blend(pixels[line + px] as number, colour, share);
      }
    }
  }
}

/** What is kept from frame to frame. */
export interface Sheet {
  image: ImageData | null;
  pixels: Uint32Array;
}

export function paintScene(
  pen: CanvasRenderingContext2D, scene: Scene, palette: Palette, scale: number, sheet: Sheet,
): void {
  const [across, down] = [Math.round(scene.width * scale), Math.round(scene.height * scale)];
  if (sheet.image?.width !== across || sheet.image.height !== down) {
    const image = new ImageData(across, down);
    Object.assign(sheet, { image, pixels: new Uint32Array(image.data.buffer) });
  }
  sheet.pixels.fill(palette.packed[TONE.paper] as number);
  fillCells(scene.cells, palette.packed, sheet.pixels, across, down, scale);
  if (sheet.image !== null) pen.putImageData(sheet.image, 0, 0);
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.lineWidth = 1;
  for (const { d, tone } of scene.lines) {
    pen.strokeStyle = palette.css[tone] as string;
    pen.stroke(new Path2D(d));
  }
  pen.textBaseline = "alphabetic";
  for (const { x, y, text, tone, anchor, isBold } of scene.labels) {
    pen.font = `${isBold ? "600 " : ""}12px ${palette.font}`;
    pen.textAlign = anchor === "middle" ? "center" : (anchor ?? "start");
    pen.fillStyle = palette.css[tone] as string;
    pen.fillText(text, x, y);
  }
}
