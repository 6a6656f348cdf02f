import { expect } from "vitest";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { hostile, settle } from "../../security/hostile.ts";
import { FAKE } from "../fake-turn.ts";

const ANSWERS: Readonly<Record<string, string>> = {
  "thread/start": `"result":{"thread":{"id":"T","turns":[]}}`,
  "thread/resume": `"result":{"thread":{"id":"T","turns":[]}}`,
  "thread/fork": `"result":{"thread":{"id":"F","turns":[]}}`,
  "review/start": `"result":{"turn":{"id":"R"},"reviewThreadId":"F"}`,
};

verifies(
  "turn.abort",
  "a detached review rejects as soon as it is aborted, whichever request the server leaves unanswered",
  async () => {
    for (const silent of ["thread/resume", "thread/fork", "thread/delete"]) {
      await using server = await hostile(
        { requestTimeoutMs: 0 },
        ({ method }) => ANSWERS[method] ?? `"result":{}`,
      );
      const thread = await server.codex.startThread();
      await thread.unsubscribe();
      const stop = new AbortController();
      server.answer(({ method }) => {
        if (method === silent) return undefined;
        // The fork must be deleted if the review is rejected.
        if (method === "review/start" && silent === "thread/delete")
          return `"error":{"code":-32600,"message":"no"}`;
        return ANSWERS[method] ?? `"result":{}`;
      });
      const target = { type: "uncommittedChanges" } as const;
      const review = server.codex.startReview({
        threadId: "T",
        delivery: "detached",
        target,
        signal: stop.signal,
      });
      const state = { ended: false };
      const error = rejection(review).finally(() => (state.ended = true));
      while (!server.sent.some(({ method }) => method === silent)) await settle();
      stop.abort();
      for (let round = 0; round < 20 && !state.ended; round++) await settle();
      expect([silent, state.ended]).toEqual([silent, true]);
      // If the review was rejected before the abort, that error is reported.
      expect(await error).toMatchObject({ code: silent === "thread/delete" ? "rpc" : "aborted" });
    }
  },
  FAKE,
);
