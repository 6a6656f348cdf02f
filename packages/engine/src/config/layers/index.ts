import path from "node:path";
import { ConfigError } from "../config-error.ts";
import { parseToml } from "../parse-toml.ts";
import { readText } from "../read-text.ts";
import { merged, type ConfigTable } from "../../core/config-table.ts";
import type { ConfigLayer } from "./layer.ts";
import { overridesOf } from "./overrides.ts";
import { projectLayers, withPaths, type TrustLevel } from "./projects.ts";

export type { ConfigLayer } from "./layer.ts";

/** The places and overrides that layers come from. */
export interface Places {
  readonly home: string;
  readonly cwd: string;
  readonly overrides: readonly string[];
  /** The settings of a client. They take precedence over all others. */
  readonly request: ConfigTable;
  readonly profile: string | undefined;
  readonly systemFile: string;
}

export interface Layers {
  /** From the weakest to the strongest. */
  readonly layers: readonly ConfigLayer[];
  /** Whether the user trusts the project that the folder is in. */
  readonly trust: TrustLevel | undefined;
  /** The configuration folders of the project that are trusted. */
  readonly folders: readonly string[];
  /** The folders of the project, from its root down to the working directory. */
  readonly project: readonly string[];
  readonly warnings: readonly string[];
}

/** Reads all layers: system, user, profile, project, overrides. */
export async function readLayers(places: Places): Promise<Layers> {
  const { home, cwd, overrides, request, profile, systemFile } = places;
  const userFile = path.join(home, "config.toml");
  const system = await fileLayer({ type: "system", file: systemFile }, systemFile);
  const user = await userLayer(userFile, (await readText(userFile))?.text ?? "");
  const own: ConfigLayer[] = [system, user];
  if (profile !== undefined) {
    if (!/^[\w-]+$/.test(profile)) {
      throw new ConfigError("--profile", "must consist of letters, digits, - and _");
    }
    const file = path.join(home, `${profile}.config.toml`);
    if ((await readText(file)) === undefined) throw new ConfigError(file, "the profile does not exist");
    own.push(await fileLayer({ type: "user", file, profile }, file));
  }
  const flags: ConfigLayer = {
    name: { type: "sessionFlags" },
    source: "-c",
    table: withPaths(await overridesOf(overrides), cwd),
    disabledReason: null,
  };
  const asked: ConfigLayer = { ...flags, source: "config", table: withPaths(request, cwd) };
  for (const { table, source } of [...own, flags, asked]) {
    if (!Object.hasOwn(table, "profile")) continue;
    const why = "is no longer supported; use --profile with a file <profile>.config.toml";
    throw new ConfigError(source, why, "profile");
  }
  const trusted = tableOf([...own, flags]);
  const { layers, ...project } = await projectLayers(cwd, home, trusted);
  const session = [
    ...(overrides.length > 0 ? [flags] : []),
    ...(Object.keys(request).length > 0 ? [asked] : []),
  ];
  return { layers: [...own, ...layers, ...session], ...project };
}

/** Merges the layers that count. */
export function tableOf(layers: readonly ConfigLayer[]): ConfigTable {
  return layers
    .filter(({ disabledReason }) => disabledReason === null)
    .reduce<ConfigTable>((below, { table }) => merged(below, table), {});
}

/** The layer of the user, with this text in its file. */
export async function userLayer(file: string, text: string): Promise<ConfigLayer> {
  return layerOf({ type: "user", file, profile: null }, file, text);
}

async function fileLayer(name: ConfigLayer["name"], file: string): Promise<ConfigLayer> {
  return layerOf(name, file, (await readText(file))?.text ?? "");
}

async function layerOf(name: ConfigLayer["name"], file: string, text: string): Promise<ConfigLayer> {
  const table = text === "" ? {} : await parseToml(file, text);
  return { name, source: file, table: withPaths(table, path.dirname(file)), disabledReason: null };
}
