/**
 * Stands for any value that this version of the types does not know yet.
 *
 * This text never occurs on the wire and must not be sent. The type is a literal, so that narrowing by the known values
 * works and `default:` handles the rest. At run time, the actual value is whatever the server sent.
 */
export type Unknown = "(unknown)";

/** The params of a method without params. */
export type NoParams = Record<string, never> | undefined;
