import type { ServerNotifications } from "./methods.gen.ts";
import type { Unknown } from "./open.ts";

/** A notification whose method this version does not know. */
export interface UnknownEvent {
  readonly method: Unknown;
  readonly params: unknown;
}

/** One server notification, discriminated by `method`. */
export type ServerEvent =
  | {
      [M in keyof ServerNotifications]: { readonly method: M; readonly params: ServerNotifications[M] };
    }[keyof ServerNotifications]
  | UnknownEvent;
