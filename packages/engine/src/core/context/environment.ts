import { agentsMd, AGENTS_MD_GONE, agentsMdAgain } from "../instructions/agents-md.ts";
import { permissionsText } from "../instructions/permissions.ts";
import { NO_SKILLS, skillsText } from "../instructions/skills.ts";
import type { FoundInstructions, Skill } from "../ports.ts";
import type { Settings } from "../records/record.ts";

/** The situation in which the model works. It is sent along with the conversation. */
export interface Situation {
  readonly settings: Pick<Settings, "sandbox" | "approvalPolicy" | "cwd" | "roots" | "collaborationMode">;
  /** The client's own instructions; empty if there are none. */
  readonly developerInstructions: string;
  /** The instructions of the user and the project. */
  readonly instructions: FoundInstructions;
  readonly skills: readonly Skill[];
  /** The most tokens of the list of skills. */
  readonly skillTokens: number;
  readonly shell: string;
  /** The date in the form YYYY-MM-DD, and the name of the time zone. */
  readonly date: string;
  readonly timeZone: string;
}

/** One part of the context. The tag tells later which part a text in the conversation is. */
export interface ContextPart {
  readonly role: "developer" | "user";
  /** A part without a tag is the client's own text, sent as it is. */
  readonly tag: string | undefined;
  /** Empty if the part does not apply. */
  readonly text: string;
  /** The text if the conversation has another text of this part. Default: `text`. */
  readonly again?: string;
  /** The text if the part no longer applies. Default: the model is not told. */
  readonly gone?: string;
}

const SKILLS = "skills_instructions";
/** The tag of the part with instructions of the user and the project. Unlike others, it is not in angle brackets. */
export const AGENTS_MD = "agents_md";

/** The parts of the context in the order in which a conversation begins with them. The tags are those of Codex. */
export function contextParts(situation: Situation): ContextPart[] {
  const { settings, developerInstructions } = situation;
  const mode = (settings.collaborationMode?.["settings"] ?? {}) as { developer_instructions?: unknown };
  const parts = [
    part("developer", undefined, developerInstructions),
    {
      ...part("developer", SKILLS, skillsText(situation.skills, situation.skillTokens)),
      gone: `<${SKILLS}>\n${NO_SKILLS}\n</${SKILLS}>`,
    },
    part("developer", "permissions instructions", permissionsText(settings)),
    part("developer", "collaboration_mode", textOf(mode.developer_instructions)),
    agentsPart(situation.instructions),
    part("user", "environment_context", environmentText(situation)),
  ];
  return parts.filter(({ text, gone }) => text !== "" || gone !== undefined);
}

function agentsPart(found: FoundInstructions): ContextPart {
  const common = { role: "user" as const, tag: AGENTS_MD, gone: AGENTS_MD_GONE };
  if (found.files.length === 0) return { ...common, text: "" };
  return { ...common, text: agentsMd(found), again: agentsMdAgain(found) };
}

function part(role: ContextPart["role"], tag: string | undefined, text: string): ContextPart {
  return { role, tag, text: tag === undefined || text === "" ? text : `<${tag}>\n${text}\n</${tag}>` };
}

function environmentText({
  settings: { cwd, roots: workspace, sandbox },
  shell,
  date,
  timeZone,
}: Situation): string {
  const network =
    sandbox.type === "dangerFullAccess" ||
    ("networkAccess" in sandbox && (sandbox.networkAccess === true || sandbox.networkAccess === "enabled"));
  const roots =
    sandbox.type === "workspaceWrite" ? [...new Set([...workspace, ...(sandbox.writableRoots ?? [])])] : [];
  return [
    line("cwd", cwd),
    line("shell", shell),
    line("current_date", date),
    line("timezone", timeZone),
    line("sandbox", SANDBOXES[sandbox.type] ?? "none"),
    ...roots.map((root) => line("writable_root", root)),
    line("network_access", network ? "enabled" : "restricted"),
  ].join("\n");
}

const SANDBOXES: Readonly<Record<string, string>> = {
  readOnly: "read-only",
  workspaceWrite: "workspace-write",
  dangerFullAccess: "none",
  externalSandbox: "external",
};

/** A name of a folder must not end its tag. */
function line(tag: string, value: string): string {
  const safe = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `  <${tag}>${safe}</${tag}>`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
