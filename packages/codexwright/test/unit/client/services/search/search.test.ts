import { expect } from "vitest";
import { CodexClient, type SearchResults } from "codexwright";
import { memoryPair, type Transport, type WireMessage } from "codexwright/rpc";
import type { WireStep } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";
import { fakeClient } from "../../fake-client.ts";

const FAKE: VerifiesOptions = { against: "fake" };
const OK = { result: {} };
const started: WireStep = { on: "fuzzyFileSearch/sessionStart", ...OK };
const updated: WireStep = { on: "fuzzyFileSearch/sessionUpdate", ...OK };
const stopped: WireStep = { on: "fuzzyFileSearch/sessionStop", ...OK };

/** Answers every request with success. The test sends the notifications, under the id that the client chose. */
function answer(server: Transport, text: string): void {
  const { id } = JSON.parse(text) as WireMessage;
  const result = { userAgent: "codexwright/0.166.0 (fake; none) none" };
  if (id !== undefined) void server.send(JSON.stringify({ id, result }));
}

verifies(
  "search.session",
  "a session that is aborted or disconnected throws in the iterator and rejects later queries",
  async () => {
    await using world = await fakeClient([started, updated, stopped]);
    const stop = new AbortController();
    const session = await world.codex.searchSession({ roots: ["/a"], signal: stop.signal });
    const first = rejection(session[Symbol.asyncIterator]().next());
    await session.update("x");
    stop.abort("enough");
    expect(await first).toMatchObject({ code: "aborted", cause: "enough" });
    expect(await rejection(session.update("y"))).toMatchObject({ code: "aborted" });
    await session.close();

    await using dying = await fakeClient([started, updated, { exit: 1 }]);
    const cut = await dying.codex.searchSession({ roots: ["/a"] });
    const end = rejection(cut[Symbol.asyncIterator]().next());
    await cut.update("x");
    expect(await end).toMatchObject({ code: "connection_closed" });
    await cut.close();
  },
  FAKE,
);

verifies(
  "search.session",
  "yields only the newest results of the newest query of this session",
  async () => {
    const [end, server] = memoryPair();
    server.open({ line: (text) => answer(server, text), closed: () => {} });
    await using codex = await CodexClient.connect({ transport: () => end });
    const session = await codex.searchSession({ roots: ["/a"] });
    const found = (sessionId: string, query: string, ...paths: string[]): Promise<void> => {
      const params = { sessionId, query, files: paths.map((path) => ({ path })) };
      return server.send(JSON.stringify({ method: "fuzzyFileSearch/sessionUpdated", params }));
    };
    await session.update("ne");
    await session.update("new");
    await found(session.sessionId, "ne", "old");
    await found("another", "new", "foreign");
    await found(session.sessionId, "new", "partial");
    await found(session.sessionId, "new", "partial", "whole");
    // When this is answered, all of the above has arrived.
    await codex.logout();
    const results = session[Symbol.asyncIterator]();
    const paths = async () => (await results.next()).value?.files.map(({ path }) => path);
    expect(await paths()).toEqual(["partial", "whole"]);
    await found(session.sessionId, "new", "last");
    expect(await paths()).toEqual(["last"]);
    expect(session.current?.query).toBe("new");
  },
  FAKE,
);

verifies(
  "search.session",
  "a closed session ends its iterators once and sends nothing twice",
  async () => {
    await using world = await fakeClient([started, stopped]);
    const session = await world.codex.searchSession({ roots: ["/a"] });
    const seen: SearchResults[] = [];
    const loop = (async () => {
      for await (const results of session) seen.push(results);
    })();
    await session.close();
    await session.close();
    await loop;
    expect(seen).toEqual([]);
    expect(await rejection(session.update("x"))).toMatchObject({ code: "invalid_argument" });
    expect(world.sent()).toHaveLength(2);
  },
  FAKE,
);

verifies(
  ["search.session", "search.once"],
  "rejects a search without folders, and a session on a server that does not support it",
  async () => {
    await using world = await fakeClient([], "0.100.0");
    const roots = ["/a"];
    expect(await rejection(world.codex.searchSession({ roots }))).toMatchObject({ code: "unsupported" });
    expect(await rejection(world.codex.search("x", { roots: [] }))).toMatchObject({
      code: "invalid_argument",
    });
    expect(world.sent()).toEqual([]);
  },
  FAKE,
);
