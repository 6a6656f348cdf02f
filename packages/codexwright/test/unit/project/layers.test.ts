import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";

const SRC = path.resolve(import.meta.dirname, "../../../src");

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

/** Layers that are built on another one as its users are: they import this file of it, and no other. */
const FACES: Readonly<Record<string, { readonly file: string; readonly for: readonly string[] }>> = {
  client: { file: "client/index.ts", for: ["agent", "node", "workspace"] },
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

/** The files of ours that a file imports. */
function targets({ file, text }: SourceFile): string[] {
  return specifiers(text)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => path.relative(SRC, path.resolve(SRC, path.dirname(file), specifier)))
    .map((target) => target.split(path.sep).join("/"));
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
  const wrong = sources().flatMap((source) =>
    targets(source)
      .map((target) => target.split("/")[0] ?? "")
      .filter((target) => target !== source.layer && !LAYERS[source.layer]?.imports.includes(target))
      .map((target) => `${source.file} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

verifies("layers", "layers that use another one by its public face import nothing else of it", () => {
  const wrong = Object.entries(FACES).flatMap(([layer, face]) =>
    sources()
      .filter((source) => face.for.includes(source.layer))
      .flatMap((source) =>
        targets(source)
          .filter((target) => target.startsWith(`${layer}/`) && target !== face.file)
          .map((target) => `${source.file} imports ${target}`),
      ),
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
    .filter(({ text }) => NODE_GLOBALS.test(text.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, "")))
    .map(({ file }) => file);
  expect(wrong).toEqual([]);
});
