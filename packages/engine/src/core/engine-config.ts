import { needed, type Table } from "codexwright/internal";
import * as is from "codexwright/internal/options";

/** The settings of an engine that a `config.toml` can hold. */
export interface EngineConfig {
  /** The model of threads that do not name one. */
  readonly model: string;
  /** The approval policy of threads that do not set one; default "on-request". */
  readonly approvalPolicy?: "untrusted" | "on-request" | "never" | undefined;
  /** The sandbox of threads that do not set one; default "read-only". */
  readonly sandboxMode?: "read-only" | "workspace-write" | "danger-full-access" | undefined;
  /** A thread that uses at least this many tokens is compacted; default: 90% of the context window. */
  readonly compactAt?: number | undefined;
  /** Whether the model's provider requires an OpenAI login; default false. */
  readonly openaiAuth?: boolean | undefined;
  /** How many times a model stream that breaks off is retried; default 0. */
  readonly streamRetries?: number | undefined;
}

export const ENGINE_CONFIG: Table<EngineConfig> = {
  model: needed(is.text),
  approvalPolicy: is.oneOf("untrusted", "on-request", "never"),
  sandboxMode: is.oneOf("read-only", "workspace-write", "danger-full-access"),
  compactAt: is.integer(0),
  openaiAuth: is.flag,
  streamRetries: is.integer(0),
};
