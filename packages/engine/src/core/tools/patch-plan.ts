import { folderOf, join, normal } from "../confinement/paths.ts";
import { realPath } from "../confinement/pin-policy.ts";
import { utf8 } from "../bytes.ts";
import { parsePatch, PatchError, type PatchFile } from "./patch-format.ts";
import { applyChunks, PatchBudget } from "./patch-search.ts";
import type { Files, Paths } from "../ports.ts";
import type { FileContent } from "../turn/diff-tracker.ts";

/** The largest file that a patch can change. */
const MAX_BYTES = 16 * 1024 * 1024;

/** One write or removal of a patch. All paths are absolute, and none leads through a link. */
export interface PatchStep {
  readonly file: string;
  /** The content and the version that the file must still have when the patch is applied. */
  readonly before: FileContent | undefined;
  readonly version: string | undefined;
  /** The new content; `undefined` removes the file. */
  readonly after: string | undefined;
}

/** A file of a patch. */
export interface PatchChange {
  readonly mark: "A" | "D" | "M";
  /** The name as the model wrote it. */
  readonly name: string;
  /** The absolute path as the model means it. It may lead through links. */
  readonly file: string;
  readonly movedTo: string | undefined;
  readonly before: FileContent | undefined;
  readonly after: string | undefined;
  /** The file that a move replaces. */
  readonly replaced?: FileContent | undefined;
}

export interface PatchPlan {
  readonly changes: readonly PatchChange[];
  /** Files to write, then files to remove. So a failure in between loses nothing. */
  readonly steps: readonly PatchStep[];
  /** The paths that lead through links, each with the real path. */
  readonly links: readonly { readonly file: string; readonly real: string }[];
}

interface Planner {
  readonly files: Files;
  readonly paths: Paths;
  readonly cwd: string;
  readonly budget: PatchBudget;
  /** The state of each file that was read, before the patch and after the parts so far. */
  readonly states: Map<string, State>;
  readonly links: Map<string, string>;
}

interface State {
  readonly before: FileContent | undefined;
  readonly version: string | undefined;
  now: FileContent | undefined;
}

/** Reads and checks all files of a patch. Changes nothing. Throws a `PatchError` if the patch cannot be applied. */
export async function planPatch(text: string, cwd: string, files: Files, paths: Paths): Promise<PatchPlan> {
  const budget = new PatchBudget();
  const planner: Planner = { files, paths, cwd, budget, states: new Map(), links: new Map() };
  const changes: PatchChange[] = [];
  for (const file of parsePatch(text)) changes.push(await changeOf(planner, file));
  const steps = [...planner.states].flatMap(([file, { before, version, now }]) => {
    if (now === before || (now !== undefined && typeof now !== "string")) return [];
    return [{ file, before, version, after: now }];
  });
  if (changes.length === 0) throw new PatchError("No files were modified.");
  return {
    changes,
    steps: ordered(steps),
    links: [...planner.links].map(([file, real]) => ({ file, real })),
  };
}

/** Removals come last, except those of a file whose place is needed for a folder. */
function ordered(steps: readonly PatchStep[]): PatchStep[] {
  const written = steps.filter(({ after }) => after !== undefined);
  const removed = steps.filter(({ after }) => after === undefined);
  const inTheWay = removed.filter(({ file }) => written.some((step) => step.file.startsWith(`${file}/`)));
  return [...inTheWay, ...written, ...removed.filter((step) => !inTheWay.includes(step))];
}

async function changeOf(planner: Planner, part: PatchFile): Promise<PatchChange> {
  const file = absolute(planner, part.path);
  const base = { name: part.path, file, movedTo: undefined };
  if (part.kind === "add") {
    const before = await write(planner, file, part.content);
    return { ...base, mark: "A", before, after: part.content };
  }
  if (part.kind === "delete") {
    return { ...base, mark: "D", before: await remove(planner, file, "delete"), after: undefined };
  }
  const real = realOf(planner, file);
  const { now: before } = await stateOf(planner, real);
  if (before === undefined) throw missing("update", file);
  if (typeof before !== "string")
    throw new PatchError(`Failed to read file to update ${file}: it is not text`);
  const after = applyChunks(file, before, part.chunks, planner.budget);
  if (part.moveTo === undefined) {
    await write(planner, file, after);
    return { ...base, mark: "M", before, after };
  }
  const movedTo = absolute(planner, part.moveTo);
  await remove(planner, file, "update");
  const replaced = await write(planner, movedTo, after);
  return { name: part.moveTo, file, mark: "M", movedTo, before, after, replaced };
}

/** Plans to write a file. Returns its content before. */
async function write(planner: Planner, file: string, after: string): Promise<FileContent | undefined> {
  const real = realOf(planner, file);
  if (real !== file) planner.links.set(file, real);
  const state = await stateOf(planner, real);
  planner.budget.characters(after.length);
  const before = state.now;
  state.now = after;
  return before;
}

/** Plans to remove a file. Returns its content before. A link is removed itself; the file that it leads to stays. */
async function remove(planner: Planner, file: string, verb: string): Promise<FileContent> {
  const real = join(realOf(planner, folderOf(file)), planner.paths.basename(file));
  if (real !== file) planner.links.set(file, real);
  const state = await stateOf(planner, real);
  const before = state.now;
  if (before === undefined) throw missing(verb, file);
  state.now = undefined;
  return before;
}

async function stateOf({ states, files, budget }: Planner, real: string): Promise<State> {
  const known = states.get(real);
  if (known) return known;
  const state = await read(files, real, budget);
  states.set(real, state);
  return state;
}

async function read(files: Files, real: string, budget: PatchBudget): Promise<State> {
  const kind = files.kind(real);
  if (kind === "folder") throw new PatchError(`${real} is a folder`);
  if (kind === "other") throw new PatchError(`${real} is not a regular file`);
  if (typeof kind === "object") {
    return { before: kind, version: files.version(real), now: kind };
  }
  let found: Awaited<ReturnType<Files["readRegular"]>>;
  try {
    found = await files.readRegular(real, MAX_BYTES);
  } catch (error) {
    throw new PatchError(`Failed to read ${real}: ${(error as Error).message}`);
  }
  if (!found) return { before: undefined, version: undefined, now: undefined };
  budget.characters(found.bytes.length);
  const content = contentOf(found.bytes);
  return { before: content, version: found.version, now: content };
}

function contentOf(bytes: Uint8Array): FileContent {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { bytes };
  }
}

/** The bytes of a file's content. */
export function bytesOf(content: string | { readonly bytes: Uint8Array }): Uint8Array {
  return typeof content === "string" ? utf8(content) : content.bytes;
}

function absolute({ paths, cwd }: Planner, file: string): string {
  if (file.includes("\0")) throw new PatchError("A path contains a NUL character");
  return normal(paths.resolve(cwd, file));
}

/** Follows all links of a path, so that decisions are about the file that is written. */
function realOf({ files }: Planner, file: string): string {
  try {
    return realPath(file, files);
  } catch (error) {
    throw new PatchError(`Failed to find ${file}: ${(error as Error).message}`);
  }
}

function missing(verb: string, file: string): PatchError {
  return new PatchError(`Failed to read file to ${verb} ${file}: No such file or directory (os error 2)`);
}
