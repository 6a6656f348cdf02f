import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";
import type { CodexClientOptions } from "codexwright";
import { wireScript, type WireStep } from "@codexwright/testing";
import { websocket } from "codexwright/websocket";

/** A way to deliver a wire script to a client. */
export interface Carrier {
  readonly name: "stdio" | "ws";
  serve(script: readonly WireStep[]): Promise<AsyncDisposable & { readonly options: CodexClientOptions }>;
}

export const STDIO: Carrier = {
  name: "stdio",
  async serve(script) {
    const fake = wireScript({ script });
    return {
      options: { codexPath: fake.executable },
      [Symbol.asyncDispose]: async () => fake[Symbol.dispose](),
    };
  },
};

/** Every line is a text frame. The bytes of a `chunks` step are the fragments of one frame. */
export const WS: Carrier = {
  name: "ws",
  async serve(script) {
    const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
    await once(server, "listening");
    server.on("connection", (socket) => void play(script, socket));
    const { port } = server.address() as AddressInfo;
    return {
      options: { transport: websocket(`ws://127.0.0.1:${port}`) },
      async [Symbol.asyncDispose]() {
        for (const socket of server.clients) socket.terminate();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  },
};

async function play(script: readonly WireStep[], socket: WebSocket): Promise<void> {
  const marked = script.map((step) => ("chunks" in step ? mark(step.chunks) : step));
  using fake = wireScript({ script: marked });
  const inner = await fake.transport(new AbortController().signal);
  inner.open({
    line(text) {
      if (text.startsWith(FRAGMENTS))
        sendFragments(socket, JSON.parse(text.slice(FRAGMENTS.length)) as number[][]);
      else socket.send(text);
    },
    closed: () => socket.terminate(),
  });
  socket.on("message", (data) => void inner.send((data as Buffer).toString()).catch(() => {}));
  await once(socket, "close");
  await inner.close();
}

const FRAGMENTS = "fragments:";

/** In memory there are no bytes. Instead, the line states which fragments to send. */
function mark(chunks: readonly (readonly number[])[]): WireStep {
  return { raw: `${FRAGMENTS}${JSON.stringify(chunks)}\n` };
}

function sendFragments(socket: WebSocket, chunks: readonly (readonly number[])[]): void {
  for (const [index, chunk] of chunks.entries()) {
    socket.send(Uint8Array.from(chunk), { binary: false, fin: index === chunks.length - 1 });
  }
}
