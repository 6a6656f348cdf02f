import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { loadConfig, type LoadConfigOptions, type LoadedConfig } from "@codexwright/engine/node";

export interface Home extends AsyncDisposable {
  readonly root: string;
  readonly home: string;
  /** A project with a folder `.git`. */
  readonly project: string;
  /** Writes a file below the root. */
  readonly write: (file: string, text: string) => Promise<string>;
  load(options?: LoadConfigOptions): Promise<LoadedConfig>;
}

/** A home and a project in folders of their own. */
export async function makeHome(files: Readonly<Record<string, string>> = {}): Promise<Home> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "engine-config-")));
  const write = async (file: string, text: string): Promise<string> => {
    const place = path.join(root, file);
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, text.replaceAll("ROOT", root), { mode: 0o600 });
    return place;
  };
  const home = path.join(root, "home");
  const project = path.join(root, "project");
  await mkdir(home);
  await mkdir(path.join(project, ".git"), { recursive: true });
  for (const [file, text] of Object.entries(files)) await write(file, text);
  return {
    root,
    home,
    project,
    write,
    load: (options = {}) =>
      loadConfig({ home, cwd: project, env: {}, systemFile: path.join(root, "system.toml"), ...options }),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

export const TRUST = '[projects."ROOT/project"]\ntrust_level = "trusted"\n';
