import { permissionsText } from "../instructions/permissions.ts";
import type { Settings } from "../records/record.ts";

/** The situation in which the model works. It is sent along with the conversation. */
export interface Situation {
  readonly settings: Pick<Settings, "sandbox" | "approvalPolicy" | "cwd" | "roots" | "collaborationMode">;
  /** The client's own instructions; empty if there are none. */
  readonly developerInstructions: string;
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
  readonly text: string;
}

/** The parts of the context in the order in which a conversation begins with them. The tags are those of Codex. */
export function contextParts(situation: Situation): ContextPart[] {
  const { settings, developerInstructions } = situation;
  const mode = (settings.collaborationMode?.["settings"] ?? {}) as { developer_instructions?: unknown };
  const parts = [
    part("developer", undefined, developerInstructions),
    part("developer", "permissions instructions", permissionsText(settings)),
    part("developer", "collaboration_mode", textOf(mode.developer_instructions)),
    part("user", "environment_context", environmentText(situation)),
  ];
  return parts.filter(({ text }) => text !== "");
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
