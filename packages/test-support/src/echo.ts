import type { CloseReason, Transport } from "codexwright/rpc";
import { deferred } from "./events.ts";

export interface EchoConnection {
  readonly transport: Transport;
  readonly lines: string[];
  readonly closed: Promise<CloseReason>;
}

/** An endpoint that sends every line back, and keeps its connections. */
export function echo(): { accept(transport: Transport): void; readonly connections: EchoConnection[] } {
  const connections: EchoConnection[] = [];
  return {
    connections,
    accept(transport) {
      const closed = deferred<CloseReason>();
      const lines: string[] = [];
      connections.push({ transport, lines, closed: closed.promise });
      transport.open({
        line(text) {
          lines.push(text);
          transport.send(text).catch(() => {});
        },
        closed: (reason) => closed.resolve(reason),
      });
    },
  };
}

/** The client's end of a transport, with the lines read so far. */
export interface Reader {
  readonly transport: Transport;
  readonly lines: string[];
  readonly closed: Promise<CloseReason>;
  /** Resolves with the next line that has not been taken. */
  next(): Promise<string>;
}

export function read(transport: Transport): Reader {
  const lines: string[] = [];
  const closed = deferred<CloseReason>();
  let taken = 0;
  let wake = (): void => {};
  transport.open({
    line(text) {
      lines.push(text);
      wake();
    },
    closed: (reason) => closed.resolve(reason),
  });
  return {
    transport,
    lines,
    closed: closed.promise,
    async next() {
      while (lines.length <= taken) await new Promise<void>((resolve) => (wake = resolve));
      return lines[taken++] ?? "";
    },
  };
}
