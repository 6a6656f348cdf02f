import { spawn } from "node:child_process";
import { access, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { findCodex } from "codexwright/stdio";
import { cacheRoot } from "./cache-root.ts";

/** Options of an install. */
export interface InstallOptions {
  /** More packages for the same folder, each with its version. */
  readonly also?: readonly string[];
  /**
   * Skips optional dependencies (for clients of Codex, that is Codex itself). Such installs have their own
   * cache folder.
   */
  readonly lean?: boolean;
}

/**
 * Installs one exact npm package outside the repository and returns its folder.
 *
 * The folder appears only when the install is complete, so concurrent callers and interrupted runs never
 * leave a partial install.
 */
export async function installCached(
  name: string,
  version: string,
  { also = [], lean = false }: InstallOptions = {},
): Promise<string> {
  const folder = join(cacheRoot(), lean ? "lean" : "", [`${name}@${version}`, ...also].join("+"));
  if (await exists(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const temporary = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`));
  try {
    await npmInstall(temporary, [`${name}@${version}`, ...also], lean ? ["--omit=optional"] : []);
    await rename(temporary, folder).catch(async (error: unknown) => {
      // Another process installed it first; use that install.
      if (!(await exists(folder))) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return folder;
}

/** Removes a package from the cache, for runs that need many large versions once each. */
export async function uninstallCached(name: string, version: string): Promise<void> {
  await rm(join(cacheRoot(), `${name}@${version}`), { recursive: true, force: true });
}

/** The native Codex binary of a version, installed on demand. */
export async function codexBinary(version: string): Promise<string> {
  return codexFor(await installCached("@openai/codex", version));
}

/** The native binary of the `@openai/codex` that is installed for a folder. */
export function codexFor(folder: string): string {
  return findCodex({ env: {}, from: [folder] }).command;
}

function npmInstall(prefix: string, specs: readonly string[], more: readonly string[]): Promise<void> {
  const flags = [...more, "--no-save", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];
  return new Promise((resolve, reject) => {
    // On Windows npm is a .cmd file, which only a shell can start. A shell is safe here, because all arguments come
    // from our own scripts.
    const child = spawn("npm", ["install", "--prefix", prefix, ...flags, ...specs], {
      stdio: ["ignore", "ignore", "inherit"],
      shell: process.platform === "win32",
    });
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`npm install ${specs.join(" ")} exited with ${code}`));
    });
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
