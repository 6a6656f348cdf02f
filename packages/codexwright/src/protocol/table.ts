/** Whether a connection must opt in with the `experimentalApi` capability. */
export type Stability = "stable" | "experimental";

/**
 * The first version that has a field of the params. Only some versions were sampled, see {@link NotificationInfo}. The
 * second element, if present, is `"experimental"` if the field needs the opt-in, or the first version in which the
 * field no longer needs it.
 */
export type FieldInfo = string | readonly [since: string, gate: "experimental" | (string & {})];

/**
 * Facts about one notification. No schema shows whether it is experimental: see `EXPERIMENTAL_NOTIFICATIONS`.
 *
 * `since` is the first sampled version that has the notification. The notification may have been added in any version
 * after the previous sample. For the oldest sample, it may have been added in any version up to that one.
 */
export interface NotificationInfo {
  readonly since: string;
  readonly fields: Readonly<Record<string, FieldInfo>>;
}

/** Facts about one request. */
export interface MethodInfo extends NotificationInfo {
  /** The stability in the version that the table was generated from. */
  readonly stability: Stability;
  /** The first version in which the method is stable. Set only if the method was experimental at first. */
  readonly stableSince?: string;
}

/** Methods by direction. Use `Object.hasOwn` for lookups, because the keys come from the wire. */
export interface MethodTable {
  readonly clientRequests: Readonly<Record<string, MethodInfo>>;
  readonly clientNotifications: Readonly<Record<string, NotificationInfo>>;
  readonly serverRequests: Readonly<Record<string, MethodInfo>>;
  readonly serverNotifications: Readonly<Record<string, NotificationInfo>>;
}

/** Removed methods, with the first and the last sampled version that had each. */
export type RemovedMethods = {
  readonly [D in keyof MethodTable]: Readonly<
    Record<string, { readonly since: string; readonly last: string }>
  >;
};
