/**
 * Who may import whom under web/src: what is missing is a no. A folder may always import itself.
 * `faces` opens a folder's index alone, `types` opens it for `import type` alone; `packages` are npm's.
 * ARCHITECTURE.md gives the reasons.
 */
const chartMaths = ["d3-scale", "d3-array"];
const view = ["react", "react-dom"];
const belowApp = ["units", "base", "analysis", "store", "charts", "ui", "features", "styles"];

export const importTable = {
  units: { folders: [], faces: [], types: [], packages: [] },
  base: { folders: [], faces: [], types: [], packages: [] },
  engine: { folders: ["base", "units"], faces: [], types: [], packages: [] },
  analysis: { folders: ["base", "units"], faces: [], types: ["engine"], packages: [] },
  store: { folders: ["analysis", "base", "units"], faces: ["engine"], types: [], packages: [] },
  ui: { folders: ["base", "units"], faces: [], types: [], packages: view },
  charts: { folders: ["analysis", "ui", "base", "units"], faces: [], types: [], packages: [...view, ...chartMaths] },
  features: {
    folders: ["store", "charts", "ui", "analysis", "base", "units"], faces: [], types: [],
    packages: [...view, "d3-dsv"],
  },
  styles: { folders: [], faces: [], types: [], packages: [] },
  app: { folders: [...belowApp, "engine"], faces: [], types: [], packages: view },
  embed: { folders: [...belowApp, "engine", "app"], faces: [], types: [], packages: view },
  testing: { folders: [...belowApp, "engine"], faces: [], types: [], packages: ["vitest", "fast-check"] },
};

/**
 * Rooms of a folder: each may import itself, the rooms named, and what the folder's row opens; never the files that
 * stand beside the rooms. A room in `faced` is opened by its index alone, and to those files alone.
 */
export const rooms = {
  analysis: { read: [], sweep: ["read"], sides: ["read"], timeline: ["read"], stories: ["read", "sides"] },
};
const faced = { analysis: ["stories"] };

