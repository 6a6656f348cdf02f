import { createHash } from "node:crypto";
import path from "node:path";
import { unifiedDiff } from "./unified-diff.ts";

/** What a turn has changed, as one diff in git's form. */
export class DiffTracker {
  readonly #cwd: string;
  /** Content at the turn's beginning and now; `undefined` is no file. */
  readonly #files = new Map<string, { readonly before: string | undefined; now: string | undefined }>();

  constructor(cwd: string) {
    this.#cwd = cwd;
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
    const name = path.relative(this.#cwd, file).replaceAll(path.sep, "/");
    const mode =
      before === undefined ? "new file mode 100644\n" : now === undefined ? "deleted file mode 100644\n" : "";
    const index = `index ${blob(before)}..${blob(now)}${mode === "" ? " 100644" : ""}\n`;
    const from = before === undefined ? "/dev/null" : `a/${name}`;
    const to = now === undefined ? "/dev/null" : `b/${name}`;
    const hunks = unifiedDiff(before ?? "", now ?? "", 3);
    return `diff --git a/${name} b/${name}\n${mode}${index}--- ${from}\n+++ ${to}\n${hunks}`;
  }
}

/** The name that git gives a content. */
function blob(content: string | undefined): string {
  if (content === undefined) return "0".repeat(40);
  const bytes = Buffer.from(content);
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
