/**
 * Bundles the library into one file an entry and two shared chunks, and the command into one and its parts.
 *
 * Loading a module costs Node half a millisecond and more, so forty small files cost more than everything in
 * them; see docs/decisions/0006.
 */
import { chmod, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { build } from "rolldown";
import { ROOT } from "./steps.ts";

/** The maps are for this repository: they are not published, so the published files do not link to them. */
const MAPS = "hidden";

const library = path.join(ROOT, "packages/codexwright");
const src = (file: string): string => path.join(library, "src", file);

const dir = path.join(library, "dist/lib");
const { output } = await build({
  input: {
    index: src("node/index.ts"),
    client: src("client/index.ts"),
    protocol: src("protocol/index.ts"),
    rpc: src("rpc/index.ts"),
    stdio: src("transports/index.ts"),
    websocket: src("websocket/index.ts"),
    unix: src("transports/unix.ts"),
    server: src("server/index.ts"),
    agent: src("agent/index.ts"),
    workspace: src("workspace/index.ts"),
    testing: src("testing/index.ts"),
    // Started as processes of their own.
    "wire-script-process": src("testing/wire-script-process.ts"),
    "fake-process": src("testing/fake-process.ts"),
    // Started by the real app-server of a conformance scenario.
    "mcp-process": src("testing/conformance/mcp-process.ts"),
  },
  // Optional peers are found by whoever installs them.
  external: [/^node:/, "jose", "picomatch", "ws"],
  logLevel: "warn",
  output: {
    dir,
    format: "esm",
    sourcemap: MAPS,
    comments: false,
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
    codeSplitting: {
      groups: [
        // Neutral code in one chunk, so that a browser's bundle meets no module of Node's. What is imported
        // dynamically stays apart: it is loaded when it is needed.
        {
          name: "core",
          priority: 1,
          test: /src\/(protocol\/(release|lanes)|rpc\/|client\/(?!(requests|account|config|commands|realtime)\/(?!errors|exec-errors)|(files|mcp|search)\/|services|review|revert|thread-opener|thread-options|tools\/(call-limit|call-memory|tool-calls|tool-spec|tool-result|reserved)|schema\/(output\.ts|strict|stand-ins)))/,
        },
        { name: "node", test: /src\/(node\/|transports\/(stdio|not-found))/ },
      ],
    },
  },
});

await removeOthers(dir, output);

const command = path.join(ROOT, "packages/cli");
const built = await build({
  input: { codexwright: path.join(command, "src/main.ts") },
  // What is installed stays where it is; every command is a chunk of its own, loaded when it is run.
  external: /^(?!@oxc-project\/runtime)[^./\0]/,
  // Node 20 does not know `using`.
  transform: { target: "es2023" },
  logLevel: "warn",
  output: {
    dir: path.join(command, "dist"),
    format: "esm",
    sourcemap: MAPS,
    comments: false,
    entryFileNames: "[name].js",
    chunkFileNames: "lib/[name].js",
  },
});
await chmod(path.join(command, "dist/codexwright.js"), 0o755);
await removeOthers(path.join(command, "dist/lib"), built.output);

/** Files of an earlier build go last: whoever runs it meanwhile finds it whole. */
async function removeOthers(folder: string, made: readonly { readonly fileName: string }[]): Promise<void> {
  const names = new Set(made.map(({ fileName }) => path.basename(fileName)));
  for (const file of await readdir(folder)) if (!names.has(file)) await rm(path.join(folder, file));
}
