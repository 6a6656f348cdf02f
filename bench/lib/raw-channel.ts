import { spawn } from "node:child_process";
import { Listening, type TransportName } from "./listening.ts";

/** Sends and receives whole messages, with the least code possible for a transport. */
export interface RawChannel extends AsyncDisposable {
  send(message: object): void;
  /** Sets the only reader, before any message arrives. Pass `long` if messages will span many chunks. */
  onText(take: (text: string) => void, long?: boolean): void;
}

export async function openRaw(transport: TransportName, server: string): Promise<RawChannel> {
  return transport === "stdio" ? rawStdio(server) : await rawSocket(transport, server);
}

/**
 * Splits decoded text at line ends. A chunk without a line end is only stored. Otherwise, a long line would be copied
 * again for each chunk.
 */
export function splitter(take: (line: string) => void): (text: string) => void {
  let carry = "";
  return (text) => {
    if (!text.includes("\n")) {
      carry += text;
      return;
    }
    const lines = (carry + text).split("\n");
    carry = lines.pop() ?? "";
    for (const line of lines) take(line);
  };
}

/** Splits input into lines that span many chunks. Stores the chunks until the line ends, then decodes them once. */
function joiner(take: (line: string) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  return (chunk) => {
    chunks.push(chunk);
    if (!chunk.includes(LF)) return;
    const bytes = Buffer.concat(chunks);
    const end = bytes.lastIndexOf(LF);
    chunks = [bytes.subarray(end + 1)];
    for (const line of bytes.toString("utf8", 0, end).split("\n")) take(line);
  };
}
const LF = 0x0a;

function rawStdio(server: string): RawChannel {
  const child = spawn(server, ["app-server"], { stdio: ["pipe", "pipe", "inherit"] });
  return {
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    onText(take, long = false) {
      if (long) child.stdout.on("data", joiner(take));
      else child.stdout.setEncoding("utf8").on("data", splitter(take));
    },
    [Symbol.asyncDispose]: async () => void child.stdin.end(),
  };
}

interface Socket {
  on(event: "message", listener: (data: Buffer) => void): void;
  on(event: "open" | "close", listener: () => void): void;
  send(text: string): void;
  close(): void;
}
interface Ws {
  readonly WebSocket: new (url: string, options: object) => Socket;
}

/**
 * Uses the package `ws` directly, without its type definitions: they are not installed for users who only run the demo.
 */
async function rawSocket(transport: "unix" | "ws", server: string): Promise<RawChannel> {
  const listening = await Listening.start(server, transport);
  const name = "ws";
  const { WebSocket } = (await import(name)) as Ws;
  const url = transport === "unix" ? `ws+unix:${listening.address}:/` : listening.address;
  const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 0 });
  await new Promise<void>((resolve) => socket.on("open", resolve));
  return {
    send: (message) => socket.send(JSON.stringify(message)),
    onText: (take) => socket.on("message", (data) => take(data.toString())),
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => socket.on("close", resolve));
      socket.close();
      await closed;
      await listening[Symbol.asyncDispose]();
    },
  };
}
