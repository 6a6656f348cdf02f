import { CodexError } from "../../../rpc/errors.ts";

/** What was to be written to a command cannot reach it: it has ended, or its stdin was ended before. */
export class StdinClosedError extends CodexError {
  readonly code = "stdin_closed";
}

/**
 * A stream was read after more had passed than is kept of a stream that nobody reads. What was kept has been
 * delivered before; `lostBytes` behind it are gone.
 */
export class OutputLostError extends CodexError {
  readonly code = "output_lost";
  readonly stream: "stdout" | "stderr";
  readonly lostBytes: number;

  constructor(stream: "stdout" | "stderr", lostBytes: number) {
    super(
      `${lostBytes} bytes of ${stream} passed before it was read: read it from the start, or set outputBytesCap`,
    );
    this.stream = stream;
    this.lostBytes = lostBytes;
  }
}
