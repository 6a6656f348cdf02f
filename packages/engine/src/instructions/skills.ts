import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { ConfigError, loadConfig, userHome, type LoadedConfig } from "../config/index.ts";
import type { FoundSkills, Skill, SkillSource } from "../core/ports.ts";
import { frontMatter } from "./front-matter.ts";
import { isBelow, readBeginning, realOf } from "./read-beginning.ts";

export interface SkillFoldersOptions {
  readonly home: string;
  /** Overrides of the whole server, in the words of `config.toml`. */
  readonly overrides: readonly string[];
  /** The home of the user, whose `.agents/skills` is read. Default: that of the process. */
  readonly userHome?: string | undefined;
  /** The skills of the machine; default `/etc/codex/skills`. */
  readonly systemFolder?: string | undefined;
}

/** A folder with skills, and the folder that links in it must not lead out of. */
interface Root {
  readonly folder: string;
  readonly scope: Skill["scope"];
  readonly root?: string;
}

const FILE = "SKILL.md";
const DEEPEST = 6;
const MOST_FOLDERS = 2_000;
const MOST_SKILLS = 1_000;
const HEAD_BYTES = 64 * 1024;
const MOST_BYTES = 1024 * 1024;
const RANK = { repo: 0, user: 1, admin: 2 } as const;

/** The skills in folders of the user, the machine and projects. Those of an untrusted project are not read. */
export function skillFolders(options: SkillFoldersOptions): SkillSource {
  return {
    async find(cwd) {
      const { home, overrides } = options;
      let config: LoadedConfig;
      try {
        config = await loadConfig({ home, cwd, overrides });
      } catch (error) {
        if (error instanceof ConfigError)
          return { skills: [], errors: [{ path: error.source, message: error.message }] };
        throw error;
      }
      const skills = new Map<string, Skill>();
      const errors: { path: string; message: string }[] = [];
      for (const root of await rootsOf(options, config)) {
        for (const file of await filesIn(root)) {
          if (skills.size >= MOST_SKILLS) break;
          const skill = await skillAt(file, root);
          if (typeof skill === "string") errors.push({ path: file, message: skill });
          else if (skill && !skills.has(skill.path)) skills.set(skill.path, skill);
        }
      }
      const isOn = switches(config);
      const found = [...skills.values()].map((skill) => ({ ...skill, enabled: isOn(skill) }));
      return { skills: found.toSorted(byScopeAndName), errors } satisfies FoundSkills;
    },
    async read({ path: file, root }) {
      const read = await readBeginning(file, MOST_BYTES, root);
      return read.kind === "read" ? new TextDecoder().decode(read.bytes) : undefined;
    },
  };
}

async function rootsOf(
  options: SkillFoldersOptions,
  { home, project, trust }: LoadedConfig,
): Promise<Root[]> {
  const root = trust === "untrusted" ? undefined : await realOf(project[0] ?? "");
  const ofProject = (name: string): Root[] =>
    root === undefined
      ? []
      : project.map((folder) => ({ folder: path.join(folder, name, "skills"), scope: "repo", root }));
  return [
    ...ofProject(".codex").toReversed(),
    { folder: path.join(home, "skills"), scope: "user" },
    { folder: path.join(options.userHome ?? userHome(), ".agents/skills"), scope: "user" },
    { folder: options.systemFolder ?? "/etc/codex/skills", scope: "admin" },
    ...ofProject(".agents"),
  ];
}

/** The SKILL.md files below a folder, the nearest first. Hidden folders are left out. */
async function filesIn({ folder, root }: Root): Promise<string[]> {
  const files: string[] = [];
  const seen = new Set<string>();
  let level = [folder];
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
    const next: string[] = [];
    for (const each of level) {
      if (seen.size >= MOST_FOLDERS) return files;
      const real = await realOf(each);
      if (real === undefined || seen.has(real)) continue;
      if (root !== undefined && !isBelow(root, real)) continue;
      seen.add(real);
      for (const entry of await readdir(real, { withFileTypes: true }).catch(() => [])) {
        const file = path.join(each, entry.name);
        if (entry.name === FILE) files.push(file);
        else if (!entry.name.startsWith(".") && (await isFolder(file, entry))) next.push(file);
      }
    }
    level = next.toSorted();
  }
  return files;
}

async function isFolder(
  file: string,
  entry: { isDirectory(): boolean; isSymbolicLink(): boolean },
): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return await stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** The skill of a file, the problem with it, or `undefined` if there is no file any more. */
async function skillAt(file: string, { scope, root }: Root): Promise<Skill | string | undefined> {
  const read = await readBeginning(file, HEAD_BYTES, root);
  if (read.kind === "absent") return undefined;
  if (read.kind === "refused") return read.why;
  const real = await realOf(file);
  if (real === undefined) return undefined;
  const found = await frontMatter(new TextDecoder().decode(read.bytes));
  if (typeof found === "string") return found;
  const { name = path.basename(path.dirname(file)), description, shortDescription } = found;
  return {
    name,
    description,
    ...(shortDescription !== undefined && { shortDescription }),
    path: real,
    scope,
    ...(root !== undefined && { root }),
    enabled: true,
  };
}

/** Reads `skills.config`, in which later entries take precedence. A project cannot switch skills of the user. */
function switches({ layers }: LoadedConfig): (skill: Skill) => boolean {
  const entries = layers
    .filter(({ name, disabledReason }) => name.type !== "project" && disabledReason === null)
    .flatMap(({ table }) => {
      const list = (table["skills"] as { readonly config?: unknown } | undefined)?.config;
      return Array.isArray(list) ? (list as readonly unknown[]) : [];
    })
    .filter((entry): entry is { path?: unknown; name?: unknown; enabled?: unknown } => {
      return typeof entry === "object" && entry !== null;
    });
  return (skill) => {
    const last = entries.findLast(
      (entry) => entry.path === skill.path || (entry.path === undefined && entry.name === skill.name),
    );
    return last?.enabled !== false;
  };
}

function byScopeAndName(a: Skill, b: Skill): number {
  const keys = (skill: Skill): string => `${RANK[skill.scope]} ${skill.name} ${skill.path}`;
  return keys(a) < keys(b) ? -1 : 1;
}
