import { expect } from "vitest";
import type { FakeStep } from "codexwright/testing";
import {
  openSearch,
  searchFiles,
  SearchSession,
  type SearchResults,
} from "../../../../src/client/search/index.ts";
import { rejection } from "../../../../../../test/support/events.ts";
import { verifies, type VerifiesOptions } from "../../../../../../test/support/verifies.ts";
import { fakeHost } from "../account/host.ts";

const FAKE: VerifiesOptions = { against: "fake" };
const OK = { result: {} };
const started: FakeStep = { on: "fuzzyFileSearch/sessionStart", ...OK };
const updated: FakeStep = { on: "fuzzyFileSearch/sessionUpdate", ...OK };
const stopped: FakeStep = { on: "fuzzyFileSearch/sessionStop", ...OK };

verifies(
  "search.session",
  "a session that is aborted or cut off throws in the iterator, and later queries are refused",
  async () => {
    await using world = await fakeHost([started, updated, stopped]);
    const stop = new AbortController();
    const session = await openSearch(world.host, { roots: ["/a"], signal: stop.signal });
    const first = rejection(session[Symbol.asyncIterator]().next());
    await session.update("x");
    stop.abort("enough");
    expect(await first).toMatchObject({ code: "aborted", cause: "enough" });
    expect(await rejection(session.update("y"))).toMatchObject({ code: "aborted" });
    await session.close();

    await using dying = await fakeHost([started, updated, { exit: 1 }]);
    const cut = await openSearch(dying.host, { roots: ["/a"] });
    const end = rejection(cut[Symbol.asyncIterator]().next());
    await cut.update("x");
    expect(await end).toMatchObject({ code: "connection_closed" });
    await cut.close();
  },
  FAKE,
);

verifies(
  "search.session",
  "only the newest results of the newest query of this session are given",
  async () => {
    const found = (sessionId: string, query: string, ...paths: string[]): FakeStep => ({
      send: {
        method: "fuzzyFileSearch/sessionUpdated",
        params: { sessionId, query, files: paths.map((path) => ({ path })) },
      },
    });
    await using world = await fakeHost([
      updated,
      updated,
      found("mine", "ne", "old"),
      found("another", "new", "foreign"),
      found("mine", "new", "partial"),
      found("mine", "new", "partial", "whole"),
      { on: "account/logout", result: {} },
      found("mine", "new", "last"),
    ]);
    const session = new SearchSession(world.host, "mine");
    await session.update("ne");
    await session.update("new");
    await world.codex.request("account/logout", undefined);
    const results = session[Symbol.asyncIterator]();
    const paths = async () => (await results.next()).value?.files.map(({ path }) => path);
    expect([await paths(), await paths()]).toEqual([["partial", "whole"], ["last"]]);
    expect(session.current?.query).toBe("new");
  },
  FAKE,
);

verifies(
  "search.session",
  "a closed session ends its iterators once, and nothing is sent twice",
  async () => {
    await using world = await fakeHost([started, stopped]);
    const session = await openSearch(world.host, { roots: ["/a"] });
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
  "folders are needed, and a session needs a server that has them",
  async () => {
    await using world = await fakeHost([], "0.100.0");
    const roots = ["/a"];
    expect(await rejection(openSearch(world.host, { roots }))).toMatchObject({ code: "unsupported" });
    expect(await rejection(searchFiles(world.host, "x", { roots: [] }))).toMatchObject({
      code: "invalid_argument",
    });
    expect(world.sent()).toEqual([]);
  },
  FAKE,
);
