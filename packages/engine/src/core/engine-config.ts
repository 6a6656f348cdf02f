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
