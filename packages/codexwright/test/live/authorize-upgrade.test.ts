import { describe, expect } from "vitest";
import { listen } from "codexwright/server";
import { realAppServer, scriptedModel } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";
import { echo } from "@codexwright/test-support/echo";
import { GATE_TABLES } from "@codexwright/test-support/gate-cases";
import { ask } from "@codexwright/test-support/raw-http";
import { PINNED } from "@codexwright/test-support/world";

for (const { name, ours, real, cases } of GATE_TABLES) {
  describe(`a server ${name}`, () => {
    verifies(
      ["server.auth", "server.origin", "server.health"],
      `the real server and ours return the same answers to ${cases.length} requests`,
      async () => {
        await using model = await scriptedModel([]);
        await using server = await realAppServer({ model, listen: "ws", ...(real && { auth: real }) });
        await using listener = await listen(echo(), "ws://127.0.0.1:0", { auth: ours });
        for (const { name: what, request, status, body } of cases) {
          const [theirs, answer] = [await ask(server.url, request), await ask(listener.url, request)];
          expect({ what, status: theirs.status, body: theirs.body }).toEqual({ what, status, body });
          expect({ what, status: answer.status, body: answer.body }).toEqual({ what, status, body });
          const type = /^content-type: .*$/m.exec(theirs.headers)?.[0];
          expect({ what, type: /^content-type: .*$/m.exec(answer.headers)?.[0] }).toEqual({ what, type });
        }
      },
      PINNED,
    );
  });
}
