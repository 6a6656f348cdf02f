import type * as entry from "./index.ts";

type Entry = typeof entry;

/** The literal code of an error class; none for the base classes, which have any. */
type CodeOf<Class> = Class extends abstract new (...args: never) => {
  readonly code: infer Code extends string;
}
  ? Exclude<Code, string extends Code ? string : never>
  : never;

/** The codes of transports' errors, which a client passes on without knowing them. */
type TransportCode = "codex_not_found" | "missing_dependency";

/**
 * The `code` of every error of the client's: those of the exported classes, and of transports.
 *
 * `CodexError.code` itself is any string, because layers above have errors of their own: the codes of such a layer
 * are `CodexErrorCode | TheirError["code"]`.
 */
export type CodexErrorCode = { [Name in keyof Entry]: CodeOf<Entry[Name]> }[keyof Entry] | TransportCode;
