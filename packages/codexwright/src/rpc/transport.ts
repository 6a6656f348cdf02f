import type { CloseReason } from "./errors.ts";
import * as is from "./options/check.ts";

/** Receives the lines and the end of a transport. */
export interface TransportSink {
  line(text: string): void;
  closed(reason: CloseReason): void;
}

/**
 * A two-way channel for whole lines. It hides framing, processes and sockets.
 *
 * `open` is called once. `closed` is called once with the reason, even after `close()`. It is called after the last
 * line was delivered, so that the reader has all lines when it learns that the channel has closed. If `send` rejects,
 * the channel is broken. Lines are passed as text, so that notifications without a listener need not be parsed.
 */
export interface Transport {
  /**
   * The process id of the server, if the transport has started it and it has not ended. For a command in text, this is
   * the shell, unless the shell has replaced itself with the server.
   */
  readonly pid?: number | undefined;
  open(sink: TransportSink): void;
  send(text: string): Promise<void>;
  close(): Promise<void>;
}

export const TRANSPORT: is.Check<Transport> = is.methods("open", "send", "close");

/** Creates a new channel for each connection. The signal aborts when the caller gives up. */
export interface TransportFactory {
  (signal: AbortSignal): Transport | Promise<Transport>;
  /** The working folder of the server, if the transport determines it. */
  readonly cwd?: string;
}

/** Receives every line of a channel as it is on the wire, including secrets. */
export type WireTap = (direction: "in" | "out", text: string) => void;

/** Returns a factory for the same channels. Every line on these channels is also passed to the listener. */
export function tap(factory: TransportFactory, listener: WireTap): TransportFactory {
  is.checkArgument("tap()", "factory", factory, is.func);
  is.checkArgument("tap()", "listener", listener, is.func);
  const tapped = async (signal: AbortSignal): Promise<Transport> => {
    const inner = await factory(signal);
    return {
      get pid() {
        return inner.pid;
      },
      open: (sink) =>
        inner.open({
          line(text) {
            listener("in", text);
            sink.line(text);
          },
          closed: (reason) => sink.closed(reason),
        }),
      send(text) {
        listener("out", text);
        return inner.send(text);
      },
      close: () => inner.close(),
    };
  };
  return Object.assign(tapped, factory.cwd === undefined ? {} : { cwd: factory.cwd });
}
