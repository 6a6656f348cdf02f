import type { Transport } from "codexwright";
import { listen } from "codexwright/server";
import { replay, type Recording } from "codexwright/recording";

/**
 * Plays a recording to clients that connect. Ends when the clients have sent everything that is recorded, or when a
 * client sends something that is not recorded.
 */
export async function serveRecording(
  recording: Recording,
  url: string,
  onListening: (url: string) => void,
  stop: AbortSignal,
): Promise<void> {
  // No time limit: a person may start the client late.
  const server = replay(recording, { stallMs: 0 });
  const stopped = new Promise<void>((resolve) => stop.addEventListener("abort", () => resolve()));
  const accept = (client: Transport): void => void join(client, server);
  await using listener = await listen({ accept }, url);
  onListening(listener.url);
  await Promise.race([server.done, stopped]);
}

async function join(client: Transport, server: ReturnType<typeof replay>): Promise<void> {
  let played: Transport;
  try {
    played = await server(new AbortController().signal);
  } catch {
    return await client.close(); // `done` reports the reason.
  }
  const ignore = (): void => {};
  client.open({
    line: (text) => void played.send(text).catch(ignore),
    closed: () => void played.close().catch(ignore),
  });
  played.open({
    line: (text) => void client.send(text).catch(ignore),
    closed: () => void client.close().catch(ignore),
  });
}
