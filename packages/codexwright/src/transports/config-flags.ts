import { InvalidArgumentError } from "../rpc/errors.ts";

/**
 * Converts configuration overrides into `-c key=value` flags. Nested objects become dotted keys, so that an override
 * changes only the keys that it names, and not their siblings in config.toml.
 */
export function configFlags(config: Readonly<Record<string, unknown>>): string[] {
  return [...entries(config, "")].flatMap(([key, value]) => ["-c", `${key}=${value}`]);
}

function* entries(table: Readonly<Record<string, unknown>>, prefix: string): Generator<[string, string]> {
  for (const [name, value] of Object.entries(table)) {
    const key = prefix + name;
    if (value === undefined) continue;
    if (isTable(value) && Object.keys(value).length > 0) yield* entries(value, `${key}.`);
    else yield [key, toml(value, key)];
  }
}

function toml(value: unknown, key: string): string {
  if (typeof value === "string" || typeof value === "boolean") return JSON.stringify(value);
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return `[${value.map((each) => toml(each, key)).join(", ")}]`;
  if (isTable(value)) {
    const members = Object.entries(value).filter(([, each]) => each !== undefined);
    return `{${members.map(([name, each]) => `${JSON.stringify(name)} = ${toml(each, key)}`).join(", ")}}`;
  }
  throw new InvalidArgumentError(
    `config.${key} is ${value === null ? "null" : typeof value}, which TOML cannot represent: it must be a string, number, boolean, array or object`,
  );
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
