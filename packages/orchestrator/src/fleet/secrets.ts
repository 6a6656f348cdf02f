import type { JsonObject } from "../domain/json.ts";
import type { Workflow } from "../domain/settings.ts";
import type { TrackerKind } from "../domain/tracker.ts";
import { variableOf } from "../workflow/variables.ts";

/** The names of the variables that agents and hooks must not inherit: those of the tracker and of the database. */
export function secretVariables({ config }: Workflow, { profile }: TrackerKind): readonly string[] {
  const provider = mapAt(mapAt(config, "tracker"), "provider");
  const ofTracker = profile.keys
    .filter(({ secret }) => secret === true)
    .flatMap(({ key, env }) => [env, variableOf(provider[key])]);
  const all = [...ofTracker, variableOf(mapAt(config, "database")["url"])];
  return [...new Set(all.filter((name) => name !== undefined))];
}

/** The secret values of the settings, for the redactor. */
export function secretTexts({ settings }: Workflow, { profile }: TrackerKind): readonly string[] {
  const { provider } = settings.tracker;
  const ofTracker = profile.keys.filter(({ secret }) => secret === true).map(({ key }) => provider[key]);
  return [...ofTracker, passwordOf(settings.database.url)].filter(
    (value) => typeof value === "string" && value !== "",
  ) as readonly string[];
}

function passwordOf(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  try {
    return decodeURIComponent(new URL(url).password);
  } catch {
    return new URL(url).password;
  }
}

function mapAt(map: JsonObject, key: string): JsonObject {
  const value = map[key];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
