/**
 * Bundles the library into one file an entry and two shared chunks, and the command into one and its parts.
 *
 * Loading a module costs Node half a millisecond and more, so forty small files cost more than everything in
 * them; see docs/decisions/0006-the-library-is-bundled.md.
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
    endpoint: src("endpoint/index.ts"),
    server: src("server/index.ts"),
    agent: src("agent/index.ts"),
    workspace: src("workspace/index.ts"),
    recording: src("recording/index.ts"),
    internal: src("internal/index.ts"),
    "internal-options": src("internal/options.ts"),
    "internal-node": src("internal/node.ts"),
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
          test: /src\/(protocol\/(release|traits\/client-requests)|rpc\/|schema\/(?!output\.ts|strict|stand-ins)|tools\/(?!call-limit|call-memory|tool-calls|tool-spec|tool-result|reserved)|client\/(?!late|requests\/(?!errors|server-request-handler|options|decisions|script)|services\/(?!paging|bytes|\w+\/(errors|exec-errors))|review\/|thread\/(revert|thread-opener|thread-options)))/,
        },
        { name: "node", test: /src\/(node\/|transports\/(stdio|not-found))/ },
      ],
    },
  },
});

await removeOthers(dir, output);

await bundlePackage("engine", { index: "index.ts", node: "node/index.ts", internal: "internal/index.ts" });
await bundlePackage("testing", {
  index: "index.ts",
  // Started as processes of their own.
  "wire-script-process": "wire-script-process.ts",
  "fake-process": "fake-process.ts",
  // Started by the real app-server of a conformance scenario.
  "mcp-process": "conformance/mcp-process.ts",
});
await bundlePackage("gateway", { index: "index.ts" });

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

/** Bundles a package that stands on the library, which is never bundled into another: there is one class of each error. */
async function bundlePackage(name: string, entries: Readonly<Record<string, string>>): Promise<void> {
  const root = path.join(ROOT, "packages", name);
  const files = Object.entries(entries).map(([entry, file]) => [entry, path.join(root, "src", file)]);
  const { output: made } = await build({
    input: Object.fromEntries(files) as Record<string, string>,
    external: [/^node:/, /^(@codexwright\/|codexwright)/],
    logLevel: "warn",
    output: {
      dir: path.join(root, "dist/lib"),
      format: "esm",
      sourcemap: MAPS,
      comments: false,
      entryFileNames: "[name].js",
      chunkFileNames: "[name].js",
    },
  });
  await removeOthers(path.join(root, "dist/lib"), made);
}

/** Files of an earlier build go last: whoever runs it meanwhile finds it whole. */
async function removeOthers(folder: string, made: readonly { readonly fileName: string }[]): Promise<void> {
  const names = new Set(made.map(({ fileName }) => path.basename(fileName)));
  for (const file of await readdir(folder)) if (!names.has(file)) await rm(path.join(folder, file));
}
