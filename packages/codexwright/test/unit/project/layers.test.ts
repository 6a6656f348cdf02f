import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { verifies } from "../../../../../test/support/verifies.ts";

const SRC = path.resolve(import.meta.dirname, "../../../src");
const PACKAGES = path.resolve(SRC, "../..");

interface Layer {
  readonly imports: readonly string[];
  readonly node: boolean;
  /** Optional peers that it loads when they are needed. */
  readonly peers?: readonly string[];
}

/** Which layers a layer may import, and whether it may use Node. The picture is in ARCHITECTURE.md. */
const LAYERS: Readonly<Record<string, Layer>> = {
  protocol: { imports: [], node: false },
  rpc: { imports: [], node: false },
  schema: { imports: ["rpc"], node: false },
  tools: { imports: ["protocol", "rpc", "schema"], node: false },
  client: { imports: ["protocol", "redact", "rpc", "schema", "tools"], node: false },
  endpoint: { imports: ["protocol", "rpc"], node: false },
  websocket: { imports: ["redact", "rpc"], node: false, peers: ["ws"] },
  system: { imports: ["rpc"], node: true },
  transports: { imports: ["rpc", "system", "websocket"], node: true, peers: ["ws"] },
  server: {
    imports: ["endpoint", "protocol", "rpc", "system", "websocket"],
    node: true,
    peers: ["jose", "ws"],
  },
  redact: { imports: ["rpc"], node: false },
  recording: { imports: ["protocol", "redact", "rpc"], node: true },
  agent: { imports: ["client", "protocol", "redact", "rpc", "schema", "tools"], node: false },
  workspace: { imports: ["agent", "rpc", "system"], node: true, peers: ["picomatch"] },
  node: { imports: ["client", "protocol", "rpc", "transports"], node: true },
  internal: { imports: ["endpoint", "protocol", "rpc", "system", "transports"], node: true },
};

/** A folder of another package: the packages and sibling folders that it may import, and whether it may use Node. */
interface Room {
  readonly packages: readonly string[];
  readonly siblings: readonly string[];
  readonly node: boolean;
}

/** Rooms of the other packages, by their path in `packages`. */
const ROOMS: Readonly<Record<string, Room>> = {
  "engine/src/core": {
    packages: ["codexwright/endpoint", "codexwright/internal", "codexwright/protocol", "codexwright/rpc"],
    siblings: [],
    node: false,
  },
  "engine/src/internal": { packages: [], siblings: ["core"], node: false },
  "engine/src/node": { packages: [], siblings: ["core"], node: true },
};

/** Globals of Node that the compiler cannot tell from a local name in every case. */
const NODE_GLOBALS = /(?<![\w.#"'`/])(process|Buffer|setImmediate|require)\s*[.(]/;

interface SourceFile {
  readonly file: string;
  readonly layer: string;
  readonly text: string;
}

function sources(): SourceFile[] {
  return readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => ({
      file,
      layer: file.split(path.sep)[0] ?? "",
      text: readFileSync(path.join(SRC, file), "utf8"),
    }));
}

function filesIn(room: string): { readonly file: string; readonly text: string }[] {
  const folder = path.join(PACKAGES, room);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => ({ file: path.join(room, file), text: readFileSync(path.join(folder, file), "utf8") }));
}

function usesGlobals(text: string): boolean {
  // A word in a comment or a string is not a global.
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, "").replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""');
  return NODE_GLOBALS.test(code);
}

function specifiers(text: string): string[] {
  const found = text.matchAll(/(?:\bfrom\s+|^import\s+|\bimport\(\s*)"([^"\n]+)"/gm);
  return [...found].map(([, specifier]) => specifier ?? "");
}

verifies("layers", "every folder is a layer of the table", () => {
  const folders = new Set(sources().map(({ layer }) => layer));
  expect([...folders].toSorted()).toEqual(Object.keys(LAYERS).toSorted());
});

verifies("layers", "imports between layers point the way the table says", () => {
  const wrong = sources().flatMap(({ file, layer, text }) =>
    specifiers(text)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => path.relative(SRC, path.resolve(SRC, path.dirname(file), specifier)))
      .map((target) => target.split(path.sep)[0] ?? "")
      .filter((target) => target !== layer && !LAYERS[layer]?.imports.includes(target))
      .map((target) => `${file} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

verifies(
  "layers",
  "nothing is imported but our own files and, where a layer may, Node's modules and optional peers",
  () => {
    const wrong = sources().flatMap(({ file, layer, text }) =>
      specifiers(text)
        .filter((specifier) => !specifier.startsWith("."))
        .filter((specifier) => !(LAYERS[layer]?.node && specifier.startsWith("node:")))
        .filter((specifier) => !LAYERS[layer]?.peers?.includes(specifier))
        .map((specifier) => `${file} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  },
);

verifies("layers", "neutral layers name no global of Node", () => {
  const wrong = sources()
    .filter(({ layer, file }) => !LAYERS[layer]?.node && !file.endsWith(".gen.ts"))
    .filter(({ text }) => usesGlobals(text))
    .map(({ file }) => file);
  expect(wrong).toEqual([]);
});

for (const [room, { packages, siblings, node }] of Object.entries(ROOMS)) {
  verifies("layers", `${room} imports only what its row in the table names`, () => {
    const files = filesIn(room);
    expect(files).not.toEqual([]);
    const folders = [room, ...siblings.map((name) => path.join(path.dirname(room), name))];
    const isAllowed = (file: string, specifier: string): boolean => {
      if (specifier.startsWith("node:")) return node;
      if (!specifier.startsWith(".")) return packages.includes(specifier);
      const target = path.join(path.dirname(file), specifier);
      return folders.some((folder) => target.startsWith(folder + path.sep));
    };
    const wrong = files.flatMap(({ file, text }) =>
      specifiers(text)
        .filter((specifier) => !isAllowed(file, specifier))
        .map((specifier) => `${file} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
    if (!node) expect(files.filter(({ text }) => usesGlobals(text)).map(({ file }) => file)).toEqual([]);
  });
}
