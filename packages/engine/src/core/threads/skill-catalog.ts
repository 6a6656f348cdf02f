import type { FoundSkills, Skill, SkillSource } from "../ports.ts";

/** How many folders are remembered, to notice changes. */
const MOST_FOLDERS = 64;
const NONE: FoundSkills = { skills: [], errors: [] };

/** Finds skills, and calls `changed` if a folder has other skills than before. */
export class SkillCatalog {
  readonly #source: SkillSource | undefined;
  readonly #changed: () => void;
  readonly #known = new Map<string, string>();

  constructor(source: SkillSource | undefined, changed: () => void) {
    this.#source = source;
    this.#changed = changed;
  }

  async find(cwd: string): Promise<FoundSkills> {
    if (!this.#source) return NONE;
    const found = await this.#source.find(cwd);
    const now = JSON.stringify(found.skills);
    const before = this.#known.get(cwd);
    this.#known.delete(cwd);
    this.#known.set(cwd, now);
    for (const [oldest] of this.#known) {
      if (this.#known.size <= MOST_FOLDERS) break;
      this.#known.delete(oldest);
    }
    if (before !== undefined && before !== now) this.#changed();
    return found;
  }

  /** Reads the folders that are known again, after a change. */
  async check(): Promise<void> {
    // A search moves its folder to the end of the map.
    const folders = [...this.#known.keys()];
    for (const cwd of folders) await this.find(cwd);
  }

  async read(skill: Skill): Promise<string | undefined> {
    return await this.#source?.read(skill);
  }
}