/** Keys of a report's columns as text: what holds them, and the one room that may. */
export const columnKeys = {
  regex: /["'`](aas|histogram|timeline)\/|\breport\.columns\b/,
  may: /^(analysis\/read|engine|testing)\//,
};

/** The file that starts the page stands in src itself. */
const entryMay = { folders: [...belowApp, "engine", "app"], faces: [], types: [], packages: view };

/** Known exceptions, each to be paid back: {file, folder, why}. The file may import the folder, against the table. */
export const debt = [];

/** Folders whose subfolders do not know one another: a panel is no part of another panel. */
const strangers = ["features"];

/** Beyond what their folder may, tests import the runner, Node and testing/. */
const forTests = ["vitest", "fast-check", "react-dom", "node"];
const testFiles = [".test.ts", ".test.tsx"];
const suites = ["engine/contract.ts"];

const oneOf = (names) => `(${names.join("|")})`;
const up = (depth) => (depth === 0 ? "\\./" : "(\\.\\./)".repeat(depth));
const deepest = 3;

function folderPattern(names, depth) {
  return `^${up(depth)}${oneOf(names)}(/|\\.tsx?$|$)`;
}

function wordsFor({ folders, faces, types, packages }) {
  const words = [
    ...folders, ...faces.map((one) => `${one} by its index`), ...types.map((one) => `types of ${one}`), ...packages,
  ];
  return words.join(", ") || "itself";
}

/** The rule for the files of one folder at one depth: everything known that the row leaves out is forbidden. */
function patternsFor(name, may, { depth, packages, isTest }) {
  const everyFolder = Object.keys(importTable);
  const opened = [name, ...may.folders, ...may.faces, ...may.types, ...(isTest ? ["testing"] : [])];
  const closed = everyFolder.filter((folder) => !opened.includes(folder));
  const open = [...may.packages, ...(isTest ? forTests : [])];
  const shut = packages.filter((one) => !open.includes(one)).map((one) => one.replaceAll(".", "\\."));
  const says = `${name} imports only ${wordsFor(may)}.`;
  const rules = [
    { regex: folderPattern(closed, depth), message: says },
    { regex: `^${oneOf(shut)}(/|:|$)`, message: says },
    {
      regex: "^/|^\\./\\.\\.|[^./]/\\.\\.(/|$)",
      message: "Write the shortest relative path, so that the import rules can read it.",
    },
  ];
  if (may.types.length > 0 && !isTest) {
    rules.push({
      regex: folderPattern(may.types, depth), allowTypeImports: true,
      message: `${name} imports only types of ${may.types.join(", ")}.`,
    });
  }
  if (may.faces.length > 0 && !isTest) rules.push({ regex: `^${up(depth)}${oneOf(may.faces)}/`, message: says });
  if (!isTest) rules.push(...facePatterns(name, depth));
  if (name !== "engine") rules.push({ regex: "engine/wasm(/|$)", message: "The wasm package is engine's alone." });
  if (strangers.includes(name) && depth === 2)
    rules.push({ regex: "^\\.\\./[^.]", message: `One part of ${name} knows nothing of another.` });
  return rules;
}

/** What a room's rules add to those of its folder. */
function roomPatterns(name, room, depth) {
  const own = rooms[name];
  const closed = Object.keys(own).filter((other) => other !== room && !own[room].includes(other));
  const says = `${name}/${room} knows of ${name} only ${[room, ...own[room]].join(", ")}.`;
  return [
    { regex: `^${up(depth - 1)}${oneOf(closed)}(/|$)`, message: says },
    { regex: `^${up(depth - 1)}([^./][^/]*)?$|^\\.\\.(/\\.\\.){${depth - 2}}$`, message: says },
  ];
}

/** Of rooms that are opened by their index: what everyone outside, and what the files beside them must leave alone. */
function facePatterns(name, depth) {
  return Object.entries(faced).map(([folder, closed]) => ({
    regex: name === folder ? `^\\./${oneOf(closed)}/` : `^${up(depth)}${folder}/${oneOf(closed)}(/|$)`,
    message: `${folder}/${closed.join(", ")} is opened by its index, to the files beside it.`,
  }));
}

function roomOverrides(name, may, depth, packages) {
  return Object.keys(rooms[name] ?? {}).map((room) => {
    const folder = `**/src/${name}/${room}/${"*/".repeat(depth - 2)}`;
    const patterns = [
      ...patternsFor(name, may, { depth, packages, isTest: false }), ...roomPatterns(name, room, depth),
    ];
    return { files: [`${folder}*.ts`, `${folder}*.tsx`], rules: { "no-restricted-imports": ["error", { patterns }] } };
  });
}

function overridesFor(name, may, packages) {
  const overrides = [];
  for (let depth = 1; depth <= deepest; depth++) {
    const folder = `**/src/${name}/${"*/".repeat(depth - 1)}`;
    const rule = (isTest) => ({
      "no-restricted-imports": ["error", { patterns: patternsFor(name, may, { depth, packages, isTest }) }],
    });
    overrides.push({ files: [`${folder}*.ts`, `${folder}*.tsx`], rules: rule(false) });
    if (depth > 1) overrides.push(...roomOverrides(name, may, depth, packages));
    const tests = testFiles.map((suffix) => `${folder}*${suffix}`);
    if (depth === 1)
      tests.push(...suites.filter((file) => file.startsWith(`${name}/`)).map((file) => `**/src/${file}`));
    overrides.push({ files: tests, rules: rule(true) });
  }
  return overrides;
}

function entryOverride(packages) {
  const patterns = patternsFor("main.tsx", entryMay, { depth: 0, packages, isTest: false });
  return { files: ["**/src/*.ts", "**/src/*.tsx"], rules: { "no-restricted-imports": ["error", { patterns }] } };
}

function debtOverride({ file, folder }, packages) {
  const name = file.split("/")[0];
  const may = { ...importTable[name], folders: [...importTable[name].folders, folder] };
  const patterns = patternsFor(name, may, { depth: file.split("/").length - 1, packages, isTest: false });
  return { files: [`**/src/${file}`], rules: { "no-restricted-imports": ["error", { patterns }] } };
}

/** The table as a configuration for oxlint. `packages`: every name that node_modules knows; Node's own come on top. */
export function importConfig(packages) {
  const all = [...packages, "node"];
  return {
    plugins: ["eslint", "import"],
    categories: { correctness: "off" },
    rules: { "import/no-cycle": "error", "import/no-self-import": "error" },
    overrides: [
      entryOverride(all),
      ...Object.entries(importTable).flatMap(([name, may]) => overridesFor(name, may, all)),
      ...debt.map((one) => debtOverride(one, all)),
    ],
  };
}

/** The deepest folder that the patterns can read. */
export const deepestFolder = deepest;
