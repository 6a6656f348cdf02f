import type * as entry from "./index.ts";

type Entry = typeof entry;

/** The literal code of an error class; `never` for base classes, whose code can be any string. */
type CodeOf<Class> = Class extends abstract new (...args: never) => {
  readonly code: infer Code extends string;
}
  ? Exclude<Code, string extends Code ? string : never>
  : never;

/** Codes of errors that transports throw and that a client passes on. */
type TransportCode = "codex_not_found" | "lease_ended" | "line_too_long" | "missing_dependency";

/**
 * The `code` of every error that the client can throw: the exported classes and the transports.
 *
 * The type of `CodexError.code` itself is `string`, because code that builds on the client defines its own errors. The
 * codes of such code are `CodexErrorCode | TheirError["code"]`.
 */
export type CodexErrorCode = { [Name in keyof Entry]: CodeOf<Entry[Name]> }[keyof Entry] | TransportCode;
