import { utf8 } from "../bytes.ts";
import type { Platform } from "../ports.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** Collects the file changes of a turn as one diff in git's format. */
export class DiffTracker {
  readonly #cwd: string;
  readonly #platform: Platform;
  /** The content at the beginning of the turn and now; `undefined` if the file does not exist. */
  readonly #files = new Map<string, { readonly before: string | undefined; now: string | undefined }>();

  constructor(cwd: string, platform: Platform) {
    this.#cwd = cwd;
    this.#platform = platform;
  }

  changed(file: string, before: string | undefined, now: string | undefined): void {
    const known = this.#files.get(file);
    if (known) known.now = now;
    else this.#files.set(file, { before, now });
  }

  diff(): string {
    return [...this.#files]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([file, { before, now }]) => this.#one(file, before, now))
      .join("");
  }

  #one(file: string, before: string | undefined, now: string | undefined): string {
    if (before === now) return "";
    const { paths } = this.#platform;
    const name = paths.relative(this.#cwd, file).replaceAll(paths.sep, "/");
    const mode =
      before === undefined ? "new file mode 100644\n" : now === undefined ? "deleted file mode 100644\n" : "";
    const index = `index ${this.#blob(before)}..${this.#blob(now)}${mode === "" ? " 100644" : ""}\n`;
    const from = before === undefined ? "/dev/null" : `a/${name}`;
    const to = now === undefined ? "/dev/null" : `b/${name}`;
    const hunks = unifiedDiff(before ?? "", now ?? "", 3);
    return `diff --git a/${name} b/${name}\n${mode}${index}--- ${from}\n+++ ${to}\n${hunks}`;
  }

  /** The object id that git computes for this content. */
  #blob(content: string | undefined): string {
    if (content === undefined) return "0".repeat(40);
    return this.#platform.digest("sha1", `blob ${utf8(content).length}\0${content}`);
  }
}
