import { CodexError } from "../../../rpc/errors.ts";

/** The input cannot reach the command: the command has ended, or its stdin was already closed. */
export class StdinClosedError extends CodexError {
  readonly code = "stdin_closed";
}

/**
 * A stream was read too late: more output had already arrived than is kept while there is no reader. The kept output
 * was delivered first; the `lostBytes` bytes after it are lost.
 */
export class OutputLostError extends CodexError {
  readonly code = "output_lost";
  readonly stream: "stdout" | "stderr";
  readonly lostBytes: number;

  constructor(stream: "stdout" | "stderr", lostBytes: number) {
    super(
      `${lostBytes} bytes of ${stream} were lost before it was read: read it from the start, or set outputBytesCap`,
    );
    this.stream = stream;
    this.lostBytes = lostBytes;
  }
}
