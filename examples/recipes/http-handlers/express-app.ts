// #region code
import type { CodexClient } from "codexwright";
import express, { type Express } from "express";
import { isLoggedIn, SSE_HEADERS, taskOf, turnEvents } from "./turn-events.ts";

export function turnsApp(codex: CodexClient): Express {
  const app = express();
  app.use(express.json());
  app.post("/turns", async (request, response) => {
    const left = new AbortController();
    response.on("close", () => left.abort());
    const task = taskOf(request.body);
    if (task === undefined) return response.status(400).json({ error: "task must be a text" });
    if (!(await isLoggedIn(codex))) return response.status(503).json({ error: "Codex is not logged in" });
    response.writeHead(200, SSE_HEADERS);
    for await (const text of turnEvents(codex, task, left.signal)) response.write(text);
    return response.end();
  });
  return app;
}
// #endregion code
