import path from "node:path";
import { checkOptions, needed, type Table } from "codexwright/internal";
import * as is from "codexwright/internal/options";
import type { CommandRules, JudgedPart, RuleJudgement, RuleVerdict } from "../core/ports.ts";
import { appendRule } from "./append-rule.ts";
import { matches, type PrefixRule } from "./parse-rules.ts";
import { RuleFolder } from "./rule-folder.ts";
import { commandsOf, roughCommands, type ScriptCommands } from "./script-commands.ts";

export interface RuleFilesOptions {
  /** CODEX_HOME. Its folder `rules` has the user's rules, and gets new rules in `default.rules`. */
  readonly home: string;
}

const OPTIONS: Table<RuleFilesOptions> = { home: needed(is.nonEmptyText) };

/** The shells whose scripts are understood. Any other program is one command with its arguments. */
const SHELL = /^(?:.*\/)?(?:bash|dash|sh|zsh)$/;
/** The shells that run what a script says. Any other file of such a name may be another program. */
const TRUSTED = /^\/(?:usr\/)?bin\/[^/]+$/;
const STRICTEST: readonly RuleVerdict["decision"][] = ["forbidden", "prompt", "allow"];

/** Reads rules on commands from files. Changed files are read again. */
export function ruleFiles(options: RuleFilesOptions): CommandRules {
  checkOptions("ruleFiles()", options, OPTIONS);
  const folders = new Map<string, RuleFolder>();
  const folderAt = (config: string): RuleFolder => {
    const known = folders.get(config);
    if (known) return known;
    const made = new RuleFolder(path.join(config, "rules"));
    folders.set(config, made);
    return made;
  };
  return {
    judge: async ({ argv, folders: more = [] }) => {
      const configs = [options.home, ...more];
      const loaded = await Promise.all(configs.map((config) => folderAt(config).load()));
      const rules = loaded.flatMap((each) => each.rules);
      const problems = loaded.flatMap((each) => each.problems);
      return await judged(argv, rules, problems);
    },
    allow: (words) => appendRule(path.join(options.home, "rules"), words),
  };
}

async function judged(
  argv: readonly string[],
  rules: readonly PrefixRule[],
  problems: readonly string[],
): Promise<RuleJudgement> {
  const { commands, plain, rough, problem } = await read(argv);
  // A broken file may contain rules that forbid, so no rule of any file allows a command.
  const broken = problems.length > 0;
  const parts = commands.map((words): JudgedPart => ({ words, rule: strictest(rules, words, broken) }));
  // A guess counts only for rules that forbid or ask. Most of it may be text that the script writes to a file.
  const known = rough ? parts.filter(({ rule }) => rule && rule.decision !== "allow") : parts;
  return { commands: known, plain, problems: problem === undefined ? problems : [...problems, problem] };
}

async function read(
  argv: readonly string[],
): Promise<ScriptCommands & { readonly problem?: string | undefined }> {
  const script = scriptOf(argv);
  if (script === undefined) return { commands: [argv], plain: true };
  const [shell = ""] = argv;
  const isTrusted = TRUSTED.test(shell) || (shell.startsWith("/") && shell === process.env["SHELL"]);
  try {
    const found = await commandsOf(script);
    return { ...found, plain: found.plain && isTrusted };
  } catch (error) {
    const problem = `The parser of shell scripts cannot be used, so rules cannot allow commands: ${(error as Error).message}`;
    return { commands: roughCommands(script), plain: false, rough: true, problem };
  }
}

function scriptOf(argv: readonly string[]): string | undefined {
  const [shell = "", flags = "", script] = argv;
  return argv.length === 3 && SHELL.test(shell) && /^-l?c$/.test(flags) ? script : undefined;
}

function strictest(
  rules: readonly PrefixRule[],
  words: readonly string[],
  broken: boolean,
): RuleVerdict | undefined {
  const [program = "", ...args] = words;
  // A rule on `git` also restricts `/usr/bin/git`. It does not allow it: the path may name any program.
  const bare = [program.slice(program.lastIndexOf("/") + 1), ...args];
  for (const decision of STRICTEST) {
    if (decision === "allow" && broken) return undefined;
    const found = rules.find(
      (rule) =>
        rule.decision === decision && (matches(rule, words) || (decision !== "allow" && matches(rule, bare))),
    );
    if (!found) continue;
    return {
      decision,
      justification: found.justification,
      words: words.slice(0, found.pattern.length),
    };
  }
  return undefined;
}
