import { defineConfig } from "@playwright/test";

/** The scripts that start us find a browser and name it here; without a name Playwright takes its own. */
const executablePath = process.env["CHROME_PATH"];
const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

export default defineConfig({
  testDir: "specs",
  outputDir: "results",
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  retries: 0,
  timeout: 45_000,
  expect: { timeout: 15_000 },
  reporter: process.env["REPORT_TO"] ? [["json", { outputFile: process.env["REPORT_TO"] }]] : [["list"]],
  globalSetup: "./fixtures/serveSite.ts",
  use: {
    viewport: { width: 1280, height: 900 },
    locale: "en-GB",
    timezoneId: "UTC",
    reducedMotion: "reduce",
    trace: "retain-on-failure",
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
