import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { tomlKeys } from "../shared/toml-keys.ts";

/** A project with its own configuration. */
export interface Project {
  /** The folder that is trusted or not: the repository or, outside a repository, the folder itself. */
  readonly root: string;
  /** Its `.codex/config.toml` files that apply to this folder. */
  readonly files: readonly string[];
  /** Whether the user's configuration lets Codex read these files. */
  readonly isTrusted: boolean;
}

/**
 * Finds the project of a folder. Returns `undefined` if the project has no configuration, or if its only configuration
 * is the user's own.
 */
export async function findProject(
  cwd: string,
  codexHome: string,
  config: string,
): Promise<Project | undefined> {
  const folder = await realpath(cwd);
  const root = await rootOf(folder);
  const files: string[] = [];
  for (let at = folder; ; at = path.dirname(at)) {
    const own = path.join(at, ".codex");
    if (own === (await realpath(codexHome).catch(() => codexHome))) return undefined;
    const file = path.join(own, "config.toml");
    if (await isThere(file)) files.push(file);
    if (at === root) break;
  }
  if (files.length === 0) return undefined;
  const keys = tomlKeys(config);
  const isTrusted = [root, folder].some((each) => keys.get(`projects.${each}.trust_level`) === "trusted");
  return { root, files, isTrusted };
}

/**
 * The user's configuration, changed so that it trusts the project. Codex then reports problems in the project's files.
 */
export function trusting(config: string, { root, isTrusted }: Project): string {
  // TOML allows a table only once. A user who distrusts the project by name is not overruled.
  if (isTrusted || tomlKeys(config).has(`projects.${root}.trust_level`)) return config;
  return `${config}\n[projects.${JSON.stringify(root)}]\ntrust_level = "trusted"\n`;
}

async function rootOf(folder: string): Promise<string> {
  for (let at = folder; ; at = path.dirname(at)) {
    if (await isThere(path.join(at, ".git"))) return at;
    if (path.dirname(at) === at) return folder;
  }
}

async function isThere(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}
