/** Why a call of a tool failed. */
export type ToolErrorKind = "validation" | "failure" | "exception" | "denied" | "aborted" | "unknown-tool";

/** What made a tool run: the application's code, or the server itself. */
export type ToolOrigin = "app" | "command" | "fileChange" | "mcp" | "webSearch";

/** A tool was called and has ended, one way or the other. */
export interface ToolInvoked {
  readonly type: "tool.invoked";
  readonly origin: ToolOrigin;
  /** With its namespace, where it has one: `app.lookup`. */
  readonly name: string;
  readonly callId: string;
  readonly params: unknown;
  readonly ok: boolean;
  readonly error?: { readonly kind: ToolErrorKind; readonly message: string };
  /** What the model was told: the first 1,000 characters. */
  readonly output: string;
  readonly durationMs: number;
}

/** Text of an event that could be of any length. */
export function excerpt(text: string): string {
  return text.length <= 1000 ? text : `${text.slice(0, 999)}…`;
}
