/** Finds skills: folders with a file SKILL.md, which tells the model how to do a kind of task. */
export interface SkillSource {
  /** The skills for work in a folder. Files that cannot be used become errors. */
  find(cwd: string): Promise<FoundSkills>;
  /** Returns the text of a skill's file, or `undefined` if it cannot be read. */
  read(skill: Skill): Promise<string | undefined>;
}

export interface FoundSkills {
  readonly skills: readonly Skill[];
  readonly errors: readonly { readonly path: string; readonly message: string }[];
}

export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly shortDescription?: string;
  /** The path of its SKILL.md, without links. */
  readonly path: string;
  readonly scope: "user" | "repo" | "admin";
  /** The folder that a link in the skill must not lead out of. Absent for skills of the user and the machine. */
  readonly root?: string;
  /** False if the user has switched it off. The model then does not learn of it. */
  readonly enabled: boolean;
}
