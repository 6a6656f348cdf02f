/**
 * Stands for any value that this version of the types does not know yet.
 *
 * It never occurs on the wire and must not be sent. It is a literal so that narrowing by the known values works and
 * `default:` handles the rest. At run time, the value there is whatever the server sent.
 */
export type Unknown = "(unknown)";

/** The params of a method without params. */
export type NoParams = Record<string, never> | undefined;
