import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { findProgram, isExecutable } from "../system/find-program.ts";
import { CodexNotFoundError } from "./not-found.ts";
import * as is from "../rpc/options/check.ts";
import { checkOptions, type Table } from "../rpc/options/table.ts";

/** A Codex binary that can be started. */
export interface FoundCodex {
  readonly command: string;
  /** The folder with the helper tools of a packaged binary. It must be added to PATH. */
  readonly toolsPath?: string;
}

/** Options of {@link findCodex}. */
export interface FindCodexOptions {
  readonly codexPath?: string | undefined;
  /** The environment with CODEX_PATH and PATH. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Folders from which to look for an installed `@openai/codex`. Default: the folders of this library and of the main
   * program. Do not pass a folder with untrusted files: the Codex that is installed there will be started.
   */
  readonly from?: readonly string[] | undefined;
}

const OPTIONS: Table<FindCodexOptions> = {
  codexPath: is.text,
  env: is.recordOf(is.text),
  from: is.listOf(is.text),
};

const WINDOWS = process.platform === "win32";

/**
 * Finds the native Codex binary. Tries, in this order, the `codexPath` option, CODEX_PATH, `codex` on PATH, and an
 * installed `@openai/codex`.
 *
 * If one of these is the JavaScript launcher of the npm package, returns the native binary that the launcher would
 * start. The launcher would be an extra process that takes time to start and does not forward all signals.
 */
export function findCodex(options: FindCodexOptions = {}): FoundCodex {
  checkOptions("findCodex()", options, OPTIONS);
  const { codexPath, env = process.env, from = ownFolders() } = options;
  const explicit = codexPath ?? env["CODEX_PATH"];
  if (explicit) {
    const source = codexPath ? "codexPath" : "CODEX_PATH";
    const file = hasFolder(explicit) ? path.resolve(explicit) : findProgram(explicit, env["PATH"]);
    if (file && isExecutable(file)) return behindLauncher(file);
    throw new CodexNotFoundError(`${source} is ${explicit}, which is not an executable file`, [explicit]);
  }
  const file = findProgram("codex", env["PATH"]);
  if (file) return behindLauncher(file);
  for (const folder of from) {
    const found = installedIn(folder);
    if (found) return found;
  }
  const looked = ["codex on PATH", ...from.map((folder) => `@openai/codex installed for ${folder}`)];
  throw new CodexNotFoundError(`Codex was not found (looked for ${looked.join(", ")})`, looked);
}

/**
 * The folders of this library and of the main program. The current folder is never included: a repository must not
 * choose the program that is started for it.
 */
function ownFolders(): string[] {
  const [, program] = process.argv;
  return [import.meta.dirname, ...(program === undefined ? [] : [path.dirname(path.resolve(program))])];
}

function hasFolder(file: string): boolean {
  return file.includes("/") || (WINDOWS && file.includes("\\"));
}

function behindLauncher(file: string): FoundCodex {
  const real = realpathSync(file);
  const root = path.dirname(path.dirname(real));
  const isLauncher = path.basename(real) === "codex.js" && path.basename(path.dirname(root)) === "@openai";
  return (isLauncher ? nativeOf(root) : nativeBesideTools(real)) ?? { command: file };
}

function installedIn(folder: string): FoundCodex | undefined {
  const root = packageRoot(folder, "@openai/codex");
  return root === undefined ? undefined : nativeOf(root);
}

/**
 * Searches for a package like Node does. Does not use `require.resolve`, because in Bun it installs missing packages,
 * which takes time.
 */
function packageRoot(from: string, name: string): string | undefined {
  for (let folder = path.resolve(from); ; folder = path.dirname(folder)) {
    const root = path.join(folder, "node_modules", name);
    if (existsSync(path.join(root, "package.json"))) return realpathSync(root);
    if (folder === path.dirname(folder)) return undefined;
  }
}

/**
 * Returns the native binary of an installed `@openai/codex`. It is in a separate package for the platform or, in older
 * versions, in `@openai/codex` itself.
 */
function nativeOf(root: string): FoundCodex | undefined {
  const platformPackage = `@openai/codex-${process.platform}-${process.arch}`;
  const owners = [packageRoot(root, platformPackage), root];
  const name = WINDOWS ? "codex.exe" : "codex";
  for (const owner of owners) {
    if (owner === undefined) continue;
    const vendor = path.join(owner, "vendor", targetTriple());
    for (const folder of ["bin", "codex"]) {
      const command = path.join(vendor, folder, name);
      if (isExecutable(command)) return nativeBesideTools(command) ?? { command };
    }
  }
  return undefined;
}

/** A packaged binary is in `vendor/<triple>/…`, with its search tool in a folder next to it. */
function nativeBesideTools(command: string): FoundCodex | undefined {
  const vendor = path.dirname(path.dirname(command));
  if (path.basename(path.dirname(vendor)) !== "vendor") return undefined;
  const toolsPath = ["codex-path", "path"].map((name) => path.join(vendor, name)).find(existsSync);
  return toolsPath === undefined ? { command } : { command, toolsPath };
}

function targetTriple(): string {
  const arch = process.arch === "arm64" ? "aarch64" : "x86_64";
  if (process.platform === "darwin") return `${arch}-apple-darwin`;
  if (WINDOWS) return `${arch}-pc-windows-msvc`;
  return `${arch}-unknown-linux-musl`;
}
