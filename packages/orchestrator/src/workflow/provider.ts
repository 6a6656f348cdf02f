import type { Json, JsonObject } from "../domain/json.ts";
import type { ProviderKey, TrackerKind } from "../domain/tracker.ts";
import type { Located, LocatedEntry } from "./located.ts";
import type { Reading } from "./types.ts";
import { literalSecret, lookUp, variableOf } from "./variables.ts";

/**
 * Resolves the variables of the keys that the adapter documents, and lets the adapter check the result. Other keys are
 * kept as they are. A secret that is empty counts as missing.
 */
export function readProvider(
  section: LocatedEntry,
  kind: TrackerKind | undefined,
  reading: Reading,
): JsonObject {
  const { node, keyPlace } = section;
  if (node.value !== null && node.entries === undefined) {
    reading.problem(node.place, "tracker.provider must be a map");
    return {};
  }
  const values = new Map<string, Json>(
    [...(node.entries ?? [])].map(([key, entry]) => [key, entry.node.value]),
  );
  if (kind === undefined) return Object.fromEntries(values);
  for (const key of kind.profile.keys) {
    const written = node.entries?.get(key.key)?.node;
    const value = valueOf(key, written, reading);
    if (value === undefined) values.delete(key.key);
    else values.set(key.key, value);
  }
  const provider = Object.fromEntries(values);
  for (const problem of kind.check(provider)) {
    reading.problem(placeFor(problem, kind.profile.keys, node) ?? keyPlace, `tracker.provider: ${problem}`);
  }
  return provider;
}

/** Returns undefined if the key is missing. */
function valueOf(key: ProviderKey, written: Located | undefined, reading: Reading): Json | undefined {
  const name = `tracker.provider.${key.key}`;
  const isMissing = written === undefined || written.value === null || written.value === "";
  if (isMissing) return key.env === undefined ? undefined : lookUp(key.env, reading);
  const variable = variableOf(written.value);
  if (variable === undefined) {
    if (key.secret === true) reading.warning(literalSecret(written, name));
    return written.value;
  }
  const value = lookUp(variable, reading);
  if (value === undefined) {
    reading.warning(`line ${written.place.line}: ${name} names the variable ${variable}, which is not set`);
  }
  return value;
}

/** The place of the key that a problem names. */
function placeFor(
  problem: string,
  keys: readonly ProviderKey[],
  { entries }: Located,
): LocatedEntry["keyPlace"] | undefined {
  const named = keys.find(({ key }) => problem.includes(key) && entries?.has(key) === true);
  return named === undefined ? undefined : entries?.get(named.key)?.node.place;
}
