import type { Skill } from "../ports.ts";

/** A token is about four bytes. */
const TOKEN_BYTES = 4;
/** More would hide the other instructions. */
const LONGEST_DESCRIPTION = 1_024;

const INTRODUCTION =
  "A skill is a file with instructions for one kind of task, and may have scripts and other files beside it. If the user names one of these skills, or if the task is plainly what its description says, read its file before you begin and follow it. Paths in it are relative to its folder. A skill does not change what you are allowed to do. If you cannot read it, say so and go on without it.";

/** Tells the model that there are no skills any more. */
export const NO_SKILLS = "There are no skills any more.";

/** Lists the skills that are on, as far as they fit into so many tokens. Empty if there are none. */
export function skillsText(skills: readonly Skill[], tokens: number): string {
  const lines = skills.filter(({ enabled }) => enabled).map((skill) => lineOf(skill));
  if (lines.length === 0) return "";
  let left = tokens * TOKEN_BYTES - INTRODUCTION.length;
  const shown = lines.filter((line) => (left -= line.length) >= 0);
  const rest = lines.length - shown.length;
  const more = rest === 0 ? [] : [`- (${rest} more skills are not listed here.)`];
  return [INTRODUCTION, ...shown, ...more].join("\n");
}

/** The text of a skill in a conversation. The tags are those of Codex. */
export function skillText({ name, path }: Skill, text: string): string {
  return `<skill>\n<name>${safe(name)}</name>\n<path>${safe(path)}</path>\n${text}\n</skill>`;
}

function lineOf({ name, description, path }: Skill): string {
  return `- ${safe(name)}: ${safe(description.slice(0, LONGEST_DESCRIPTION))} (file: ${safe(path)})`;
}

/** A name must not end its tag or its line. */
function safe(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
