/** Why a tool call failed. */
export type ToolErrorKind = "validation" | "failure" | "exception" | "denied" | "aborted" | "unknown-tool";

/** The place where a tool runs: in the application, or in the server. */
export type ToolOrigin = "app" | "command" | "fileChange" | "mcp" | "webSearch";

/** A tool call has ended, successfully or not. */
export interface ToolInvoked {
  readonly type: "tool.invoked";
  readonly origin: ToolOrigin;
  /** Includes the namespace, if the tool has one: `app.lookup`. */
  readonly name: string;
  readonly callId: string;
  readonly params: unknown;
  readonly ok: boolean;
  readonly error?: { readonly kind: ToolErrorKind; readonly message: string };
  /** The first 1,000 characters of the tool result for the model. */
  readonly output: string;
  readonly durationMs: number;
}

/** Truncates a text for an event. */
export function excerpt(text: string): string {
  return text.length <= 1000 ? text : `${text.slice(0, 999)}…`;
}
