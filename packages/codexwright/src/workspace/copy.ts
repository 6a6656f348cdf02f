import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { lstat, mkdir, open, readdir, realpath, stat, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { AbortedError, InvalidArgumentError } from "../rpc/errors.ts";
import { WorkspaceBudgetExceededError, WorkspaceSecurityError } from "./errors.ts";
import { matcher, type Matcher } from "./globs.ts";
import type { CheckedMount } from "./mount.ts";
import { READ } from "./open-flags.ts";
import { isInside } from "./roots.ts";

/** The result of a mount. */
export interface MountPreview {
  /** The target of the mount, relative to the workspace folder; "" is the workspace folder itself. */
  readonly to: string;
  readonly kind: "file" | "directory";
  /** The copied files, sorted. Their paths are relative to the folder of the mount. */
  readonly files: readonly string[];
  readonly bytes: number;
  readonly maxBytes: number | undefined;
  /**
   * Entries that were not copied because of what they are: symbolic links, names that are not UTF-8, and entries that
   * are neither files nor folders. Entries that the globs leave out are not listed here.
   */
  readonly skipped: readonly string[];
}

/** Counts the copied bytes and enforces a limit. */
export interface Meter {
  bytes: number;
  readonly maxBytes: number | undefined;
}

/** Content hashes by path, relative to the workspace folder. */
export type Hashes = Map<string, string>;

/**
 * Copies one mount. `source` is the real path of the mount's source. If `hashes` is given, adds the hash of each file
 * to it.
 */
export async function copyMount(
  mount: CheckedMount,
  source: string,
  dir: string,
  total: Meter,
  hashes: Hashes | undefined,
  signal: AbortSignal | undefined,
): Promise<MountPreview> {
  return await new Copier(mount, source, dir, total, hashes, signal).run();
}

class Copier {
  readonly #mount: CheckedMount;
  readonly #source: string;
  readonly #target: string;
  /** The new workspace folder. It may be inside the source, so it must not be copied into itself. */
  readonly #made: string;
  readonly #total: Meter;
  readonly #own: Meter;
  readonly #hashes: Hashes | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #files: string[] = [];
  readonly #skipped: string[] = [];
  #included: Matcher = () => true;
  #excluded: Matcher = () => false;

  constructor(
    mount: CheckedMount,
    source: string,
    dir: string,
    total: Meter,
    hashes: Hashes | undefined,
    signal: AbortSignal | undefined,
  ) {
    this.#mount = mount;
    this.#source = source;
    this.#target = path.join(dir, ...mount.to.split("/"));
    this.#made = path.dirname(dir);
    this.#total = total;
    this.#own = { bytes: 0, maxBytes: mount.maxBytes };
    this.#hashes = hashes;
    this.#signal = signal;
  }

  async run(): Promise<MountPreview> {
    this.#checkSignal();
    const { include, exclude, to, maxBytes } = this.#mount;
    const kind = (await stat(this.#source)).isDirectory() ? "directory" : "file";
    if (kind === "directory") {
      if (include.length > 0) this.#included = await matcher(include);
      this.#excluded = await matcher(exclude);
      await mkdir(this.#target, { recursive: true });
      await this.#folder(this.#source, "", [this.#source]);
    } else {
      if (to === "")
        throw new InvalidArgumentError(
          "a file cannot be mounted as the workspace folder: `to` must name a file",
        );
      await this.#file(this.#source, "");
    }
    const files = kind === "file" ? [path.basename(to)] : this.#files;
    return { to, kind, files, bytes: this.#own.bytes, maxBytes, skipped: this.#skipped };
  }

  /** @param parents real paths of the parent folders, to detect links that lead back to them */
  async #folder(folder: string, at: string, parents: readonly string[]): Promise<void> {
    const names = (await readdir(folder, "buffer")).map((bytes) => ({ bytes, name: bytes.toString("utf8") }));
    for (const { bytes, name } of names.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      this.#checkSignal();
      const inner = at === "" ? name : `${at}/${name}`;
      if (isUtf8(bytes)) await this.#entry(path.join(folder, name), inner, parents);
      else this.#skipped.push(inner);
    }
  }

  async #entry(file: string, at: string, parents: readonly string[]): Promise<void> {
    if (this.#excluded(at) || file === this.#made) return;
    let entry = await lstat(file);
    let real = file;
    if (entry.isSymbolicLink()) {
      const followed = this.#mount.followSymlinks ? await this.#follow(file) : undefined;
      if (followed === undefined) return void this.#skipped.push(at);
      real = followed;
      entry = await lstat(real);
    }
    if (entry.isDirectory()) {
      if (parents.includes(real)) return void this.#skipped.push(at);
      await this.#folder(real, at, [...parents, real]);
    } else if (!entry.isFile()) this.#skipped.push(at);
    else if (this.#included(at)) await this.#file(real, at);
  }

  /** Resolves a link inside the mount. Returns undefined if it is broken. */
  async #follow(link: string): Promise<string | undefined> {
    let real: string;
    try {
      real = await realpath(link);
    } catch {
      return undefined;
    }
    if (isInside(this.#source, real)) return real;
    throw new WorkspaceSecurityError(link, "is a symbolic link to a place outside of its mount");
  }

  async #file(file: string, at: string): Promise<void> {
    const target = at === "" ? this.#target : path.join(this.#target, ...at.split("/"));
    const source = await open(file, READ);
    try {
      const found = await source.stat();
      if (!found.isFile()) throw new WorkspaceSecurityError(file, "is no longer a file");
      const { size, mode } = found;
      this.#check(size);
      await mkdir(path.dirname(target), { recursive: true });
      const copy = await create(target, mode & 0o111 ? 0o755 : 0o644);
      try {
        await this.#pipe(source, copy, at, size);
      } finally {
        await copy.close();
      }
    } finally {
      await source.close();
    }
    this.#files.push(at);
  }

  async #pipe(source: FileHandle, copy: FileHandle, at: string, size: number): Promise<void> {
    const chunk = new Uint8Array(Math.max(1, Math.min(size, 1 << 20)));
    const hash = this.#hashes && createHash("sha256");
    for (;;) {
      this.#checkSignal();
      const { bytesRead } = await source.read(chunk, 0, chunk.length);
      if (bytesRead === 0) break;
      // Count the bytes while reading, because a file may grow.
      this.#check(bytesRead);
      this.#own.bytes += bytesRead;
      this.#total.bytes += bytesRead;
      const piece = chunk.subarray(0, bytesRead);
      hash?.update(piece);
      // `writeFile` writes the whole chunk; `write` may stop early.
      await copy.writeFile(piece);
    }
    if (hash) this.#hashes?.set(path.posix.join(this.#mount.to, at), hash.digest("hex"));
  }

  #checkSignal(): void {
    if (this.#signal?.aborted) throw new AbortedError("Workspace.create", "notSent", this.#signal.reason);
  }

  #check(more: number): void {
    for (const [scope, { bytes, maxBytes }] of [
      ["mount", this.#own] as const,
      ["workspace", this.#total] as const,
    ]) {
      // A budget of 0 allows no files, not even empty ones.
      const over = maxBytes !== undefined && (bytes + more > maxBytes || maxBytes === 0);
      if (over) throw new WorkspaceBudgetExceededError(scope, bytes + more, maxBytes);
    }
  }
}

async function create(file: string, mode: number): Promise<FileHandle> {
  try {
    return await open(file, "wx", mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new InvalidArgumentError(
      `two mounts contain the file ${JSON.stringify(file)}: set different values of to`,
    );
  }
}
