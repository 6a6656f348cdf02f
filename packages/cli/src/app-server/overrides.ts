import { usageError } from "../shared/command-error.ts";

/** The options that override settings of config.toml. */
export interface OverrideFlags {
  readonly config?: readonly string[];
  readonly enable?: readonly string[];
  readonly disable?: readonly string[];
}

/** Returns the settings as `key=value`. Later ones take precedence. */
export function overridesOf({ config = [], enable = [], disable = [] }: OverrideFlags): string[] {
  for (const each of config) {
    if (!/^[^=\s][^=]*=/.test(each)) throw usageError(`-c is ${each}: must be key=value`);
  }
  for (const each of [...enable, ...disable]) {
    if (!/^[\w-]+$/.test(each)) throw usageError(`${each} is not the name of a feature`);
  }
  return [
    ...config,
    ...enable.map((feature) => `features.${feature}=true`),
    ...disable.map((feature) => `features.${feature}=false`),
  ];
}
