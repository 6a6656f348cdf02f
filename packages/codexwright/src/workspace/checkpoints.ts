import { lstat, mkdir, mkdtemp, readdir, readlink, rm, rmdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { FileNotFoundError } from "../agent/resources/memory-fs.ts";
import { InvalidArgumentError } from "../rpc/errors.ts";
import { removeTree } from "../system/remove-tree.ts";
import { git, OWN_CONFIG } from "./git.ts";

/** A moment of a workspace's files. */
export interface Checkpoint {
  /** Of the git tree that holds it. */
  readonly tree: string;
}

interface Entry {
  readonly mode: "100644" | "100755" | "120000";
  /** From the folder; a character for each byte, because names need not be UTF-8. */
  readonly file: string;
}

/** Files that are held in memory at once while a revert writes them. */
const AT_ONCE = 100;

/**
 * Keeps moments of a folder as trees of a git repository of its own: no index, reference or object of the user's is touched.
 *
 * Every file counts, ignored ones too, but nothing in folders named `.git`.
 */
export class Checkpoints {
  readonly #dir: string;
  /** The same, a character for each byte. */
  readonly #root: string;
  readonly #store: string;
  readonly #known = new Set<string>();
  #ready: Promise<void> | undefined;
  #indexes = 0;

  /** @param store where the repository goes: outside of the folder */
  constructor(dir: string, store: string) {
    this.#dir = dir;
    this.#root = Buffer.from(dir).toString("latin1");
    this.#store = store;
  }

  async take(): Promise<Checkpoint> {
    if (!(await ifThere(lstat(this.#dir)))) throw new FileNotFoundError(this.#dir);
    await this.#open();
    const lines = await this.#lines();
    const index = path.join(this.#store, `index-${this.#indexes++}`);
    try {
      await this.#git(["update-index", "-z", "--index-info"], lines.join(""), { GIT_INDEX_FILE: index });
      const tree = await this.#git(["write-tree"], "", { GIT_INDEX_FILE: index });
      return this.#remember(tree.toString("utf8").trim());
    } finally {
      await rm(index, { force: true });
    }
  }

  /** What changed from one moment to another, as a patch. */
  async diff(from: Checkpoint, to: Checkpoint): Promise<string> {
    this.#check(from);
    this.#check(to);
    const options = [
      "-r",
      "-p",
      "--no-color",
      "--no-ext-diff",
      "--no-textconv",
      "--no-renames",
      "--full-index",
    ];
    const patch = await this.#git(["diff-tree", ...options, from.tree, to.tree]);
    return patch.toString("utf8");
  }

  /** Makes every file what it was; gives the paths of those that were not. */
  async revert(to: Checkpoint): Promise<readonly string[]> {
    this.#check(to);
    const now = await this.take();
    const raw = await this.#git([
      "diff-tree",
      "-r",
      "-z",
      "--raw",
      "--no-renames",
      "--no-abbrev",
      now.tree,
      to.tree,
    ]);
    const changes = parseRaw(raw.toString("latin1"));
    // What goes makes room for what comes: a file may have taken the place of a folder, or a link of either.
    for (const { file } of changes) await this.#remove(file);
    const back = changes.filter(({ status }) => status !== "D");
    for (let at = 0; at < back.length; at += AT_ONCE) await this.#write(back.slice(at, at + AT_ONCE));
    return changes.map(({ file }) => bytesOf(file).toString("utf8"));
  }

  async #remove(file: string): Promise<void> {
    await removeTree(bytesOf(`${this.#root}/${file}`));
    for (let folder = path.posix.dirname(file); folder !== "."; folder = path.posix.dirname(folder)) {
      try {
        await rmdir(bytesOf(`${this.#root}/${folder}`));
      } catch {
        return; // something else is in it
      }
    }
  }

  async #write(changes: readonly Change[]): Promise<void> {
    const contents = await this.#contents(changes.map(({ blob }) => blob));
    for (const [index, { file, mode }] of changes.entries()) {
      const content = contents[index] ?? Buffer.alloc(0);
      const target = bytesOf(`${this.#root}/${file}`);
      await mkdir(bytesOf(path.posix.dirname(`${this.#root}/${file}`)), { recursive: true });
      if (mode === "120000") await symlink(content, target);
      else await writeFile(target, content, { flag: "wx", mode: mode === "100755" ? 0o755 : 0o644 });
    }
  }

  /** What objects hold: `id blob size LF content LF` for each. */
  async #contents(blobs: readonly string[]): Promise<Buffer[]> {
    const output = await this.#git(["cat-file", "--batch"], blobs.map((blob) => `${blob}\n`).join(""));
    let at = 0;
    return blobs.map(() => {
      const start = output.indexOf("\n", at) + 1;
      const size = Number(output.toString("latin1", at, start).trim().split(" ")[2]);
      at = start + size + 1;
      return output.subarray(start, start + size);
    });
  }

  /** What an index has of each file. */
  async #lines(tries = 10): Promise<readonly string[]> {
    const entries: Entry[] = [];
    await scan(this.#root, "", entries);
    try {
      const blobs = await this.#blobs(entries);
      return entries.map(({ mode, file }, index) => `${mode} ${blobs[index]}\t${file}\0`);
    } catch (error) {
      // One that has gone since ends the hashing of all.
      if (tries > 1 && (await this.#someAreGone(entries))) return await this.#lines(tries - 1);
      throw error;
    }
  }

  async #someAreGone(entries: readonly Entry[]): Promise<boolean> {
    for (const { file } of entries) {
      if (!(await ifThere(lstat(bytesOf(`${this.#root}/${file}`))))) return true;
    }
    return false;
  }

  /** The objects of files and links, in the order of the entries. */
  async #blobs(entries: readonly Entry[]): Promise<readonly string[]> {
    if (entries.length === 0) return [];
    const links = await mkdtemp(path.join(this.#store, "links-"));
    try {
      const paths: string[] = [];
      for (const { mode, file } of entries) {
        if (mode !== "120000") {
          paths.push(file);
          continue;
        }
        // What a link leads to is hashed like a file: one git for all of them.
        const stand = path.join(links, String(paths.length));
        await writeFile(stand, await readlink(bytesOf(`${this.#root}/${file}`), "buffer"));
        paths.push(Buffer.from(stand).toString("latin1"));
      }
      const hash = ["hash-object", "-w", "--no-filters", "--stdin-paths"];
      const hashed = await this.#git(hash, paths.map((file) => `${quoted(file)}\n`).join(""));
      return hashed.toString("utf8").trim().split("\n");
    } finally {
      await rm(links, { recursive: true, force: true });
    }
  }

  async #git(
    args: readonly string[],
    input = "",
    env: Readonly<Record<string, string>> = {},
  ): Promise<Buffer> {
    // Names that other systems cannot have are names like others here.
    const config = [
      "-c",
      "core.protectNTFS=false",
      "-c",
      "core.protectHFS=false",
      "-c",
      "core.quotePath=false",
    ];
    const place = { GIT_DIR: this.#store, GIT_WORK_TREE: this.#dir };
    return await git([...config, ...args], {
      cwd: this.#dir,
      // Paths, as entries have them, and ASCII.
      input: bytesOf(input),
      env: { ...OWN_CONFIG, ...place, ...env },
    });
  }

  async #open(): Promise<void> {
    // One that failed, for want of descriptors say, is tried again.
    this.#ready ??= this.#init().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    await this.#ready;
  }

  async #init(): Promise<void> {
    // A git that was cut off may have left its locks.
    await removeTree(this.#store);
    await mkdir(this.#store, { recursive: true });
    await git(["init", "--quiet", "--bare", "--template=", this.#store], {
      cwd: this.#dir,
      env: OWN_CONFIG,
    });
  }

  #remember(tree: string): Checkpoint {
    this.#known.add(tree);
    return Object.freeze({ tree });
  }

  #check({ tree }: Checkpoint): void {
    if (!this.#known.has(tree)) throw new InvalidArgumentError("the checkpoint is not one of this workspace");
  }
}

function bytesOf(file: string): Buffer {
  return Buffer.from(file, "latin1");
}

/** A path on a line of its own, as git reads it. */
function quoted(file: string): string {
  if (!/^"|[\n\r]/.test(file)) return file;
  const escaped = file.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll("\n", String.raw`\n`);
  return `"${escaped.replaceAll("\r", String.raw`\r`)}"`;
}

interface Change {
  readonly status: string;
  readonly mode: string;
  readonly blob: string;
  readonly file: string;
}

/** `:oldmode newmode oldblob newblob status NUL path NUL`, again and again. */
function parseRaw(raw: string): Change[] {
  const fields = raw.split("\0");
  return Array.from({ length: Math.floor(fields.length / 2) }, (_, index) => {
    const [, mode = "", , blob = "", status = ""] = (fields[2 * index] ?? "").split(" ");
    return { mode, blob, status, file: fields[2 * index + 1] ?? "" };
  });
}

async function scan(root: string, at: string, entries: Entry[]): Promise<void> {
  const names = await ifThere(readdir(bytesOf(`${root}/${at}`), "latin1"));
  for (const name of (names ?? []).toSorted()) {
    if (name.toLowerCase() === ".git") continue;
    const file = at === "" ? name : `${at}/${name}`;
    const stat = await ifThere(lstat(bytesOf(`${root}/${file}`)));
    if (stat?.isDirectory()) await scan(root, file, entries);
    else if (stat?.isSymbolicLink()) entries.push({ mode: "120000", file });
    else if (stat?.isFile()) entries.push({ mode: stat.mode & 0o100 ? "100755" : "100644", file });
  }
}

/** Undefined for what has gone meanwhile: programs that Codex started may still be at work. */
async function ifThere<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
