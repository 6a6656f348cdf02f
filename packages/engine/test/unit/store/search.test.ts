import { expect } from "vitest";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { optionsOf } from "../ports.ts";
import { echo, serverOn, temporaryHome } from "./home.ts";

verifies(
  "engine.records.search",
  "finds threads by name, input and answer, on disk and in memory",
  async () => {
    for (const memory of [false, true]) {
      await using home = await temporaryHome();
      const { store: _, ...defaults } = optionsOf(echo());
      await using only = await serverOn(home, echo(), memory ? { ...defaults, store: undefined } : {});
      const { codex } = only;
      const ids: string[] = [];
      let last = 0;
      for (const text of ["a needle here", "hay", `${"x".repeat(100)} NEEDLE ${"y".repeat(100)}`]) {
        // A cursor is a time: threads of the same millisecond would be on one page or lost.
        while (Date.now() <= last) await new Promise((resolve) => setImmediate(resolve));
        last = Date.now();
        const thread = await codex.startThread();
        await thread.run(text);
        ids.push(thread.id);
      }
      await codex.request("thread/name/set", { threadId: ids[1] ?? "", name: "The Needle" });
      const search = async (searchTerm: string, more: object = {}) =>
        await codex.request("thread/search", { searchTerm, sortDirection: "asc", ...more });
      const all = await search("needle");
      expect(all.data.map(({ thread }) => thread.id)).toEqual(ids);
      expect(all.data.map(({ snippet }) => snippet)).toEqual([
        "a needle here",
        "The Needle",
        `…${"x".repeat(59)} NEEDLE ${"y".repeat(59)}…`,
      ]);
      const first = await search("needle", { limit: 2 });
      expect(first.data).toHaveLength(2);
      const next = await search("needle", { limit: 2, cursor: first.nextCursor });
      expect(next.data.map(({ thread }) => thread.id)).toEqual(ids.slice(2));
      expect((await search("re hay")).data.map(({ thread }) => thread.id)).toEqual([ids[1]]);
      // The cursors are those of the matches, not of the threads that were looked through.
      const list = { sortDirection: "asc", excludedThreadIds: ids.slice(0, 1) } as const;
      const { backwardsCursor } = await codex.request("thread/list", list);
      expect(await search("re hay")).toMatchObject({ backwardsCursor, nextCursor: null });
      expect(await search("nothing of this")).toEqual({ data: [], nextCursor: null, backwardsCursor: null });
      expect(await rejection(search("  "))).toMatchObject({ rpcCode: -32600 });
    }
  },
);
