/** The capabilities of a model. */
export interface ModelCapabilities {
  /** Whether it takes images; default true. */
  readonly images?: boolean | undefined;
  /** Whether it takes an effort for its reasoning; default true. */
  readonly reasoning?: boolean | undefined;
  /** Whether it may make several tool calls in one response; default true. */
  readonly parallelTools?: boolean | undefined;
  /** Its context window, in tokens. */
  readonly contextWindow?: number | undefined;
  /** The most tokens of one response. Default: that of the provider or its package. */
  readonly maxOutputTokens?: number | undefined;
}
