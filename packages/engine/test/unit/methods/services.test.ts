import { expect } from "vitest";
import { EngineServer } from "@codexwright/engine";
import { engineDefaults } from "@codexwright/engine/node";
import { verifies } from "@codexwright/test-support/verifies";
import { temporaryPlace } from "../node/place.ts";
import { modelOf } from "../ports.ts";
import { RawClient } from "../raw-client.ts";

verifies(
  "engine.methods.search",
  "a search reports each last query, and ends with its client or session",
  async () => {
    await using place = temporaryPlace();
    place.write("one.txt", "");
    place.write("two.txt", "");
    await using server = new EngineServer(
      await engineDefaults({ provider: modelOf(), home: place.home, cwd: place.work }),
    );
    const client = await RawClient.connect(server);
    const other = await RawClient.connect(server);
    const sessionId = "s";
    await client.call("fuzzyFileSearch/sessionStart", { sessionId, roots: [place.work] });
    await client.call("fuzzyFileSearch/sessionUpdate", { sessionId, query: "one" });
    await client.told("fuzzyFileSearch/sessionCompleted");
    expect(client.all("fuzzyFileSearch/sessionUpdated").at(-1)?.params).toMatchObject({
      sessionId,
      query: "one",
      files: [{ root: place.work, path: "one.txt" }],
    });
    // Another client has sessions of its own.
    expect(
      (await other.call("fuzzyFileSearch/sessionUpdate", { sessionId, query: "x" })).error,
    ).toMatchObject({
      code: -32600,
    });
    const typed = ["t", "tw", "two"].map((query) =>
      client.call("fuzzyFileSearch/sessionUpdate", { sessionId, query }),
    );
    await Promise.all(typed);
    await client.told("fuzzyFileSearch/sessionCompleted", 2);
    expect(client.all("fuzzyFileSearch/sessionUpdated").at(-1)?.params).toMatchObject({
      query: "two",
      files: [{ path: "two.txt" }],
    });
    await client.call("fuzzyFileSearch/sessionStop", { sessionId });
    expect(
      (await client.call("fuzzyFileSearch/sessionUpdate", { sessionId, query: "x" })).error,
    ).toMatchObject({
      code: -32600,
    });
    // Sessions are bounded, and those of a client that leaves end.
    const many = Array.from({ length: 80 }, (_, n) =>
      other.call("fuzzyFileSearch/sessionStart", { sessionId: `n${n}`, roots: [place.work] }),
    );
    const refused = (await Promise.all(many)).filter(({ error }) => error !== undefined);
    expect(refused).toHaveLength(16);
    await other.close();
    const again = await client.call("fuzzyFileSearch/sessionStart", { sessionId, roots: [place.work] });
    expect(again.error).toBeUndefined();
    expect(server.failures).toEqual([]);
  },
);

verifies("engine.methods.diagnostics", "tells counts and the process, and nothing of threads", async () => {
  await using place = temporaryPlace();
  await using server = new EngineServer(
    await engineDefaults({ provider: modelOf(), home: place.home, cwd: place.work }),
  );
  const client = await RawClient.connect(server);
  const id = await client.startThread();
  const { result } = await client.call("server/diagnostics");
  expect(result).toEqual({
    process: {
      id: process.pid,
      residentMemoryBytes: expect.any(Number) as unknown,
      physicalFootprintBytes: null,
    },
    gauges: [
      { name: "app.clients.connected", value: 1 },
      { name: "app.threads.loaded", value: 1 },
      { name: "app.turns.running", value: 0 },
    ],
  });
  expect(JSON.stringify(result)).not.toContain(id);
});
