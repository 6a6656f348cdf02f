import { describe, expect } from "vitest";
import { listen } from "codexwright/server";
import { verifies } from "@codexwright/test-support/verifies";
import { echo } from "@codexwright/test-support/echo";
import { GATE_TABLES, SECRET, TOKEN } from "@codexwright/test-support/gate-cases";
import { ask } from "@codexwright/test-support/raw-http";

for (const { name, ours, cases } of GATE_TABLES) {
  describe(`a server ${name}`, () => {
    verifies(
      ["server.auth", "server.origin", "server.health"],
      `returns the real server's answers to ${cases.length} requests`,
      async () => {
        const endpoint = echo();
        await using listener = await listen(endpoint, "ws://127.0.0.1:0", { auth: ours });
        for (const { name: what, request, status, body } of cases) {
          const answer = await ask(listener.url, request);
          expect({ what, status: answer.status, body: answer.body }).toEqual({ what, status, body });
          for (const secret of [TOKEN, SECRET]) expect(answer.headers + answer.body).not.toContain(secret);
        }
        expect(endpoint.connections.length).toBe(cases.filter(({ status }) => status === 101).length);
      },
    );
  });
}
