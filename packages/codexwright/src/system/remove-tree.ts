import { rmdirSync, unlinkSync } from "node:fs";
import { resourceExhausted } from "../rpc/resource-exhausted.ts";
import { Breath } from "./breath.ts";
import { HeldFolder, holding, ifThere } from "./held-folder.ts";
import { limited } from "./limited.ts";
import { Remaining } from "./not-removed.ts";
import { removeByPath } from "./remove-by-path.ts";

/** How often something is done again because another program changed the folder while it was emptied. */
const MOST_ROUNDS = 1_000;

/**
 * How many names may be listed in those rounds, beyond as many as were listed before the first. A program that makes
 * files faster than they are removed would otherwise keep the removal going without end.
 */
const MOST_NAMES = 10_000;

/** A folder that is being emptied. */
interface Level {
  /** Its name in the folder above. */
  readonly name: Buffer;
  readonly identity: string;
  /** What is still to be removed from it. */
  readonly names: Buffer[];
  /** True if something in it stays, so that it has to stay, too. */
  holds: boolean;
}

/**
 * Removes a folder that other programs may have written to, or still write to; nothing is done if it is missing.
 *
 * Folders may be nested deeper than the system's longest path. Missing rights of folders are granted. Links are removed
 * and not followed, on Linux even if a program swaps a folder for one meanwhile. Rejects with `folder_not_removed` if
 * something stayed, after everything else was removed; it gives up only if a program keeps moving folders meanwhile.
 */
export async function removeTree(folder: string | Buffer): Promise<void> {
  const path = Buffer.from(folder);
  await limited(`removing ${path.toString("utf8")}`, async () => {
    if (!HeldFolder.startsAtDescriptors()) return await removeByPath(path);
    const slash = path.lastIndexOf("/");
    // The last part of the path to the parent may be a link: it is the caller's.
    const parent = ifThere(() =>
      HeldFolder.open(Buffer.concat([path.subarray(0, slash), Buffer.from("/.")])),
    );
    if (!parent) return;
    await holding(parent, async () => new Remover(parent, path, slash + 1).run());
  });
}

/** Walks down and up with one open folder. The way up is `..`, and what is found there must be the folder that was left. */
class Remover {
  readonly #parent: HeldFolder;
  readonly #path: Buffer;
  readonly #name: Buffer;
  readonly #breath = new Breath();
  /** From the parent of what is removed, downwards. */
  #levels: Level[] = [];
  /** The folder of the last level. */
  #at: HeldFolder;
  #remaining: Remaining;
  #rounds = 0;
  /** How many names may still be listed: unlimited until another program is seen to change the folder. */
  #namesLeft = Infinity;
  #namesListed = 0;

  /** @param nameAt where the name of what is removed starts in its path */
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
    // What stayed is met again.
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

  /** Goes up from a folder that was looked through, and removes it. */
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

  /** False if the way up does not lead to the folder that was left: another program has moved this one, or closed it. */
  #isBackIn(above: Level): boolean {
    try {
      this.#go(this.#levels.length === 1 ? this.#parent : this.#at.folder(".."));
    } catch (error) {
      if (resourceExhausted("", error)) throw error;
      return false;
    }
    return this.#at.identity() === above.identity;
  }

  /** Starts again at the top, or ends: nothing may be removed from the folder that the way up has led to. */
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
      // Something else has taken its place since it was looked at.
      if (isOneOf(error, "ENOTDIR", "ELOOP", "EISDIR"))
        this.#again(level, name, () => level.names.push(name));
      else this.#stays(level, name, error);
    }
  }

  /** Does something once more, because another program changed the folder meanwhile. */
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
  return new Error("another program changes the folder while it is removed");
}

function isOneOf(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? "");
}
