import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED } from "@codexwright/test-support/world";
import { CodexClient } from "codexwright";
import { expect } from "vitest";
import { turnsApp } from "../../../examples/recipes/http-handlers/express-app.ts";
import { turnsRoute } from "../../../examples/recipes/http-handlers/next-route.ts";
import { emptyHome, expectAsShown } from "./offline.ts";

verifies(
  "docs.recipes",
  "http-handlers: stream a turn, and interrupt it when the browser leaves",
  async () => {
    await expectAsShown("http-handlers");
  },
  PINNED,
);

verifies(
  "docs.recipes",
  "http-handlers: answer 400 without a task, and 503 if Codex is not logged in",
  async () => {
    using home = emptyHome();
    await using codex = await CodexClient.connect({ cwd: home.dir, env: home.env });
    const listener = turnsApp(codex).listen(0, "127.0.0.1");
    try {
      await once(listener, "listening");
      const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/turns`;
      const route = turnsRoute(async () => codex);
      for (const [body, status, error] of [
        ["{}", 400, "task must be a text"],
        ['{"task":"Go."}', 503, "Codex is not logged in"],
      ] as const) {
        const init = { method: "POST", headers: { "content-type": "application/json" }, body };
        for (const response of [await fetch(url, init), await route(new Request(url, init))]) {
          expect(response.status).toBe(status);
          expect(await response.json()).toEqual({ error });
        }
      }
    } finally {
      listener.close();
      listener.closeAllConnections();
    }
  },
  PINNED,
);
