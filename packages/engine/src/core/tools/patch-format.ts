/** One file of a patch in the apply_patch format. */
export type PatchFile =
  | { readonly kind: "add"; readonly path: string; readonly content: string }
  | { readonly kind: "delete"; readonly path: string }
  | {
      readonly kind: "update";
      readonly path: string;
      readonly moveTo: string | undefined;
      readonly chunks: readonly PatchChunk[];
    };

/** Adjacent lines of the file and their replacement. */
export interface PatchChunk {
  /** The search for `before` starts after this line. */
  readonly anchor: string | undefined;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The patch is malformed or does not match the files. */
export class PatchError extends Error {}

const HEADERS =
  "Valid hunk headers: '*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'";

/** How many characters and files a patch may have. */
const MAX_CHARS = 8 * 1024 * 1024;
const MAX_FILES = 1_000;

/** Parses a patch. Throws a {@link PatchError} with the real server's message if it is malformed. */
export function parsePatch(text: string): PatchFile[] {
  if (text.length > MAX_CHARS) throw new PatchError(`The patch is longer than ${MAX_CHARS} characters`);
  const lines = text.trim().split("\n");
  if (lines[0]?.trim() !== "*** Begin Patch")
    throw new PatchError("The first line of the patch must be '*** Begin Patch'");
  if (lines.at(-1)?.trim() !== "*** End Patch")
    throw new PatchError("The last line of the patch must be '*** End Patch'");
  const body = lines.slice(1, -1);
  const files: PatchFile[] = [];
  for (let at = 0; at < body.length;) {
    const start = at;
    const header = body[at++] ?? "";
    const [, verb, path = ""] = /^\*\*\* (Add|Delete|Update) File: (.+)$/.exec(header.trim()) ?? [];
    if (verb === undefined) {
      throw invalid(start + 2, header);
    }
    while (at < body.length && !/^\*\*\* (Add|Delete|Update) File: /.test(body[at] ?? "")) at++;
    if (files.length === MAX_FILES) throw new PatchError(`The patch changes more than ${MAX_FILES} files`);
    files.push(fileOf(verb, path, body.slice(start + 1, at), start + 3));
  }
  return files;
}

function invalid(line: number, text: string): PatchError {
  return new PatchError(`invalid hunk at line ${line}, '${text}' is not a valid hunk header. ${HEADERS}`);
}

/** `first` is the number of the first of these lines in the patch. */
function fileOf(verb: string, path: string, lines: readonly string[], first: number): PatchFile {
  if (verb !== "Update") {
    const wrong = lines.findIndex((line) => line.trim() !== "" && !(verb === "Add" && line.startsWith("+")));
    if (wrong !== -1) throw invalid(first + wrong, lines[wrong] ?? "");
  }
  if (verb === "Delete") return { kind: "delete", path };
  if (verb === "Add") {
    const content = lines.filter((line) => line.startsWith("+")).map((line) => `${line.slice(1)}\n`);
    return { kind: "add", path, content: content.join("") };
  }
  const [, moveTo] = /^\*\*\* Move to: (.+)$/.exec(lines[0] ?? "") ?? [];
  return { kind: "update", path, moveTo, chunks: chunksOf(moveTo === undefined ? lines : lines.slice(1)) };
}

function chunksOf(lines: readonly string[]): PatchChunk[] {
  const chunks: { anchor: string | undefined; before: string[]; after: string[] }[] = [];
  for (const line of lines) {
    if (line === "*** End of File") continue;
    if (line.startsWith("@@")) {
      const anchor = line.slice(2).trim();
      chunks.push({ anchor: anchor === "" ? undefined : anchor, before: [], after: [] });
      continue;
    }
    if (!/^(?:[ +-]|$)/.test(line)) {
      throw new PatchError(
        `Unexpected line in the update of a file: '${line}'. Lines start with ' ' (context), '+' (added) or '-' (removed)`,
      );
    }
    if (chunks.length === 0) chunks.push({ anchor: undefined, before: [], after: [] });
    const chunk = chunks.at(-1);
    const rest = line.slice(1);
    if (!line.startsWith("+")) chunk?.before.push(rest);
    if (!line.startsWith("-")) chunk?.after.push(rest);
  }
  return chunks;
}
