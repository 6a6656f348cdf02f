import { connect, type Socket } from "node:net";

/** The headers of a valid websocket request. */
export const UPGRADE: readonly string[] = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: readonly string[];
}

export interface RawAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers: string;
}

/** Sends a request exactly as written, and resolves with the answer; a 101 is an answer too. */
export async function ask(url: string, request: RawRequest): Promise<RawAnswer> {
  const { answer, socket } = await knock(url, request);
  socket.destroy();
  return answer;
}

/** Like {@link ask}, but the socket stays open, for misbehaving clients. */
export function knock(
  url: string,
  { method = "GET", path = "/", headers = [] }: RawRequest,
): Promise<{ answer: RawAnswer; socket: Socket }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  return new Promise((resolve, reject) => {
    let text = "";
    const take = (chunk: Buffer): void => {
      text += chunk.toString("latin1");
      const [head = "", ...rest] = text.split("\r\n\r\n");
      const body = rest.join("\r\n\r\n");
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
      if (rest.length === 0 || body.length < length) return;
      socket.off("data", take);
      const status = Number(/^HTTP\/1.1 (\d+)/.exec(head)?.[1]);
      resolve({ answer: { status, body, headers: head.toLowerCase() }, socket });
    };
    socket.on("data", take);
    socket.on("error", reject);
    socket.on("close", () => reject(new Error(`hung up after: ${text}`)));
    socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers.map((line) => `${line}\r\n`).join("")}\r\n`,
      "latin1",
    );
  });
}
