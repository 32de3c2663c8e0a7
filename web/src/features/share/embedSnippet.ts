/** The iframe that shows this picture elsewhere. */

export interface Snippet {
  readonly link: string;
  readonly panels: readonly string[];
  readonly show: readonly string[];
  readonly theme: string;
}

const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");

export function embedSnippet({ link, panels, show, theme }: Snippet): string {
  const [page = "", hash = ""] = link.split("#");
  const address = new URL("embed.html", page);
  if (panels.length > 0) address.searchParams.set("panels", panels.join(","));
  if (show.length > 0 && panels.includes("knobs")) address.searchParams.set("show", show.join(","));
  if (theme !== "system") address.searchParams.set("theme", theme);
  address.hash = hash;
  const source = address.toString().replaceAll("%2C", ",");
  return `<iframe src="${escaped(source)}" title="Wait, What If" width="100%" `
    + `height="${panels.includes("matrix") ? 900 : 640}" style="border:0" loading="lazy"></iframe>`;
}
