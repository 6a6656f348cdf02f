/**
 * Bundles the library into one file an entry and two shared chunks.
 *
 * Loading a module costs Node half a millisecond and more, so forty small files cost more than everything in
 * them; see docs/decisions/0006.
 */
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { build } from "rolldown";
import { ROOT } from "./steps.ts";

const library = path.join(ROOT, "packages/codexwright");
const src = (file: string): string => path.join(library, "src", file);

const dir = path.join(library, "dist/lib");
const { output } = await build({
  input: {
    index: src("node/index.ts"),
    client: src("client/index.ts"),
    protocol: src("protocol/index.ts"),
    rpc: src("rpc/index.ts"),
    stdio: src("transports/stdio.ts"),
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
    sourcemap: true,
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
          test: /src\/(rpc\/|client\/(?!(requests|account|config|commands|realtime)\/(?!errors|exec-errors)|(files|mcp|search)\/|services|review|revert|tools\/(tool-calls|tool-spec|tool-result|reserved)|schema\/(output\.ts|strict|stand-ins)))/,
        },
        { name: "node", test: /src\/(node\/|transports\/(stdio|not-found))/ },
      ],
    },
  },
});

// Files of an earlier build go last: whoever runs the library meanwhile finds it whole.
const made = new Set(output.map(({ fileName }) => fileName));
for (const file of await readdir(dir)) if (!made.has(file)) await rm(path.join(dir, file));
