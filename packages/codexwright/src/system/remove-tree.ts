import { rmdirSync, unlinkSync } from "node:fs";
import { resourceExhausted } from "../rpc/resource-exhausted.ts";
import { Breath } from "./breath.ts";
import { HeldFolder, holding, ifThere } from "./held-folder.ts";
import { limited } from "./limited.ts";
import { Remaining } from "./not-removed.ts";
import { removeByPath } from "./remove-by-path.ts";

/** The maximum number of retries when another program changes the folder during the removal. */
const MOST_ROUNDS = 1_000;

/**
 * After the first retry, the number of further names that the removal may list is limited: to the number of names that
 * it has listed before, plus this number. Without this limit, a program that creates files faster than we remove them
 * would keep the removal running forever.
 */
const MOST_NAMES = 10_000;

/** A folder that is being emptied. */
interface Level {
  /** The name of the folder in its parent. */
  readonly name: Buffer;
  readonly identity: string;
  /** The names that are not removed yet. */
  readonly names: Buffer[];
  /** True if the folder contains a path that could not be removed, so the folder cannot be removed either. */
  holds: boolean;
}

/**
 * Removes a folder, even if other programs are still writing to it. Does nothing if the folder does not exist.
 *
 * Folders may be nested deeper than the longest path of the system. If rights on a folder are missing, they are granted
 * first. Links are removed and never followed. On Linux, this holds even if a program replaces a folder with a link at
 * the same time. Rejects with `folder_not_removed` if a path cannot be removed; everything else is removed first. The
 * removal gives up early only if a program keeps changing the folder.
 */
export async function removeTree(folder: string | Buffer): Promise<void> {
  const path = Buffer.from(folder);
  await limited(`removing ${path.toString("utf8")}`, async () => {
    if (!HeldFolder.startsAtDescriptors()) return await removeByPath(path);
    const slash = path.lastIndexOf("/");
    // The caller chose the path, so the path to the parent folder may end in a link.
    const parent = ifThere(() =>
      HeldFolder.open(Buffer.concat([path.subarray(0, slash), Buffer.from("/.")])),
    );
    if (!parent) return;
    await holding(parent, async () => new Remover(parent, path, slash + 1).run());
  });
}

/**
 * Walks the tree with only one folder open. Goes up through `..`, and checks that this is the folder that the walk came
 * from.
 */
class Remover {
  readonly #parent: HeldFolder;
  readonly #path: Buffer;
  readonly #name: Buffer;
  readonly #breath = new Breath();
  /** The folders from the parent of the removed folder down to the current one. */
  #levels: Level[] = [];
  /** The open folder of the last level. */
  #at: HeldFolder;
  #remaining: Remaining;
  #rounds = 0;
  /** How many more names may be listed. Unlimited until another program changes the folder. */
  #namesLeft = Infinity;
  #namesListed = 0;

  /** @param nameAt the position of the folder's name in its path */
  constructor(parent: HeldFolder, path: Buffer, nameAt: number) {
    this.#parent = parent;
    this.#at = parent;
    this.#path = path;
    this.#name = path.subarray(nameAt);
    this.#remaining = this.#nothing();
  }

  async run(): Promise<void> {
    this.#start();
    try {
      for (let level = this.#levels.at(-1); level; level = this.#levels.at(-1)) {
        await this.#breath.step();
        const name = level.names.pop();
        if (name) this.#try(level, name, () => this.#remove(name));
        else if (this.#levels.length > 1) this.#leave(level);
        else break;
      }
    } finally {
      this.#go(this.#parent);
    }
    this.#remaining.check();
  }

  #start(): void {
    this.#go(this.#parent);
    const root = { name: this.#name, identity: this.#parent.identity(), names: [this.#name], holds: false };
    this.#levels = [root];
    // The next walk finds the remaining paths again.
    this.#remaining = this.#nothing();
  }

  #nothing(): Remaining {
    return new Remaining(this.#path.toString("utf8"));
  }

  #go(folder: HeldFolder): void {
    if (this.#at !== this.#parent) this.#at.close();
    this.#at = folder;
  }

  #remove(name: Buffer): void {
    if (!this.#at.look(name)?.isDirectory()) unlinkSync(this.#at.at(name));
    else if (!this.#removedEmpty(name)) this.#enter(name);
  }

  #removedEmpty(name: Buffer): boolean {
    try {
      rmdirSync(this.#at.at(name));
      return true;
    } catch (error) {
      if (isOneOf(error, "ENOTEMPTY", "EEXIST")) return false;
      throw error;
    }
  }

  #enter(name: Buffer): void {
    const inner = this.#at.folder(name);
    try {
      inner.permit();
      const names = inner.names();
      this.#namesListed += names.length;
      this.#namesLeft -= names.length;
      this.#levels.push({ name, identity: inner.identity(), names, holds: false });
    } catch (error) {
      inner.close();
      throw error;
    }
    this.#go(inner);
  }

  /** Leaves a folder that is finished, and removes it. */
  #leave({ name, holds }: Level): void {
    this.#levels.pop();
    const above = this.#levels.at(-1);
    if (!above) return;
    if (!this.#isBackIn(above)) return this.#restart();
    if (holds) above.holds = true;
    else
      this.#try(above, name, () => {
        if (!this.#removedEmpty(name)) this.#again(above, name, () => this.#enter(name));
      });
  }

  /**
   * Goes up. Returns false if `..` is not the expected folder, because another program moved the current folder or
   * removed its rights.
   */
  #isBackIn(above: Level): boolean {
    try {
      this.#go(this.#levels.length === 1 ? this.#parent : this.#at.folder(".."));
    } catch (error) {
      if (resourceExhausted("", error)) throw error;
      return false;
    }
    return this.#at.identity() === above.identity;
  }

  /** Starts again at the top, or gives up. Nothing may be removed from the unexpected folder that `..` led to. */
  #restart(): void {
    if (this.#mayGoOn()) return this.#start();
    this.#levels = [];
    this.#remaining.add(() => ".", changing());
  }

  #try(level: Level, name: Buffer, act: () => void): void {
    try {
      act();
    } catch (error) {
      if (isOneOf(error, "ENOENT")) return;
      if (resourceExhausted("", error)) throw error;
      // Another program replaced the file or folder after we looked at it.
      if (isOneOf(error, "ENOTDIR", "ELOOP", "EISDIR"))
        this.#again(level, name, () => level.names.push(name));
      else this.#stays(level, name, error);
    }
  }

  /** Tries again after another program changed the folder. */
  #again(level: Level, name: Buffer, act: () => void): void {
    if (this.#mayGoOn()) act();
    else this.#stays(level, name, changing());
  }

  #mayGoOn(): boolean {
    if (this.#rounds === 0) this.#namesLeft = this.#namesListed + MOST_NAMES;
    this.#rounds += 1;
    return this.#rounds <= MOST_ROUNDS && this.#namesLeft > 0;
  }

  #stays(level: Level, name: Buffer, cause: unknown): void {
    level.holds = true;
    const path = (): string => {
      const names = [...this.#levels.slice(2).map((each) => each.name), name];
      return this.#levels.length === 1 ? "." : names.map((each) => each.toString("utf8")).join("/");
    };
    this.#remaining.add(path, cause);
  }
}

function changing(): Error {
  return new Error("another program keeps changing the folder while it is being removed");
}

function isOneOf(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? "");
}
