import { existsSync } from "node:fs";
import { platform } from "node:os";
import { nodeProgram } from "../paths.mjs";
import { Told, ask, run, say } from "../shell.mjs";

const onLinux = {
  chromium: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"],
  firefox: ["firefox", "firefox-esr"],
};
const onMac = {
  chromium: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ],
  firefox: ["/Applications/Firefox.app/Contents/MacOS/firefox"],
};
const onWindows = {
  chromium: ["C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe"],
  firefox: ["C:\\Program Files\\Mozilla Firefox\\firefox.exe"],
};
const debianPackage = { chromium: "chromium", firefox: "firefox-esr" };
const ownPath = { chromium: "CHROME_PATH", firefox: "FIREFOX_PATH" };

/** The browser that the reader names or has, or null. */
function installed(kind) {
  const named = process.env[ownPath[kind]];
  if (named) {
    if (!existsSync(named)) throw new Told(`${ownPath[kind]} names ${named}, which is not there`);
    return named;
  }
  if (platform() === "darwin") return onMac[kind].find(existsSync) ?? null;
  if (platform() === "win32") return onWindows[kind].find(existsSync) ?? null;
  return onLinux[kind].map((name) => ask("which", [name])).find(Boolean) ?? null;
}

async function playwrightsOwn(kind) {
  const playwright = await import("@playwright/test");
  const path = playwright[kind].executablePath();
  return path && existsSync(path) ? path : null;
}

async function download(kind) {
  say(`Fetching ${kind} for the tests …`);
  try {
    await run(nodeProgram("playwright"), ["install", kind], { timeoutMs: 180_000 });
    return await playwrightsOwn(kind);
  } catch {
    return null;
  }
}

async function fromTheDistribution(name) {
  if (process.getuid?.() !== 0 || ask("which", ["apt-get"]) === null) return;
  say(`Installing the distribution's ${name} …`);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-qq"], { env });
  await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], { env });
}

/**
 * The path of a browser: one that is installed, else Playwright's own download, else the distribution's package.
 * Firefox is driven by the standard protocol, which Playwright's patched build does not speak: it skips that one.
 */
export async function ensureBrowser(kind) {
  const found =
    installed(kind) ?? (kind === "chromium" ? ((await playwrightsOwn(kind)) ?? (await download(kind))) : null);
  if (found) return found;
  await fromTheDistribution(debianPackage[kind]);
  const path = installed(kind);
  if (path) return path;
  throw new Told(`No ${kind} for the tests: install it, or name one in ${ownPath[kind]}`);
}

const hasArialsWidths = () => /^(Arial|Liberation Sans|Arimo|Helvetica)\b/m.test(ask("fc-list", [":", "family"]) ?? "");

/** A face of Arial's widths, which stands in on the page until its own has come: browsers on Linux may have none. */
export async function ensureStandIn() {
  if (platform() !== "linux" || hasArialsWidths()) return;
  await fromTheDistribution("fonts-liberation");
  if (!hasArialsWidths()) throw new Told("No face of Arial's widths for the tests: install Liberation Sans");
}
