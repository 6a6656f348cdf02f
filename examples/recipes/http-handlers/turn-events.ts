// #region code
import type { CodexClient } from "codexwright";

export const SSE_HEADERS = { "content-type": "text/event-stream", "cache-control": "no-store" };

const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** One turn as server-sent events: `delta` for each piece of text, then `done` or `failed`. */
export async function* turnEvents(codex: CodexClient, task: string, signal: AbortSignal) {
  try {
    const thread = await codex.startThread({ sandbox: "read-only", approvalPolicy: "never" });
    const turn = thread.turn(task, { signal, timeoutMs: 300_000 });
    for await (const { method, params } of turn)
      if (method === "item/agentMessage/delta") yield event("delta", params.delta);
    yield event("done", (await turn.completed).agentMessage);
  } catch (error) {
    // Only the code: a message may quote files of the server.
    yield event("failed", (error as { code?: string }).code ?? "unknown");
  }
}

export async function isLoggedIn(codex: CodexClient): Promise<boolean> {
  const { account, requiresOpenaiAuth } = await codex.account();
  return !requiresOpenaiAuth || account !== null;
}

export const taskOf = (body: unknown): string | undefined => {
  const { task } = (body ?? {}) as { task?: unknown };
  return typeof task === "string" && task !== "" ? task : undefined;
};
// #endregion code
