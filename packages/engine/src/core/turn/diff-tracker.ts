import { utf8 } from "../bytes.ts";
import type { Platform } from "../ports.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** The content of a file. Files that are not UTF-8 are kept as bytes, and links as their target. */
export type FileContent = string | { readonly bytes: Uint8Array } | { readonly link: string };

/** How many characters of files a turn keeps, and how long its diff can be. */
const MAX_KEPT = 32 * 1024 * 1024;
const MAX_DIFF = 4 * 1024 * 1024;

/** The content at the beginning of the turn and now; `undefined` if the file does not exist. */
interface Tracked {
  before: FileContent | undefined;
  now: FileContent | undefined;
  /** The diff, computed when it is first needed. */
  text: string | undefined;
  /** Whether the contents were dropped because the files of the turn are too large together. */
  dropped: boolean;
}

/** Collects the file changes of a turn as one diff in git's format. */
export class DiffTracker {
  readonly #cwd: string;
  readonly #platform: Platform;
  readonly #files = new Map<string, Tracked>();
  #kept = 0;

  constructor(cwd: string, platform: Platform) {
    this.#cwd = cwd;
    this.#platform = platform;
  }

  changed(file: string, before: FileContent | undefined, now: FileContent | undefined): void {
    const known = this.#files.get(file);
    const tracked = known ?? { before, now, text: undefined, dropped: false };
    if (!known) this.#files.set(file, tracked);
    if (tracked.dropped) return;
    this.#kept += sizeOf(now) - (known ? sizeOf(known.now) : -sizeOf(before));
    tracked.now = now;
    tracked.text = undefined;
    if (this.#kept <= MAX_KEPT) return;
    this.#kept -= sizeOf(tracked.before) + sizeOf(tracked.now);
    this.#files.set(file, {
      before: tracked.before === undefined ? undefined : "",
      now: now === undefined ? undefined : "",
      text: undefined,
      dropped: true,
    });
  }

  diff(): string {
    let length = 0;
    return [...this.#files]
      .toSorted(([a], [b]) => (this.#name(a) < this.#name(b) ? -1 : 1))
      .map(([file, tracked]) => {
        tracked.text ??= this.#one(file, tracked);
        length += tracked.text.length;
        return length <= MAX_DIFF ? tracked.text : this.#header(file, tracked, "");
      })
      .join("");
  }

  #one(file: string, tracked: Tracked): string {
    const { before, now, dropped } = tracked;
    if (dropped) return this.#header(file, tracked, "");
    if (before === now) return "";
    const [from, to] = this.#names(file, tracked);
    const index = `index ${this.#blob(before)}..${this.#blob(now)}\n`;
    if (isBinary(before) || isBinary(now)) {
      return this.#header(file, tracked, `${index}Binary files ${from} and ${to} differ\n`);
    }
    const hunks = unifiedDiff(textOf(before), textOf(now), 3);
    return this.#header(file, tracked, `${index}--- ${from}\n+++ ${to}\n${hunks}`);
  }

  #header(file: string, { before, now }: Tracked, rest: string): string {
    const mode =
      before === undefined ? "new file mode 100644\n" : now === undefined ? "deleted file mode 100644\n" : "";
    const name = this.#name(file);
    return `diff --git a/${name} b/${name}\n${mode}${rest}`;
  }

  #names(file: string, { before, now }: Tracked): readonly [string, string] {
    const name = this.#name(file);
    return [before === undefined ? "/dev/null" : `a/${name}`, now === undefined ? "/dev/null" : `b/${name}`];
  }

  /** The path from the working directory, or the whole path of a file outside of it. */
  #name(file: string): string {
    const { paths } = this.#platform;
    const relative = paths.relative(this.#cwd, file).replaceAll(paths.sep, "/");
    const name = relative.startsWith("../") ? file.replaceAll(paths.sep, "/") : relative;
    // A line break in a name could forge lines of the diff.
    return name.replace(/[\n\r]/g, "?");
  }

  /** The object id that git computes for this content. */
  #blob(content: FileContent | undefined): string {
    if (content === undefined || (typeof content === "object" && "bytes" in content)) return "0".repeat(40);
    const text = textOf(content);
    return this.#platform.digest("sha1", `blob ${utf8(text).length}\0${text}`);
  }
}

function isBinary(content: FileContent | undefined): boolean {
  if (typeof content === "string") return content.slice(0, 8_000).includes("\0");
  return content !== undefined && "bytes" in content;
}

/** The text that a diff shows. For a link this is its target, as in git. */
export function textOf(content: FileContent | undefined): string {
  if (content === undefined) return "";
  return typeof content === "string" ? content : "link" in content ? content.link : "";
}

function sizeOf(content: FileContent | undefined): number {
  if (content === undefined) return 0;
  return typeof content === "object" && "bytes" in content ? content.bytes.length : textOf(content).length;
}
