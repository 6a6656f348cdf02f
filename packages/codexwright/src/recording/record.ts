import * as is from "../rpc/options/check.ts";
import { within } from "../rpc/delay.ts";
import type { Transport, TransportFactory } from "../rpc/transport.ts";
import { Recorder, type RecordingError, type RecordingSink, type RecordOptions } from "./recorder.ts";

/** A transport that records its connections. Created by {@link record}. */
export interface RecordedTransport extends TransportFactory, AsyncDisposable {
  /** The error that ended the recording early. */
  readonly error: RecordingError | undefined;
  /**
   * Resolves when everything recorded so far is in the file. Rejects with `error` if the recording ended early.
   * Disposing does the same.
   */
  flush(): Promise<void>;
  /** The same as `flush`. */
  close(): Promise<void>;
}

/** How long a closed channel may take to report its reason. */
const CLOSING_MS = 1_000;

/**
 * Wraps a transport so that every line of every connection is recorded, in both directions, to an NDJSON file or a
 * function.
 *
 * The following secrets are removed before anything is written:
 *
 * - fields that the protocol marks as secret (logins, tokens, `env`, headers)
 * - texts that look like secrets (the gitleaks rules, private keys, `Bearer …`, `API_KEY=…`, signed URLs)
 * - the values of this process's environment variables with secret names
 * - the texts and patterns in the `secrets` option
 *
 *  Secrets are also found inside JSON, base64, hex and percent-encoding. Each secret becomes a placeholder such as
 * `[redacted:1]`; equal secrets have the same placeholder.
 *
 *  The file is complete when the client has disconnected. It is also complete if the process ends with `exit` before
 * that.
 */
export function record(
  factory: TransportFactory,
  target: string | RecordingSink,
  options: RecordOptions = {},
): RecordedTransport {
  is.checkArgument("record()", "factory", factory, is.func);
  const recorder = new Recorder(target, options);
  const recorded = async (signal: AbortSignal): Promise<Transport> => tapped(await factory(signal), recorder);
  return Object.defineProperties(recorded, {
    cwd: { value: factory.cwd },
    error: { get: () => recorder.error },
    flush: { value: () => recorder.flush() },
    close: { value: () => recorder.flush() },
    [Symbol.asyncDispose]: { value: () => recorder.flush() },
  }) as unknown as RecordedTransport;
}

function tapped(inner: Transport, recorder: Recorder): Transport {
  const connection = recorder.opened();
  let by: "client" | "server" = "server";
  let told!: () => void;
  const closed = new Promise<void>((resolve) => (told = resolve));
  let open = false;
  let ended = false;
  const end: (...reason: Parameters<Recorder["closed"]>) => void = (...reason) => {
    if (!ended) recorder.closed(...reason);
    ended = true;
    told();
  };
  return {
    get pid() {
      return inner.pid;
    },
    open(sink) {
      open = true;
      inner.open({
        line(text) {
          recorder.line(connection, "in", text);
          sink.line(text);
        },
        closed(reason) {
          end(connection, by, reason);
          sink.closed(reason);
        },
      });
    },
    send(text) {
      recorder.line(connection, "out", text);
      return inner.send(text);
    },
    async close() {
      by = "client";
      await inner.close();
      if (open) await within(CLOSING_MS, closed);
      end(connection, by, undefined);
      // An error with the file must not make the client fail.
      await recorder.flush().catch(() => {});
    },
  };
}
