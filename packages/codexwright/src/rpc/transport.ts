import type { CloseReason } from "./errors.ts";
import * as is from "./options/check.ts";

/** Where a transport delivers what it reads. */
export interface TransportSink {
  line(text: string): void;
  closed(reason: CloseReason): void;
}

/**
 * A duplex channel of whole lines. Framing, processes and sockets live behind it.
 *
 * `open` is called once. `closed` is called once, after the last line, and says why, so that the reader
 * learns of a broken channel in the same order as of everything else; after `close()` too. A `send` that
 * rejects means that the channel is broken. Lines are text, so that what nobody listens to need not be parsed.
 */
export interface Transport {
  open(sink: TransportSink): void;
  send(text: string): Promise<void>;
  close(): Promise<void>;
}

export const TRANSPORT: is.Check<Transport> = is.methods("open", "send", "close");

/** Makes a fresh channel: called once for each connection. The signal aborts when the caller gives up. */
export interface TransportFactory {
  (signal: AbortSignal): Transport | Promise<Transport>;
  /** The folder the server at the other end runs in, where the transport decides it. */
  readonly cwd?: string;
}

/** Sees every line that crosses a channel, as it is on the wire: secrets included. */
export type WireTap = (direction: "in" | "out", text: string) => void;

/** The same channel with a listener on the wire. */
export function tap(factory: TransportFactory, listener: WireTap): TransportFactory {
  is.checkArgument("tap()", "factory", factory, is.func);
  is.checkArgument("tap()", "listener", listener, is.func);
  const tapped = async (signal: AbortSignal): Promise<Transport> => {
    const inner = await factory(signal);
    return {
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
