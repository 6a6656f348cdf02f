import type { ConnectOptions } from "../shared/connect.ts";

/** The options that `run` and `review` share. */
export interface TurnCommandOptions extends ConnectOptions {
  readonly model?: string;
  readonly sandbox?: "read-only" | "workspace-write" | "danger-full-access";
  readonly approval?: "untrusted" | "on-request" | "never";
  readonly yes?: boolean;
  /** The time limit in milliseconds. */
  readonly timeout?: number;
  readonly maxTokens?: number;
}

export interface RunOptions extends TurnCommandOptions {
  readonly file?: string;
  readonly image?: readonly string[];
  readonly effort?: string;
  readonly resume?: string;
  readonly last?: boolean;
  readonly fork?: string;
  readonly ephemeral?: boolean;
  readonly outputSchema?: string;
  readonly tool?: readonly string[];
}
