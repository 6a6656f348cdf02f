import * as is from "../rpc/options/check.ts";
import { within } from "../rpc/delay.ts";
import type { Transport, TransportFactory } from "../rpc/transport.ts";
import { Recorder, type RecordingError, type RecordingSink, type RecordOptions } from "./recorder.ts";

/** A transport that records itself. Made by {@link record}. */
export interface RecordedTransport extends TransportFactory, AsyncDisposable {
  /** What ended the recording before its time. */
  readonly error: RecordingError | undefined;
  /** Resolves once everything so far is in the file; rejects with `error`. Disposing does the same. */
  flush(): Promise<void>;
  /** The same as `flush`. */
  close(): Promise<void>;
}

/** How long a channel that was closed may take to say why. */
const CLOSING_MS = 1_000;

/**
 * The same transport, recorded: every line of every connection, in both directions, into an NDJSON file or a function.
 *
 * Secrets are taken out before: what the protocol names so (logins, tokens, `env`, headers), what looks like one
 * (the rules of gitleaks, private keys, `Bearer …`, `API_KEY=…`, signed URLs), variables of this process with such
 * names, and what the options say; also inside JSON, base64, hex and percent-encoding. Each becomes `[redacted:1]`, the
 * same one the same. The file is complete when the client has disconnected, and
 * also where the process ends by `exit` before that.
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
      // What went wrong with the file is none of the client's doing.
      await recorder.flush().catch(() => {});
    },
  };
}
