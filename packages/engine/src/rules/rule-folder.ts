import { constants } from "node:fs";
import { open, readdir, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { RulesError } from "./errors.ts";
import { parseRules, type PrefixRule } from "./parse-rules.ts";

export interface LoadedRules {
  readonly rules: readonly PrefixRule[];
  readonly problems: readonly string[];
}

const MAX_FILES = 256;
const MAX_BYTES = 1024 * 1024;

interface Cached extends LoadedRules {
  readonly version: string;
}

/** The files `*.rules` of a folder, in the order of their names. */
export class RuleFolder {
  readonly #folder: string;
  #files = new Map<string, Cached>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Reads the files that have changed. Never rejects: a file that cannot be read becomes a problem. */
  async load(): Promise<LoadedRules> {
    let names: string[];
    try {
      names = (await readdir(this.#folder)).filter((name) => name.endsWith(".rules")).toSorted();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") return { rules: [], problems: [] };
      return { rules: [], problems: [`${this.#folder}: ${(error as Error).message}`] };
    }
    const problems = names.length > MAX_FILES ? [`${this.#folder}: more than ${MAX_FILES} files`] : [];
    const read = new Map<string, Cached>();
    for (const name of names.slice(0, MAX_FILES)) read.set(name, await this.#read(name));
    this.#files = read;
    const all = [...read.values()];
    return {
      rules: all.flatMap(({ rules }) => rules),
      problems: [...problems, ...all.flatMap((each) => each.problems)],
    };
  }

  async #read(name: string): Promise<Cached> {
    const file = path.join(this.#folder, name);
    try {
      // Opening a FIFO must not wait for its writer.
      const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      try {
        return await this.#parsed(name, file, handle);
      } finally {
        await handle.close();
      }
    } catch (error) {
      const { message } = error as Error;
      const problem = error instanceof RulesError ? message : `${file}: ${message}`;
      return { version: "", rules: [], problems: [problem] };
    }
  }

  async #parsed(name: string, file: string, handle: FileHandle): Promise<Cached> {
    const stats = await handle.stat({ bigint: true });
    const version = [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(":");
    const known = this.#files.get(name);
    if (known?.version === version) return known;
    if (!stats.isFile()) throw new RulesError(file, 1, "not a regular file");
    const bytes = Buffer.alloc(MAX_BYTES + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, null);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    if (length > MAX_BYTES) throw new RulesError(file, 1, `larger than ${MAX_BYTES} bytes`);
    return { version, rules: parseRules(bytes.toString("utf8", 0, length), file), problems: [] };
  }
}
