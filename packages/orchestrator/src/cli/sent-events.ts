import type { ApiEvent } from "../observe/api-issue.ts";

/** Reads a stream of server-sent events. The server sends the data of an event in one line. */
export async function* sentEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ApiEvent, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("data: ")) yield JSON.parse(line.slice("data: ".length)) as ApiEvent;
    }
  }
}
