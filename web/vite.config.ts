import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** What the built page may do: load from its own origin, compile wasm, and nothing else. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Only in the build: the development server needs inline scripts and a socket. */
const policyInTheHead: Plugin = {
  name: "content-security-policy",
  apply: "build",
  transformIndexHtml: () => [
    {
      tag: "meta",
      attrs: { "http-equiv": "Content-Security-Policy", content: contentSecurityPolicy },
      injectTo: "head-prepend",
    },
  ],
};

export default defineConfig({
  root: here("."),
  base: "./",
  publicDir: here("../public"),
  plugins: [react(), policyInTheHead],
  worker: { format: "es" },
  build: {
    outDir: here("../dist"),
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: { input: { index: here("index.html"), embed: here("embed.html") } },
  },
  test: {
    root: here("."),
    include: ["src/**/*.test.{ts,tsx}", "scripts/**/*.test.mjs"],
    environment: "node",
    reporters: process.env.CI ? ["default"] : ["default"],
    env: { TZ: "UTC" },
    testTimeout: 20_000,
  },
});
