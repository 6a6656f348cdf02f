import { loadPeer } from "../rpc/peer.ts";

/** What is used of a socket of the package `ws`; Bun has one like it built in. */
export interface WsSocket {
  readonly readyState: number;
  /** Bytes that the system has not taken yet. */
  readonly bufferedAmount: number;
  send(
    data: string | Uint8Array,
    options: { readonly binary: boolean; readonly fin: boolean },
    done: (error?: Error | null) => void,
  ): void;
  ping(): void;
  /** Reads no more until `resume`; what was read already still comes. */
  pause(): void;
  resume(): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
  on(event: "open" | "ping" | "pong", listener: () => void): unknown;
  on(event: "message", listener: (data: WsData, isBinary: boolean) => void): unknown;
  on(event: "close", listener: (code: number, reason: { toString(): string }) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
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

export interface WsClientOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly perMessageDeflate: false;
  readonly maxPayload: number;
  readonly createConnection?: () => unknown;
}

/** What is used of a server of `ws`; it speaks over sockets that others have accepted. */
export interface WsServer {
  handleUpgrade(request: unknown, socket: unknown, head: unknown, opened: (socket: WsSocket) => void): void;
}

export interface WsServerOptions {
  readonly noServer: true;
  /** False: between any two messages of a client the others have their turn. */
  readonly allowSynchronousEvents: false;
  readonly perMessageDeflate: false;
  readonly maxPayload: number;
  readonly handleProtocols: (offered: ReadonlySet<string>) => string | false;
}

interface WsModule {
  readonly WebSocket: new (url: string, protocols: readonly string[], options: WsClientOptions) => WsSocket;
  readonly WebSocketServer: new (options: WsServerOptions) => WsServer;
}

/** The package `ws`, or Bun's own. */
export async function loadWs(what: string): Promise<WsModule> {
  return await loadPeer<WsModule>("ws", what);
}
