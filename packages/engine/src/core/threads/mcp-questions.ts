import { isJsonObject } from "codexwright/internal";
import type { McpElicitation } from "../ports.ts";
import type { Settings } from "../records/record.ts";
import type { WireObject } from "../wire-object.ts";

/** The answer to a question of an MCP server that the policy gives without a client, if it does. */
export function answerByPolicy(settings: Settings, request: McpElicitation): WireObject | undefined {
  const isForm = request.mode !== "url";
  const hasFields = isForm && Object.keys(propertiesOf(request.requestedSchema)).length > 0;
  if (isUnrestricted(settings) && isForm && !hasFields) return { action: "accept", content: {} };
  const { approvalPolicy } = settings;
  const refuses =
    typeof approvalPolicy === "object"
      ? !approvalPolicy.granular.mcp_elicitations
      : approvalPolicy === "never";
  return refuses ? { action: "decline" } : undefined;
}

/** Whether the user allows everything without a question. */
export function isUnrestricted({ approvalPolicy, sandbox }: Settings): boolean {
  const isOpen = sandbox.type === "dangerFullAccess" || sandbox.type === "externalSandbox";
  return approvalPolicy === "never" && isOpen;
}

/** A question of an MCP server as clients get it. Only known members of the question reach them. */
export function questionOf(serverName: string, request: McpElicitation): WireObject {
  const { message } = request;
  const asked =
    request.mode === "url"
      ? { mode: "url", message, url: request.url, elicitationId: request.elicitationId }
      : { mode: "form", message, requestedSchema: request.requestedSchema };
  return { serverName, _meta: ownMeta(request._meta), ...asked };
}

/** Without the keys by which clients recognize a question of the engine. A server could otherwise ask in its name. */
function ownMeta(meta: unknown): WireObject | null {
  if (!isJsonObject(meta)) return null;
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !key.startsWith("codex")));
}

function propertiesOf(schema: WireObject): object {
  const properties = schema["properties"];
  return isJsonObject(properties) ? properties : {};
}
