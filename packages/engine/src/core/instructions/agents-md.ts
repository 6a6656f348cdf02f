import type { FoundInstructions } from "../ports.ts";
import { AGENTS_MD_BEGINNING } from "../records/user-input.ts";

/** Tells the model that earlier instructions no longer apply. */
export const AGENTS_MD_GONE: string = wrapped(
  undefined,
  "None of the AGENTS.md instructions above apply any more.",
);

const REPLACES = "These are all AGENTS.md instructions that apply now. Forget the earlier ones.";

/** The instructions of the user and the project, as they begin a conversation. */
export function agentsMd(found: FoundInstructions): string {
  return wrapped(folderOf(found), textOf(found));
}

/** The same instructions in a conversation that has others. */
export function agentsMdAgain(found: FoundInstructions): string {
  return wrapped(folderOf(found), `${REPLACES}\n\n${textOf(found)}`);
}

export function isAgentsMd(text: string): boolean {
  return AGENTS_MD_BEGINNING.test(text);
}

function wrapped(folder: string | undefined, text: string): string {
  const place = folder === undefined ? "" : ` for ${folder}`;
  return `# AGENTS.md instructions${place}\n\n<INSTRUCTIONS>\n${text}\n</INSTRUCTIONS>`;
}

/** A name of a folder must not begin a new line. */
function folderOf({ cwd, files }: FoundInstructions): string | undefined {
  return files.some(({ scope }) => scope === "project") ? cwd.replaceAll(/[\r\n]+/g, " ") : undefined;
}

/** A heading separates the instructions of the user from those of the project. */
function textOf({ files }: FoundInstructions): string {
  const user = files.filter(({ scope }) => scope === "user").map(({ text }) => text);
  const project = files.filter(({ scope }) => scope === "project").map(({ text }) => text);
  const parts = [user.join("\n\n"), project.join("\n\n")].filter((part) => part !== "");
  return parts.join("\n\n--- project-doc ---\n\n");
}
