import type { ShellEnvironmentPolicy } from "./environment.ts";

type Toml = Readonly<Record<string, unknown>>;

/** The settings of a `config.toml` that the shell needs. Values of a wrong type count as missing. */
export interface ShellSettings {
  readonly policy: ShellEnvironmentPolicy;
  /** The variables with the keys of all model providers, whether they are in use or not. */
  readonly secrets: readonly string[];
}

/**
 * Reads `[shell_environment_policy]` and the names of variables in `[model_providers]`. Pass all layers that were merged
 * into the configuration, so that no layer can hide a name from another.
 */
export function shellSettings(config: Toml, layers: readonly Toml[] = [config]): ShellSettings {
  const table = tableOf(config["shell_environment_policy"]);
  const { inherit, ignore_default_excludes: ignored, set } = table;
  return {
    policy: {
      ...((inherit === "all" || inherit === "core" || inherit === "none") && { inherit }),
      ...(typeof ignored === "boolean" && { ignoreDefaultExcludes: ignored }),
      exclude: textsOf(table["exclude"]),
      set: Object.fromEntries(
        Object.entries(tableOf(set)).filter(
          (entry): entry is [string, string] => typeof entry[1] === "string",
        ),
      ),
      includeOnly: textsOf(table["include_only"]),
    },
    secrets: layers.flatMap((layer) => keysOf(layer)),
  };
}

function keysOf(layer: Toml): string[] {
  return Object.values(tableOf(layer["model_providers"])).flatMap((each) => {
    const provider = tableOf(each);
    return textsOf([provider["env_key"], ...Object.values(tableOf(provider["env_http_headers"]))]);
  });
}

function tableOf(value: unknown): Toml {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Toml) : {};
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
