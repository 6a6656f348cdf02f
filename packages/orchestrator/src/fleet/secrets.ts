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
  return [...ofTracker, ...secretsOfUrl(settings.database.url)].filter(
    (value) => typeof value === "string" && value !== "",
  ) as readonly string[];
}

/** The URL itself, and its password as it is written and as it is sent. It can also be a parameter of the query. */
function secretsOfUrl(url: string | null): readonly string[] {
  if (url === null || !URL.canParse(url)) return [];
  const { password, searchParams } = new URL(url);
  const passwords = [password, decoded(password), ...searchParams.getAll("password")].filter(
    (each) => each !== "",
  );
  return passwords.length === 0 ? [] : [url, ...passwords];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function mapAt(map: JsonObject, key: string): JsonObject {
  const value = map[key];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
