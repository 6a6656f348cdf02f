import { trimmed, trimmedEnd } from "./white-space.ts";

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
  /** Lines that are searched for one after the other. The search for the chunk begins after the last of them. */
  readonly anchors: readonly string[];
  /** The lines of the chunk in order. */
  readonly lines: readonly PatchLine[];
  /** Whether the lines must be the last ones of the file. */
  readonly atEnd: boolean;
}

export interface PatchLine {
  readonly mark: "context" | "removed" | "added";
  readonly text: string;
}

/** The patch is malformed or does not match the files. */
export class PatchError extends Error {}

const HEADERS =
  "Valid hunk headers: '*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'";
const MARKS = "Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)";
const END = "*** End Patch";
const HEREDOC = /^<<(?:EOF|'EOF'|"EOF")$/;

/** How many characters and files a patch may have. */
const MAX_CHARS = 8 * 1024 * 1024;
const MAX_FILES = 1_000;

/** Parses a patch. Throws a {@link PatchError} with the real server's message if it is malformed. */
export function parsePatch(text: string): PatchFile[] {
  if (text.length > MAX_CHARS) throw new PatchError(`The patch is longer than ${MAX_CHARS} characters`);
  const lines = trimmed(text).split("\n");
  const wrapped =
    HEREDOC.test(withoutReturns(lines[0] ?? "")) && lines.length >= 4 && lines.at(-1)?.endsWith("EOF");
  const body = wrapped ? lines.slice(1, -1) : lines;
  const last = body.length - 1;
  if (lines.length === 1 && lines[0] === "") throw afterEnd();
  if (trimmed(body[0] ?? "") !== "*** Begin Patch") {
    throw problem("The first line of the patch must be '*** Begin Patch'");
  }
  if (trimmed(body[last] ?? "") !== END) throw afterEnd();
  const parser = new Parser();
  for (let at = 1; at < last; at++) parser.line(withoutReturns(body[at] ?? ""), at + 1);
  // However it is indented, and even if another line has ended the patch.
  parser.end(last + 1);
  return parser.files;
}

/** The state of the file that is read. */
type Open =
  | { readonly kind: "add"; readonly path: string; content: string }
  | { readonly kind: "delete"; readonly path: string }
  | {
      readonly kind: "update";
      readonly path: string;
      /** The number of its first line. */
      readonly header: number;
      moveTo: string | undefined;
      readonly chunks: OpenChunk[];
    };

interface OpenChunk {
  readonly anchors: string[];
  readonly lines: PatchLine[];
  atEnd: boolean;
}

type OpenUpdate = Extract<Open, { kind: "update" }>;

/** Reads the lines after "Begin Patch" one by one. */
class Parser {
  readonly files: Open[] = [];
  #named = false;
  #ended = false;

  line(line: string, number: number): void {
    const file = this.files.at(-1);
    if (this.#ended) {
      if (trimmed(line) !== "") throw afterEnd();
      return;
    }
    // In an update, a header that is indented is a line of context.
    const header = file?.kind === "update" ? trimmedEnd(line) : trimmed(line);
    if (header === END) this.end(number);
    else if (!this.#opens(header, number)) this.#inside(file, line, number);
  }

  end(number: number): void {
    checkWhole(this.files.at(-1), END, number);
    this.#ended = true;
  }

  #opens(header: string, number: number): boolean {
    const [, verb, path = ""] = /^\*\*\* (Add|Delete|Update) File: (.+)$/s.exec(header) ?? [];
    if (verb === undefined) return false;
    checkWhole(this.files.at(-1), header, number);
    if (this.files.length === MAX_FILES)
      throw new PatchError(`The patch changes more than ${MAX_FILES} files`);
    if (verb === "Add") this.files.push({ kind: "add", path, content: "" });
    else if (verb === "Delete") this.files.push({ kind: "delete", path });
    else this.files.push({ kind: "update", path, header: number, moveTo: undefined, chunks: [] });
    return true;
  }

  #inside(file: Open | undefined, line: string, number: number): void {
    if (file?.kind === "update") return updateLine(file, line, number);
    if (file?.kind === "add" && line.startsWith("+")) {
      file.content += `${line.slice(1)}\n`;
      return;
    }
    const text = trimmed(line);
    const environment = file ? undefined : /^\*\*\* Environment ID:(.*)$/s.exec(text)?.[1];
    // The engine has one environment, so its name does not matter.
    if (environment !== undefined) return this.#name(environment);
    throw invalid(number, `'${text}' is not a valid hunk header. ${HEADERS}`);
  }

  #name(environment: string): void {
    if (this.#named) throw problem("apply_patch environment_id cannot be specified more than once");
    if (trimmed(environment) === "") throw problem("apply_patch environment_id cannot be empty");
    this.#named = true;
  }
}

function updateLine(file: OpenUpdate, line: string, number: number): void {
  const { chunks } = file;
  const last = chunks.at(-1);
  const text = trimmedEnd(line);
  const anchor = text === "@@" || text.startsWith("@@ ");
  if (last?.atEnd && !anchor) {
    if (text === "") return;
    throw noAnchor(number, line);
  }
  if (!last && file.moveTo === undefined && text.startsWith("*** Move to: ")) {
    file.moveTo = text.slice("*** Move to: ".length);
    return;
  }
  if (anchor) {
    const chunk = last && last.lines.length === 0 ? last : added(chunks);
    if (text !== "@@") chunk.anchors.push(text.slice(3));
    return;
  }
  if (text === "*** End of File") {
    if (!last) return;
    if (last.lines.length === 0) throw noLines(number);
    last.atEnd = true;
    return;
  }
  const mark = line === "" ? "context" : MARK_OF[line.charAt(0)];
  if (mark === undefined) {
    if (last && last.lines.length > 0) throw noAnchor(number, line);
    throw invalid(number, `Unexpected line found in update hunk: '${line}'. ${MARKS}`);
  }
  (last ?? added(chunks)).lines.push({ mark, text: line.slice(1) });
}

const MARK_OF: Readonly<Record<string, PatchLine["mark"]>> = { " ": "context", "-": "removed", "+": "added" };

function added(chunks: OpenChunk[]): OpenChunk {
  const chunk: OpenChunk = { anchors: [], lines: [], atEnd: false };
  chunks.push(chunk);
  return chunk;
}

/** Checks that the part before a header is complete. */
function checkWhole(file: Open | undefined, header: string, number: number): void {
  if (file?.kind !== "update") return;
  const last = file.chunks.at(-1);
  if (!last) throw invalid(file.header, `Update file hunk for path '${file.path}' is empty`);
  if (last.lines.length > 0) return;
  if (header === END) throw noLines(number);
  throw invalid(number, `Unexpected line found in update hunk: '${header}'. ${MARKS}`);
}

/** Removes the carriage returns of Windows, up to two of them as Codex does. */
function withoutReturns(line: string): string {
  return line.replace(/\r{1,2}$/, "");
}

function afterEnd(): PatchError {
  return problem("The last line of the patch must be '*** End Patch'");
}

function problem(text: string): PatchError {
  return new PatchError(`invalid patch: ${text}`);
}

function invalid(line: number, text: string): PatchError {
  return new PatchError(`invalid hunk at line ${line}, ${text}`);
}

function noAnchor(number: number, line: string): PatchError {
  return invalid(number, `Expected update hunk to start with a @@ context marker, got: '${line}'`);
}

function noLines(number: number): PatchError {
  return invalid(number, "Update hunk does not contain any lines");
}
