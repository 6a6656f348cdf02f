import { loadOptional } from "../rpc/optional-dependency.ts";
import { GRACE_MS } from "./socket-transport.ts";

/** The part of a `ws` socket that we use. Bun has a compatible built-in socket. */
export interface WsSocket {
  readonly readyState: number;
  /** Number of bytes that the operating system has not accepted yet. */
  readonly bufferedAmount: number;
  send(
    data: string | Uint8Array,
    options: { readonly binary: boolean; readonly fin: boolean },
    done: (error?: Error | null) => void,
  ): void;
  ping(): void;
  /** Stops reading until `resume`. Messages that were already read are still emitted. */
  pause(): void;
  resume(): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
  on(event: "open" | "ping" | "pong", listener: () => void): unknown;
  on(event: "message", listener: (data: WsData, isBinary: boolean) => void): unknown;
  on(event: "close", listener: (code: number, reason: { toString(): string }) => void): unknown;
  on(event: "error", listener: (error: Error & { readonly code?: string }) => void): unknown;
  on(
    event: "unexpected-response",
    listener: (request: { destroy(): void }, response: WsResponse) => void,
  ): unknown;
}

export interface WsData {
  readonly length: number;
  toString(): string;
}

export interface WsResponse {
  readonly statusCode?: number | undefined;
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  on(event: "end" | "close" | "error", listener: () => void): unknown;
}

/**
 * Limits on what a peer may send, for clients and servers. Bun's sockets support only the limit on the length of a
 * message.
 */
export interface WsLimits {
  readonly perMessageDeflate: false;
  readonly maxPayload: number;
  readonly maxFragments: number;
  readonly maxBufferedChunks: number;
  readonly closeTimeout: number;
}

/** The limits of a socket for messages of at most this many bytes. */
export function limitsOf(maxMessageBytes: number): WsLimits {
  return {
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    // Each fragment costs about a hundred bytes, however short it is. Our own fragments are 8 MiB long.
    maxFragments: 16_384,
    // Each packet of an incomplete frame costs a few hundred bytes. If each packet has at least 1 KiB, a message of the
    // maximum length fits.
    maxBufferedChunks: Math.max(16_384, Math.ceil(maxMessageBytes / 1_024)),
    // Ends the connection of a peer that keeps it open after the closing handshake.
    closeTimeout: GRACE_MS,
  };
}

export interface WsClientOptions extends WsLimits {
  readonly headers?: Readonly<Record<string, string>>;
  readonly createConnection?: () => unknown;
}

/** The part of a `ws` server that we use. It upgrades sockets that our listener accepted. */
export interface WsServer {
  handleUpgrade(request: unknown, socket: unknown, head: unknown, opened: (socket: WsSocket) => void): void;
}

export interface WsServerOptions extends WsLimits {
  readonly noServer: true;
  /** False, so that messages of other clients are handled between two messages of one client. */
  readonly allowSynchronousEvents: false;
  readonly handleProtocols: (offered: ReadonlySet<string>) => string | false;
}

interface WsModule {
  readonly WebSocket: new (url: string, protocols: readonly string[], options: WsClientOptions) => WsSocket;
  readonly WebSocketServer: new (options: WsServerOptions) => WsServer;
}

/** The package `ws`, or Bun's own. */
export async function loadWs(what: string): Promise<WsModule> {
  return await loadOptional<WsModule>("ws", what);
}
