import { homedir, tmpdir } from "node:os";
import type { Place } from "../domain/errors.ts";
import type { Settings } from "../domain/settings.ts";
import type { TrackerKind } from "../domain/tracker.ts";
import { KEYS, type Key, type KeyTable, type PartialSettings } from "./keys.ts";
import type { Located, LocatedEntry } from "./located.ts";
import { nearestName } from "./nearest.ts";
import { readProvider } from "./provider.ts";
import type { Reading } from "./types.ts";

/** The sources of settings besides the file. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The adapters that `tracker.kind` can name. */
  readonly kinds: readonly TrackerKind[];
}

export interface ReadSettings {
  readonly settings: Settings;
  readonly problems: readonly { readonly place: Place; readonly text: string }[];
  readonly warnings: readonly string[];
}

const START: Place = { line: 1, column: 1 };

/** Reads the front matter by the table of keys. The settings are complete only if there are no problems. */
export function readSettings(
  root: Located | undefined,
  folder: string,
  { env, kinds }: Surroundings,
): ReadSettings {
  const problems: ReadSettings["problems"][number][] = [];
  const warnings: string[] = [];
  const base = {
    env,
    folder,
    temp: tmpdir(),
    home: env["HOME"] || homedir(),
    problem: (place: Place, text: string): void => void problems.push({ place, text }),
    warning: (text: string): void => void warnings.push(text),
  };
  const kindName = root?.entries?.get("tracker")?.node.entries?.get("kind")?.node.value;
  const kind = kinds.find(({ profile }) => profile.kind === kindName);
  const reading: Reading = { ...base, profile: kind?.profile };
  let settings: PartialSettings = {};
  for (const section of Object.keys(KEYS) as (keyof KeyTable)[]) {
    const entry = root?.entries?.get(section);
    const read = readSection(section, entry, reading, settings);
    settings = { ...settings, [section]: read };
  }
  const trackerEntry = root?.entries?.get("tracker");
  checkKind(trackerEntry, kinds, reading);
  const provider = trackerEntry?.node.entries?.get("provider");
  const empty: LocatedEntry = { keyPlace: trackerEntry?.keyPlace ?? START, node: EMPTY_MAP };
  settings = {
    ...settings,
    tracker: {
      ...settings.tracker,
      provider: readProvider(provider ?? empty, kind, reading),
    } as Settings["tracker"],
  };
  warnUnknown(root, Object.keys(KEYS), "", reading);
  return { settings: settings as Settings, problems, warnings };
}

const EMPTY_MAP: Located = {
  value: {},
  place: START,
  entries: new Map(),
  items: undefined,
  size: 1,
  levels: 1,
};

function readSection(
  section: keyof KeyTable,
  entry: LocatedEntry | undefined,
  reading: Reading,
  before: PartialSettings,
): Record<string, unknown> {
  if (entry !== undefined && entry.node.value !== null && entry.node.entries === undefined) {
    reading.problem(entry.node.place, `${section} must be a map`);
    return {};
  }
  const keys = Object.entries(KEYS[section]) as [string, Key<unknown>][];
  const known = keys.map(([, { key }]) => key);
  warnUnknown(entry?.node, section === "tracker" ? [...known, "provider"] : known, `${section}.`, reading);
  return Object.fromEntries(
    keys.map(([field, key]) => [field, readKey(`${section}.${key.key}`, key, entry, reading, before)]),
  );
}

function readKey(
  name: string,
  key: Key<unknown>,
  section: LocatedEntry | undefined,
  reading: Reading,
  before: PartialSettings,
): unknown {
  const written = section?.node.entries?.get(key.key)?.node;
  // Without a value, a key has its default, unless null has a meaning of its own.
  const value = written === undefined ? undefined : key.type.read(written, reading, name);
  if (value !== undefined) return value;
  if (written !== undefined && written.value !== null) {
    reading.problem(written.place, `${name} must be ${key.type.name}, but is ${kindOf(written)}`);
    return undefined;
  }
  const missing = key.missing(reading, before);
  if (missing === undefined) reading.problem(section?.keyPlace ?? START, `${name} is required`);
  return missing;
}

/** Values can be secrets, so that only numbers and booleans are shown. */
function kindOf({ value, entries, items }: Located): string {
  if (entries !== undefined) return "a map";
  if (items !== undefined) return "a list";
  if (typeof value === "string") return value.trim() === "" ? "blank" : "a text";
  return JSON.stringify(value);
}

function checkKind(tracker: LocatedEntry | undefined, kinds: readonly TrackerKind[], reading: Reading): void {
  const written = tracker?.node.entries?.get("kind")?.node;
  if (reading.profile !== undefined || typeof written?.value !== "string" || written.value === "") return;
  const known = kinds.map(({ profile }) => profile.kind);
  const nearest = nearestName(written.value, known);
  const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  reading.problem(written.place, `tracker.kind must be one of ${known.join(", ")}${hint}`);
}

/** Unknown keys are kept, because extensions can have keys of their own. */
function warnUnknown(
  node: Located | undefined,
  known: readonly string[],
  prefix: string,
  reading: Reading,
): void {
  for (const [key, { keyPlace }] of node?.entries ?? []) {
    if (known.includes(key)) continue;
    const nearest = nearestName(key, known);
    const hint = nearest === undefined ? "" : `; did you mean ${prefix}${nearest}?`;
    reading.warning(`line ${keyPlace.line}: the key ${prefix}${shown(key)} is unknown${hint}`);
  }
}

/** A key can be of any length and have any characters. */
function shown(key: string): string {
  return /^[\w.-]{1,64}$/.test(key) ? key : JSON.stringify(key.slice(0, 64));
}
