// #region code
import type { CodexClient } from "codexwright";
import { isLoggedIn, SSE_HEADERS, taskOf, turnEvents } from "./turn-events.ts";

export function turnsRoute(connected: () => Promise<CodexClient>): (request: Request) => Promise<Response> {
  return async (request) => {
    const left = new AbortController();
    request.signal.addEventListener("abort", () => left.abort());
    const task = taskOf(await request.json().catch(() => undefined));
    if (task === undefined) return Response.json({ error: "task must be a text" }, { status: 400 });
    const codex = await connected();
    if (!(await isLoggedIn(codex)))
      return Response.json({ error: "Codex is not logged in" }, { status: 503 });
    const events = turnEvents(codex, task, left.signal);
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await events.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: () => left.abort(),
    });
    return new Response(body, { headers: SSE_HEADERS });
  };
}
// #endregion code
