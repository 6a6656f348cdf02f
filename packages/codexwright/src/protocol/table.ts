/** Whether a connection must opt in with the `experimentalApi` capability. */
export type Stability = "stable" | "experimental";

/**
 * When a field of the params appeared: the first sampled version that had it, with `"experimental"` when it
 * needs the opt-in, or with the version in which it stopped needing it.
 */
export type FieldInfo = string | readonly [since: string, gate: "experimental" | (string & {})];

/**
 * What is known of one notification. No schema tells whether it is experimental: see
 * `EXPERIMENTAL_NOTIFICATIONS`.
 *
 * `since` is the first sampled version that had it, so the true one may lie after the sample before;
 * the oldest sample stands for itself and everything older.
 */
export interface NotificationInfo {
  readonly since: string;
  readonly fields: Readonly<Record<string, FieldInfo>>;
}

/** What is known of one request. */
export interface MethodInfo extends NotificationInfo {
  /** In the version the table was generated from. */
  readonly stability: Stability;
  /** Set when the method was experimental at first. */
  readonly stableSince?: string;
}

/** The four directions of messages, each by method. Look up with `Object.hasOwn`: keys come from the wire. */
export interface MethodTable {
  readonly clientRequests: Readonly<Record<string, MethodInfo>>;
  readonly clientNotifications: Readonly<Record<string, NotificationInfo>>;
  readonly serverRequests: Readonly<Record<string, MethodInfo>>;
  readonly serverNotifications: Readonly<Record<string, NotificationInfo>>;
}

/** Methods that are gone: the first and the last sampled version that had each. */
export type RemovedMethods = {
  readonly [D in keyof MethodTable]: Readonly<
    Record<string, { readonly since: string; readonly last: string }>
  >;
};
