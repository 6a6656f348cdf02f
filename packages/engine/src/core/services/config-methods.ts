import type { Handlers } from "codexwright/endpoint";
import type { ConfigEdit, ConfigLayerSource, ConfigReadResponse, JsonValue } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import type { EngineHost } from "../host.ts";

type Table = { [key: string]: JsonValue };

/** Settings whose values must be text. */
const TEXTS: ReadonlySet<string> = new Set(["model", "model_provider", "model_reasoning_effort"]);

/** A configuration in memory. Clients can read and write it, but it does not affect the engine. */
export function configMethods(host: EngineHost): Handlers {
  let user: Table = { model: host.defaults.model, model_provider: host.defaults.modelProvider };
  const file = host.platform.paths.join(host.home, "config.toml");
  const name: ConfigLayerSource = { type: "user", file, profile: null };
  const versionOf = (table: Table): string =>
    `sha256:${host.platform.digest("sha256", JSON.stringify(table))}`;
  const write = (edits: readonly ConfigEdit[], expected: string | null | undefined) => {
    if (expected && expected !== versionOf(user)) {
      throw refused(
        "Configuration was modified since last read. Fetch latest version and retry.",
        "configVersionConflict",
      );
    }
    user = edits.reduce((table, edit) => edited(table, edit), user);
    return { status: "ok" as const, version: versionOf(user), filePath: file, overriddenMetadata: null };
  };
  return {
    "config/read": ({ includeLayers }) => {
      const version = versionOf(user);
      return {
        config: { model: null, model_provider: null, approval_policy: null, sandbox_mode: null, ...user },
        origins: Object.fromEntries(Object.keys(user).map((key) => [key, { name, version }])),
        layers: includeLayers ? [{ name, version, config: user, disabledReason: null }] : null,
      } as unknown as ConfigReadResponse;
    },
    "config/value/write": ({ expectedVersion, ...edit }) => write([edit], expectedVersion),
    "config/batchWrite": ({ edits, expectedVersion }) => write(edits, expectedVersion),
    "configRequirements/read": () => ({ requirements: null, supportsIndependentSpeedModes: true }),
  };
}

/** Returns a table with the value set at a dotted path. `null` removes the value. */
function edited(table: Table, { keyPath, value, mergeStrategy }: ConfigEdit): Table {
  const [key = "", ...rest] = keyPath.split(".");
  if (rest.length === 0 && TEXTS.has(key) && value !== null && typeof value !== "string") {
    const type = typeof value === "number" ? "integer" : typeof value;
    throw refused(
      `Invalid configuration: invalid type: ${type} \`${JSON.stringify(value)}\`, expected a string\nin \`${key}\`\n`,
      "configValidationError",
    );
  }
  const { [key]: before, ...others } = table;
  const inner = isTable(before) ? before : {};
  if (rest.length > 0) {
    return { ...others, [key]: edited(inner, { keyPath: rest.join("."), value, mergeStrategy }) };
  }
  if (value === null) return others;
  const merged = mergeStrategy === "upsert" && isTable(value) ? { ...inner, ...value } : value;
  return { ...others, [key]: merged };
}

function isTable(value: JsonValue | undefined): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refused(message: string, code: string): ResponseError {
  return new ResponseError(-32600, message, { config_write_error_code: code });
}
