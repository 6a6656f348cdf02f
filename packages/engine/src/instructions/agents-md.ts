import path from "node:path";
import type { LoadedConfig } from "../config/index.ts";
import type { FoundInstructions, InstructionFile } from "../core/ports.ts";
import { isFile, readBeginning, realOf } from "./read-beginning.ts";

export type InstructionPlace = Pick<LoadedConfig, "home" | "cwd" | "trust" | "project" | "projectDocs">;

/** The most bytes of the user's own instructions. */
const USER_BYTES = 1024 * 1024;
const USER_NAMES = ["AGENTS.override.md", "AGENTS.md"];

/**
 * Reads the instructions for work in a folder: those of the user, and those of the project unless the user has marked it
 * as untrusted. Never rejects: a file that cannot be used becomes a warning.
 */
export async function readInstructions(place: InstructionPlace): Promise<FoundInstructions> {
  const warnings: string[] = [];
  const user = await userFile(place.home, warnings);
  const project = place.trust === "untrusted" ? [] : await projectFiles(place, warnings);
  return { cwd: place.cwd, files: [...user, ...project], warnings };
}

/** A file without any text does not count, so the next one is read. */
async function userFile(home: string, warnings: string[]): Promise<InstructionFile[]> {
  for (const name of USER_NAMES) {
    const file = path.join(home, name);
    const text = (await textOf(file, USER_BYTES, undefined, warnings))?.text.trim();
    if (text) return [{ path: file, text, scope: "user" }];
  }
  return [];
}

/** All files share the budget, and the file that exceeds it is cut. */
async function projectFiles(
  { project, projectDocs: { names, maxBytes } }: InstructionPlace,
  warnings: string[],
): Promise<InstructionFile[]> {
  const root = await realOf(project[0] ?? "");
  const files: InstructionFile[] = [];
  let left = maxBytes;
  if (root === undefined) return [];
  for (const folder of project) {
    if (left <= 0) break;
    const file = await fileIn(folder, names);
    const found = file && (await textOf(file, left, root, warnings));
    if (!file || !found || found.text.trim() === "") continue;
    files.push({ path: file, text: found.text, scope: "project" });
    left -= found.bytes;
  }
  return files;
}

/** The first of the names that is a regular file, through links. */
async function fileIn(folder: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const file = path.join(folder, name);
    if (await isFile(file)) return file;
  }
  return undefined;
}

async function textOf(
  file: string,
  most: number,
  root: string | undefined,
  warnings: string[],
): Promise<{ readonly text: string; readonly bytes: number } | undefined> {
  const read = await readBeginning(file, most, root);
  if (read.kind === "absent") return undefined;
  if (read.kind === "refused") {
    warnings.push(`The instructions in ${file} were left out: ${read.why}.`);
    return undefined;
  }
  if (read.cut) warnings.push(`The instructions in ${file} were cut after ${read.bytes.length} bytes.`);
  return { text: new TextDecoder().decode(read.bytes), bytes: read.bytes.length };
}
