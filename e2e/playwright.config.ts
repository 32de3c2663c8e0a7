import { dirname, join } from "node:path";
import { defineConfig } from "@playwright/test";

/** The scripts that start us find a browser and name it here; without a name Playwright takes its own. */
const executablePath = process.env["CHROME_PATH"];
/**
 * Where a run among all other checks leaves its report; by hand there is none, and a failure leaves a trace to look at.
 */
const report = process.env["REPORT_TO"];
const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

export default defineConfig({
  testDir: "specs",
  outputDir: report === undefined ? "results" : join(dirname(report), "results"),
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  retries: 0,
  timeout: 150_000,
  // A label that moved by its own height is some hundred pixels.
  expect: { timeout: 15_000, toMatchSnapshot: { maxDiffPixels: 40 } },
  snapshotPathTemplate: "{testDir}/goldens/{arg}{ext}",
  reporter: report === undefined ? [["list"]] : [["json", { outputFile: report }]],
  globalSetup: "./fixtures/serveSite.ts",
  use: {
    viewport: { width: 1280, height: 900 },
    locale: "en-GB",
    timezoneId: "UTC",
    reducedMotion: "reduce",
    trace: report === undefined ? "retain-on-failure" : "off",
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        ...asRoot,
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
