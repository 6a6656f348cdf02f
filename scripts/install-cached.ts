import { spawn } from "node:child_process";
import { access, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";

/**
 * Installs one exact npm package outside the repository and returns its folder.
 *
 * The folder appears only when the install is whole: concurrent callers and interrupted runs never see a
 * half of one.
 */
export async function installCached(name: string, version: string): Promise<string> {
  const folder = join(cacheRoot(), `${name}@${version}`);
  if (await exists(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const temporary = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`));
  try {
    await npmInstall(temporary, `${name}@${version}`);
    await rename(temporary, folder).catch(async (error: unknown) => {
      // Someone else was faster; theirs is as good as ours.
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
  const folder = await installCached("@openai/codex", version);
  return findCodexBinary(join(folder, "node_modules", "@openai", "codex", "package.json"));
}

/**
 * Finds the native binary that belongs to the `@openai/codex` with this manifest.
 *
 * Current versions keep it in a package per platform (`@openai/codex-linux-x64/vendor/<triple>/bin`), old
 * ones inside the main package (`vendor/<triple>/codex`), there for every platform at once.
 */
export async function findCodexBinary(manifest: string): Promise<string> {
  const executable = process.platform === "win32" ? "codex.exe" : "codex";
  for (const folder of [platformPackage(manifest), dirname(manifest)]) {
    if (folder === undefined) continue;
    const vendor = join(folder, "vendor");
    for (const triple of (await readdir(vendor).catch(() => [])).filter(tripleMatches)) {
      const candidates = ["bin", "codex"].map((name) => join(vendor, triple, name, executable));
      for (const path of candidates) if (await exists(path)) return path;
    }
  }
  throw new Error(`No Codex binary for ${process.platform}-${process.arch} beside ${manifest}`);
}

function platformPackage(manifest: string): string | undefined {
  try {
    const name = `@openai/codex-${process.platform}-${process.arch}`;
    return dirname(createRequire(manifest).resolve(`${name}/package.json`));
  } catch {
    // Versions of before the split have no such package.
    return undefined;
  }
}

/** Where the project keeps installs that tests and scripts share. */
function cacheRoot(): string {
  const { CODEXWRIGHT_CACHE, XDG_CACHE_HOME } = process.env;
  return CODEXWRIGHT_CACHE ?? join(XDG_CACHE_HOME ?? join(homedir(), ".cache"), "codexwright");
}

function tripleMatches(triple: string): boolean {
  const arch = { x64: "x86_64", arm64: "aarch64" }[process.arch as string];
  const os = { linux: "linux", darwin: "apple-darwin", win32: "windows" }[process.platform as string];
  return arch !== undefined && os !== undefined && triple.startsWith(`${arch}-`) && triple.includes(os);
}

function npmInstall(prefix: string, spec: string): Promise<void> {
  const flags = ["--no-save", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];
  return new Promise((resolve, reject) => {
    // npm is a .cmd on Windows, which only a shell can start; every argument here is ours.
    const child = spawn("npm", ["install", "--prefix", prefix, ...flags, spec], {
      stdio: ["ignore", "ignore", "inherit"],
      shell: process.platform === "win32",
    });
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`npm install ${spec} ended with ${code}`));
    });
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
