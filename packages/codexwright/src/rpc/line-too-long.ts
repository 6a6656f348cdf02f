import { CodexError } from "./errors.ts";
import * as is from "./options/check.ts";

/** The default limit of a line, and the largest one: Node cannot create a string of 512 MiB. */
export const MAX_LINE_BYTES: number = 256 * 1024 * 1024;

/** A limit for the length of a line. */
export const LINE_BYTES: is.Check<number> = is.integer(1, MAX_LINE_BYTES);

/** The server sent a line that is longer than `maxLineBytes`, so this end closed the connection. */
export class LineTooLongError extends CodexError {
  readonly code = "line_too_long";
  readonly maxLineBytes: number;

  /** @param what the first part of the message, such as "the server was cut off: a line" */
  constructor(what: string, maxLineBytes: number, cause?: unknown) {
    super(`${what} is longer than ${maxLineBytes} bytes`, {
      delivery: "unknown",
      ...(cause !== undefined && { cause }),
    });
    this.maxLineBytes = maxLineBytes;
  }
}
