import { expect, type Locator, type Page } from "@playwright/test";

/** Text of an event's row, side B. */
export interface EventFigures {
  readonly meanMs: number;
  readonly sessions: number;
}

/** "64.9 ms", "87 µs", "12.3 s", "–": milliseconds. */
function milliseconds(text: string): number {
  const [number = "", unit = ""] = text.replaceAll(",", "").split(/\s/);
  const factor = { ms: 1, s: 1000, µs: 0.001 }[unit];
  if (factor === undefined) throw new Error(`no duration: ${text}`);
  return Number(number) * factor;
}

/** The page as a person uses it: by names and roles, never by its inner structure. */
export class Lab {
  readonly page: Page;
  readonly headline: Locator;
  readonly events: Locator;

  constructor(page: Page) {
    this.page = page;
    this.headline = page.getByRole("heading", { level: 1 });
    this.events = page.locator("section.events");
  }

  static address(hash = "", file = ""): string {
    const site = process.env["SITE"];
    if (site === undefined) throw new Error("SITE is not set: the site is not being served");
    return `${site}${file}${hash}`;
  }

  async open(hash = ""): Promise<void> {
    await this.page.goto(Lab.address(hash));
    await this.settled();
  }

  /** Waits until nothing is being computed and the answer is as precise as asked. */
  async settled(): Promise<void> {
    await expect(this.page.locator('main[data-stage="settled"]:not([data-busy])')).toBeVisible({ timeout: 100_000 });
  }

  knob(name: string): Locator {
    return this.page.getByRole("slider", { name, exact: true });
  }

  field(name: string): Locator {
    return this.page.getByRole("textbox", { name: `${name}, type a number` });
  }

  async value(name: string): Promise<number> {
    return Number((await this.field(name).inputValue()).replaceAll(",", ""));
  }

  link(): string {
    return new URL(this.page.url()).hash;
  }

  /** The throughput that the curve's handle says for B. */
  async throughput(): Promise<number> {
    const text = await this.page.getByRole("slider", { name: /, on the curve$/ }).getAttribute("aria-valuetext");
    const match = /B ([\d.,]+) M/.exec(text ?? "");
    if (match === null) throw new Error(`the handle says no throughput: ${text}`);
    return Number(match[1]?.replaceAll(",", "")) * 1e6;
  }

  async event(name: string): Promise<EventFigures> {
    const row = this.events.getByRole("row").filter({ has: this.page.getByRole("rowheader", { name, exact: true }) });
    const [, meanB = "", , sessionsB = ""] = await row.getByRole("cell").allInnerTexts();
    return { meanMs: milliseconds(meanB), sessions: Number(sessionsB) };
  }

  /** All that stands in the table of events, for "the same picture". */
  async eventTable(): Promise<string> {
    return this.events.innerText();
  }

  /** Drags a knob's thumb by the mouse until its value is `wanted`, in small steps, as a hand does. */
  async dragTo(name: string, wanted: number): Promise<void> {
    const slider = this.knob(name);
    await slider.scrollIntoViewIfNeeded();
    const thumb = await this.boxOf(slider.locator("xpath=ancestor::*[contains(@class,'slider-thumb')]"));
    const track = await this.boxOf(slider.locator("xpath=ancestor::*[@role='group' and contains(@class,'slider')]"));
    const y = thumb.y + thumb.height / 2;
    let x = thumb.x + thumb.width / 2;
    const direction = wanted < (await this.value(name)) ? -1 : 1;
    await this.page.mouse.move(x, y);
    await this.page.mouse.down();
    while ((await this.value(name)) !== wanted && x > track.x - 20 && x < track.x + track.width + 20) {
      x += direction * 2;
      await this.page.mouse.move(x, y);
    }
    await this.page.mouse.up();
    expect(await this.value(name)).toBe(wanted);
  }

  private async boxOf(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
    const box = await locator.boundingBox();
    if (box === null) throw new Error("not on the screen");
    return box;
  }

  /** Opens the Share dialog, reads the command line for B, and closes it. */
  async commandLine(): Promise<string> {
    await this.page.getByRole("button", { name: "Share", exact: true }).click();
    const text = await this.page.getByRole("textbox", { name: "Command line for side B" }).innerText();
    await this.page.getByRole("button", { name: "Close", exact: true }).click();
    return text;
  }

  async choose(button: string | RegExp, item: string): Promise<void> {
    await this.page.getByRole("button", { name: button }).click();
    await this.page
      .getByRole("menuitem", { name: item })
      .or(this.page.getByRole("menuitemradio", { name: item }))
      .click();
  }
}
