/**
 * Bundles the library into one file per entry plus two shared chunks, and the command into one file plus
 * lazily loaded chunks.
 *
 * Node needs half a millisecond or more to load a module, so forty small files would cost more than the code
 * in them. See docs/decisions/0006-the-library-is-bundled.md.
 */
import { chmod, copyFile, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { build } from "rolldown";
import { SEED, writeSeed } from "./seed.ts";
import { ROOT } from "./steps.ts";

/**
 * Source maps are for this repository only. They are not published, so the published files do not link to
 * them.
 */
const MAPS = "hidden";

/** Modules that are not part of the package: installed packages, and Node's own. */
const INSTALLED = /^(?!@oxc-project\/runtime)[^./\0]/;

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
    "internal-redact": src("internal/redact.ts"),
  },
  // Optional peers are resolved at run time, if the user has installed them.
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
        // Neutral code goes into one chunk, so that a browser bundle contains no Node modules. Dynamically
        // imported modules stay separate and are loaded on demand.
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

await bundlePackage(
  "engine",
  { index: "index.ts", node: "node/index.ts", internal: "internal/index.ts" },
  // The grammar is the only file of its package that is needed, and its package has an install script.
  { "tree-sitter-bash.wasm": "tree-sitter-bash.wasm", "tree-sitter-bash.LICENSE": "LICENSE" },
);
await bundlePackage("testing", {
  index: "index.ts",
  // These run in their own processes.
  "wire-script-process": "wire-script-process.ts",
  "fake-process": "fake-process.ts",
  // The real app-server starts this in a conformance scenario.
  "mcp-process": "conformance/mcp-process.ts",
});
await bundlePackage("gateway", { index: "index.ts" });
await bundlePackage("orchestrator", {
  index: "index.ts",
  tracker: "tracker/index.ts",
  testing: "testing/index.ts",
  cli: "cli/index.ts",
  internal: "internal/index.ts",
  // Only the build runs this.
  seed: "jobs/seed.ts",
});
await writeSeed();

const command = path.join(ROOT, "packages/cli");
const built = await build({
  input: { codexwright: path.join(command, "src/main.ts") },
  // Each command is its own chunk, loaded when it runs.
  external: INSTALLED,
  // Node 20 does not support `using`.
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

/**
 * Bundles a package that depends on the library. The library is never bundled into another package, so that
 * each error class exists once.
 */
async function bundlePackage(
  name: string,
  entries: Readonly<Record<string, string>>,
  grammar: Readonly<Record<string, string>> = {},
): Promise<void> {
  const root = path.join(ROOT, "packages", name);
  const files = Object.entries(entries).map(([entry, file]) => [entry, path.join(root, "src", file)]);
  const { output: made } = await build({
    input: Object.fromEntries(files) as Record<string, string>,
    external: INSTALLED,
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
  const folder = path.join(root, "dist/lib");
  for (const [copy, file] of Object.entries(grammar)) {
    // A program that runs during the build always finds a complete file.
    await copyFile(path.join(ROOT, "node_modules/tree-sitter-bash", file), path.join(folder, `.${copy}`));
    await rename(path.join(folder, `.${copy}`), path.join(folder, copy));
  }
  const copies = [...Object.keys(grammar), SEED].map((fileName) => ({ fileName }));
  await removeOthers(folder, [...made, ...copies]);
}

/**
 * Removes files of an earlier build. This happens last, so that a program that runs during the build always
 * finds a complete bundle.
 */
async function removeOthers(folder: string, made: readonly { readonly fileName: string }[]): Promise<void> {
  const names = new Set(made.map(({ fileName }) => path.basename(fileName)));
  for (const file of await readdir(folder)) if (!names.has(file)) await rm(path.join(folder, file));
}
