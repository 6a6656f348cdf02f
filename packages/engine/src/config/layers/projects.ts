import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { ConfigError } from "../config-error.ts";
import { parseToml } from "../parse-toml.ts";
import { readText } from "../read-text.ts";
import { at, isTable, without, type ConfigTable, type ConfigValue } from "../../core/config-table.ts";
import { NOT_FOR_PROJECTS, type ConfigLayer } from "./layer.ts";

export type TrustLevel = "trusted" | "untrusted";

/** The most folders between a project's root and its working directory that are searched. */
const MOST_FOLDERS = 128;

/**
 * The layers of the project that contains `cwd`, from its root down. Only trusted folders count, and only `trusted`
 * (the layers that no repository can write) says which are trusted.
 */
export async function projectLayers(
  cwd: string,
  home: string,
  trusted: ConfigTable,
): Promise<{
  readonly layers: ConfigLayer[];
  readonly trust: TrustLevel | undefined;
  readonly folders: string[];
  readonly project: readonly string[];
  readonly warnings: string[];
}> {
  const folders = await foldersOf(cwd, markersOf(trusted));
  const [root = cwd] = folders;
  const [repository = cwd] = await foldersOf(cwd, [".git"]);
  const layers: ConfigLayer[] = [];
  const warnings: string[] = [];
  const trustedFolders: string[] = [];
  const levelOf = async (folder: string): Promise<TrustLevel | undefined> =>
    (await trustOf(folder, trusted)) ??
    (await trustOf(root, trusted)) ??
    (await trustOf(repository, trusted));
  const ownHome = await realOr(home);
  for (const folder of folders) {
    const dotCodexFolder = path.join(folder, ".codex");
    const file = path.join(dotCodexFolder, "config.toml");
    if ((await realOr(dotCodexFolder)) === ownHome || !(await exists(dotCodexFolder))) continue;
    const level = await levelOf(folder);
    if (level === "trusted") trustedFolders.push(dotCodexFolder);
    if (!(await exists(file))) continue;
    const name = { type: "project" as const, dotCodexFolder };
    if (level !== "trusted") {
      const disabledReason =
        level === undefined
          ? `To load project-local config, hooks, and exec policies, add ${root} as a trusted project in ${path.join(home, "config.toml")}.`
          : `${root} is marked as untrusted in the effective configuration. To load project-local config, hooks, and exec policies, update its trust setting.`;
      layers.push({ name, source: file, table: {}, disabledReason });
      continue;
    }
    const found = await readText(file);
    const whole = await parseToml(file, found?.text ?? "");
    const ignored = Object.keys(whole).filter((key) => NOT_FOR_PROJECTS.has(key));
    if (ignored.length > 0) {
      warnings.push(`${file}: a project cannot set ${ignored.join(", ")}; these keys are ignored`);
    }
    const table = withPaths(without(whole, NOT_FOR_PROJECTS), dotCodexFolder);
    layers.push({ name, source: file, table, disabledReason: null });
  }
  return { layers, trust: await levelOf(cwd), folders: trustedFolders, project: folders, warnings };
}

/** Relative paths in a configuration are relative to its folder. */
export function withPaths(table: ConfigTable, folder: string): ConfigTable {
  const resolved = (value: ConfigValue): ConfigValue =>
    typeof value === "string" && !value.startsWith("~") ? path.resolve(folder, value) : value;
  return Object.fromEntries(
    Object.entries(table).map(([key, value]) => {
      if (key === "model_instructions_file") return [key, resolved(value)];
      if (key !== "sandbox_workspace_write" || !isTable(value)) return [key, value];
      const roots = at(value, ["writable_roots"]);
      return [
        key,
        Array.isArray(roots)
          ? { ...value, writable_roots: roots.map((each) => resolved(each as ConfigValue)) }
          : value,
      ];
    }),
  );
}

/** The trust level of a folder, or of the real folder behind a link. */
async function trustOf(folder: string, trusted: ConfigTable): Promise<TrustLevel | undefined> {
  for (const place of [folder, await realOr(folder)]) {
    const level = at(trusted, ["projects", place, "trust_level"]);
    if (level === undefined) continue;
    if (level === "trusted" || level === "untrusted") return level;
    throw new ConfigError(
      "config.toml",
      'must be "trusted" or "untrusted"',
      `projects.${JSON.stringify(place)}.trust_level`,
    );
  }
  return undefined;
}

async function foldersOf(cwd: string, markers: readonly string[]): Promise<string[]> {
  const folders: string[] = [];
  for (let folder = cwd; folders.length < MOST_FOLDERS; folder = path.dirname(folder)) {
    folders.unshift(folder);
    for (const marker of markers) if (await exists(path.join(folder, marker))) return folders;
    if (path.dirname(folder) === folder) break;
  }
  return [cwd];
}

function markersOf(trusted: ConfigTable): readonly string[] {
  const markers = at(trusted, ["project_root_markers"]);
  if (!Array.isArray(markers)) return [".git"];
  return (markers as unknown[]).filter((each): each is string => typeof each === "string" && each !== "");
}

async function exists(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}

async function realOr(file: string): Promise<string> {
  return await realpath(file).catch(() => file);
}
