import type { UserInput } from "codexwright/protocol";
import { cut } from "../context/budget.ts";
import { inputText, message } from "../context/conversation.ts";
import { skillText } from "../instructions/skills.ts";
import type { Skill } from "../ports.ts";
import type { LoadedThread } from "../threads/loaded-thread.ts";
import type { WireObject } from "../wire-object.ts";

/** The most tokens of the text of one skill. */
const SKILL_TOKENS = 10_000;
/** The most skills whose texts one input puts into the conversation. */
const MOST_SKILLS = 16;
/** `$name`, or `[$name](path)`. */
const MENTION = /\[\$([\w:-]+)\]\s*\(([^)]*)\)|\$([\w:-]+)/g;
/** Variables that texts mention more often than skills. */
const VARIABLES = new Set("PATH HOME USER SHELL PWD TMPDIR TEMP TMP LANG TERM XDG_CONFIG_HOME".split(" "));

/** The texts of the skills that the user's input names, as messages. */
export async function skillMessages(
  { host, skills }: LoadedThread,
  input: readonly UserInput[],
): Promise<WireObject[]> {
  const messages: WireObject[] = [];
  for (const skill of namedSkills(skills.skills, input).slice(0, MOST_SKILLS)) {
    const text = await host.skills.read(skill);
    if (text !== undefined)
      messages.push(message("user", [inputText(skillText(skill, cut(text, SKILL_TOKENS)))]));
  }
  return messages;
}

/** The skills that an input names: those of its items, then those of its text. A name that two skills have names none. */
export function namedSkills(all: readonly Skill[], input: readonly UserInput[]): Skill[] {
  const skills = all.filter(({ enabled }) => enabled);
  const items = input.flatMap((part) => (part.type === "skill" && "path" in part ? [part] : []));
  const text = input.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const paths = new Set<string>();
  const names = new Set<string>();
  for (const [, linked, path = "", plain = ""] of text.matchAll(MENTION)) {
    if (linked !== undefined) paths.add(path.trim().replace(/^skill:\/\//, ""));
    else if (!VARIABLES.has(plain.toUpperCase())) names.add(plain);
  }
  // An item says exactly which skill of this name is meant.
  for (const { name } of items) names.delete(name);
  const isOnly = ({ name }: Skill): boolean => skills.filter((each) => each.name === name).length === 1;
  const found = [
    ...items.flatMap(({ path }) => skills.filter((skill) => skill.path === path)),
    ...skills.filter(({ path }) => paths.has(path)),
    ...skills.filter((skill) => names.has(skill.name) && isOnly(skill)),
  ];
  return [...new Set(found)];
}
