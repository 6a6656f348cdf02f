/** The rules on commands that the user keeps in files. */
export interface CommandRules {
  /** Finds the commands of a shell's script, and the rules that match them. It must not reject. */
  judge(command: JudgedCommand): Promise<RuleJudgement>;
  /** Adds a rule that allows commands that start with these words. Rejects if the rule cannot be stored. */
  allow(words: readonly string[]): Promise<void>;
}

export interface JudgedCommand {
  /** The program and its arguments. For a script, a shell with `-c` or `-lc` and the script. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Configuration folders of a trusted project, whose rules apply, too. */
  readonly folders?: readonly string[] | undefined;
}

export interface RuleJudgement {
  readonly commands: readonly JudgedPart[];
  /**
   * Whether the script runs these commands with exactly these words and nothing else. If false, the list may be
   * incomplete, and rules cannot allow the script.
   */
  readonly plain: boolean;
  /** Problems of the files that the user should know of, such as a syntax error. */
  readonly problems: readonly string[];
}

/** A simple command of a script. If the script is not plain, it may end before a word that the shell expands. */
export interface JudgedPart {
  readonly words: readonly string[];
  /** The strictest rule that matches the command. */
  readonly rule?: RuleVerdict | undefined;
}

export interface RuleVerdict {
  readonly decision: "allow" | "prompt" | "forbidden";
  /** Why the rule exists, in the words of its author. */
  readonly justification?: string | undefined;
  /** The words of the command that the rule matched. */
  readonly words?: readonly string[] | undefined;
}
