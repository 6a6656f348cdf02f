import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { PublicEntry } from "./public-entries.ts";
import type { EntryNames } from "./names.ts";

/** The path of an entry's list below `docs/api`: `codexwright/client.txt`. */
export function listPath({ folder, key }: PublicEntry): string {
  const name = key === "." ? "index" : key.slice("./".length).replaceAll("/", "-");
  return path.posix.join(folder, `${name}.txt`);
}

/** One line for each name, plus one line if the entry exports a generated file as a whole. */
export function listText({ kinds, generated }: EntryNames): string {
  const lines = Array.from(kinds, ([name, kind]) => `${name}: ${kind}`);
  return [...lines, ...(generated ? ["*: generated wire types"] : [])].map((line) => `${line}\n`).join("");
}

/** Returns the differences between the stored lists and the names, one sentence each. */
export function listProblems(folder: string, names: ReadonlyMap<PublicEntry, EntryNames>): string[] {
  const wanted = new Map(Array.from(names, ([entry, found]) => [listPath(entry), listText(found)]));
  const stale = storedLists(folder).filter((file) => !wanted.has(file));
  return [
    ...stale.map((file) => `${file} lists an entry that no package has`),
    ...Array.from(wanted).flatMap(([file, text]) => differences(file, readList(folder, file), text)),
  ];
}

/** Replaces the stored lists. */
export function writeLists(folder: string, names: ReadonlyMap<PublicEntry, EntryNames>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [entry, found] of names) {
    const file = path.join(folder, listPath(entry));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, listText(found));
  }
}

function differences(file: string, stored: string, wanted: string): string[] {
  const [before, after] = [stored, wanted].map((text) => text.split("\n"));
  const added = after?.filter((line) => !before?.includes(line)) ?? [];
  const removed = before?.filter((line) => !after?.includes(line)) ?? [];
  const lines = [
    ...removed.map((line) => `${file}: - ${line}`),
    ...added.map((line) => `${file}: + ${line}`),
  ];
  return lines.length === 0 && stored !== wanted ? [`${file} is not sorted`] : lines;
}

function storedLists(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".txt"))
    .map((file) => file.replaceAll(path.sep, "/"));
}

function readList(folder: string, file: string): string {
  const place = path.join(folder, file);
  return existsSync(place) ? readFileSync(place, "utf8") : "";
}
