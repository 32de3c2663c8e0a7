import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { notices, npmPackages, packageOf } from "./scripts/notices.mjs";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** What the built page may do: load from its own origin, compile wasm, and nothing else. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  // No style attribute is ever parsed: React sets styles through the object model, which no policy forbids.
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  // The preview of what a course page will hold.
  "frame-src 'self'",
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

/** What an entry imports later is fetched at once, with all it needs: the engine starts, the page follows close. */
const fetchAtOnce: Plugin = {
  name: "fetch-at-once",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler: (_, { bundle = {}, chunk }) => {
      const known = new Set([chunk?.fileName, ...(chunk?.imports ?? [])]);
      const later = new Set<string>();
      const visit = (name: string): void => {
        const one = bundle[name];
        if (one?.type !== "chunk" || later.has(name)) return;
        later.add(name);
        one.imports.forEach(visit);
      };
      (chunk?.dynamicImports ?? []).forEach(visit);
      return [...later].filter((name) => !known.has(name)).map((name) => ({
        tag: "link", attrs: { rel: "modulepreload", crossorigin: true, href: `./${name}` }, injectTo: "head",
      }));
    },
  },
};

/** The text face is fetched with the page, not once its styles are read. */
const faceAtOnce: Plugin = {
  name: "face-at-once",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler: (_, { bundle = {} }) =>
      Object.keys(bundle).filter((name) => name.endsWith(".woff2")).map((name) => ({
        tag: "link",
        attrs: { rel: "preload", as: "font", type: "font/woff2", crossorigin: true, href: `./${name}` },
        injectTo: "head",
      })),
  },
};

/** Licences of all that is built in; a package that has none of its own in them ends the build. */
const licences: Plugin = {
  name: "licences",
  apply: "build",
  generateBundle(_, bundle) {
    const named = new Set(npmPackages().map(({ name }) => name));
    const used = Object.values(bundle).flatMap((one) =>
      one.type === "chunk" ? Object.keys(one.modules).map(packageOf) : [],
    );
    // The bundler's own helpers have no file.
    const missing = [...new Set(used)].filter((name) => name !== null && !named.has(name));
    if (missing.length > 0) this.error(`licences.txt does not name ${missing.join(", ")}`);
    this.emitFile({ type: "asset", fileName: "licences.txt", source: notices() });
  },
};

export default defineConfig({
  root: here("."),
  base: "./",
  publicDir: here("../public"),
  plugins: [react(), policyInTheHead, fetchAtOnce, faceAtOnce, licences],
  worker: { format: "es" },
  resolve: {
    alias: {
      "d3-color": here("scripts/d3-parts.mjs"), "d3-format": here("scripts/d3-parts.mjs"),
      "d3-interpolate": here("scripts/d3-numbers.mjs"),
    },
  },
  build: {
    outDir: here("../dist"),
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { index: here("index.html"), embed: here("embed.html") },
      // What nearly all parts use is one file: each of several small ones is compressed for itself.
      output: {
        codeSplitting: {
          groups: [{ name: "shared", minShareCount: 3, test: /src\/(analysis\/(read|sides|stories)|units|base)\// }],
        },
      },
    },
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
