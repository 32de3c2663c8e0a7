import { existsSync, readFileSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { nodeModules, root } from "../paths.mjs";
import { Told, run, say } from "../shell.mjs";

const oldestNode = "20.19 or newer in the 20 line, or 22.12 or newer";

function nodeIsGoodEnough(version) {
  const [major, minor] = version.split(".").map(Number);
  if (major === 20) return minor >= 19;
  if (major === 22) return minor >= 12;
  return major > 22;
}

/** npm leaves a second lock file in node_modules that says what it really installed. */
function installedAsLocked() {
  const installedFile = join(nodeModules, ".package-lock.json");
  if (!existsSync(installedFile)) return false;
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const installed = JSON.parse(readFileSync(installedFile, "utf8")).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === "" || (installed[path] ? installed[path].version === version : optional === true),
  );
}

/** The first lines of what npm said. */
const firstWords = (error) =>
  String(error?.message ?? error)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, 4)
    .join("\n");

/** Brings node_modules to what package-lock.json says; does nothing when it is there. */
export async function ensureNodePackages() {
  if (!nodeIsGoodEnough(process.versions.node)) {
    throw new Told(`Node.js ${process.versions.node} is too old: install ${oldestNode}, from https://nodejs.org`);
  }
  if (installedAsLocked()) return;
  say("Installing the npm packages …");
  const npm = (...args) =>
    run(platform() === "win32" ? "npm.cmd" : "npm", [...args, "--no-fund", "--no-audit", "--loglevel=error"]);
  try {
    await npm("ci");
  } catch (error) {
    // A lock file written where a registry lacks some platform's binaries does not satisfy `ci`; the versions still
    // hold.
    say(`npm ci: ${firstWords(error)}`);
    say(
      "Installing the same versions with npm install instead: what the lock file has no checksum for is not checked.",
    );
    await npm("install", "--no-save");
  }
}
