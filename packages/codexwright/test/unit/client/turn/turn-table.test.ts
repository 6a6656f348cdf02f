/** Every way a turn can end, seen through `run`, `completed` and the iterator: each settles exactly once. */
import { describe, expect } from "vitest";
import type { Turn, TurnOptions } from "codexwright";
import type { WireStep } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";
import { accepted, completed, connected, FAKE, ids, message, note, running } from "../fake-turn.ts";

interface Ending {
  readonly how: string;
  /** The server's steps after the start of the turn. */
  readonly steps: readonly WireStep[];
  readonly options?: TurnOptions;
  /** The client's action after the start of the turn. */
  readonly act?: (turn: Turn) => unknown;
  /** The code of the error, or the source of the result. */
  readonly ends: string;
  /** Further properties of the error that callers rely on. */
  readonly error?: object;
  /** The method of the last event that the iterator yields; default: `item/completed`. */
  readonly last?: string;
}

const interrupted: readonly WireStep[] = [{ on: "turn/interrupt", result: {} }, completed("interrupted")];
const status = (type: string): WireStep =>
  note("thread/status/changed", { threadId: "t1", status: { type, activeFlags: [] } });
const read = (type: string, turns: object[]): WireStep => ({
  on: "thread/read",
  result: { thread: { id: "t1", status: { type, activeFlags: [] }, turns } },
});

/** The failure kinds of a 0.166 server, and one that is unknown. */
const KINDS: readonly unknown[] = [
  "contextWindowExceeded",
  "sessionBudgetExceeded",
  "usageLimitExceeded",
  "rateLimitExceeded",
  "flexUnavailable",
  "serverOverloaded",
  "modelNotFound",
  "policyCapacityUnavailable",
  "cyberPolicy",
  "misalignmentPolicyViolation",
  "tooManyDenials",
  "internalServerError",
  "unauthorized",
  "badRequest",
  "threadRollbackFailed",
  "sandboxError",
  "other",
  { httpConnectionFailed: { httpStatusCode: 401 } },
  { responseStreamConnectionFailed: { httpStatusCode: 502 } },
  { responseStreamDisconnected: { httpStatusCode: null } },
  { responseTooManyFailedAttempts: { httpStatusCode: 429 } },
  { activeTurnNotSteerable: { turnKind: "review" } },
  "somethingNew",
];

const failures = KINDS.map((codexErrorInfo): Ending => {
  const httpStatus = (Object.values(codexErrorInfo as object)[0] as { httpStatusCode?: number | null })
    ?.httpStatusCode;
  return {
    how: `failed: ${JSON.stringify(codexErrorInfo)}`,
    steps: [completed("failed", { error: { message: "said so", codexErrorInfo, additionalDetails: null } })],
    ends: "turn_failed",
    error: { message: "said so", codexErrorInfo, httpStatus: httpStatus ?? undefined },
    last: "turn/completed",
  };
});

const ENDINGS: readonly Ending[] = [
  { how: "completed", steps: [completed("completed")], ends: "server", last: "turn/completed" },
  ...failures,
  {
    how: "interrupted by us",
    steps: interrupted,
    act: (turn) => turn.interrupt(),
    ends: "turn_interrupted",
    last: "turn/completed",
  },
  {
    how: "interrupted by a cancel decision or another client",
    steps: [completed("interrupted")],
    ends: "turn_interrupted",
    last: "turn/completed",
  },
  {
    how: "deadline",
    steps: interrupted,
    options: { timeoutMs: 15 },
    ends: "turn_timeout",
    error: { limit: "timeoutMs" },
    last: "turn/completed",
  },
  {
    how: "silence",
    steps: [read("active", []), ...interrupted],
    options: { silenceMs: 15 },
    ends: "turn_timeout",
    error: { limit: "silenceMs" },
    last: "turn/completed",
  },
  {
    how: "aborted by a signal",
    steps: interrupted,
    options: { signal: AbortSignal.timeout(15) },
    ends: "aborted",
    last: "turn/completed",
  },
  {
    how: "disposed",
    steps: interrupted,
    act: (turn) => turn[Symbol.asyncDispose](),
    ends: "aborted",
    last: "turn/completed",
  },
  { how: "crash", steps: [{ exit: 1 }], ends: "connection_closed" },
  {
    how: "terminal event missing, stored as completed",
    steps: [status("idle"), read("idle", [{ id: "u1", status: "completed", items: [] }])],
    ends: "reconciled",
  },
  {
    how: "terminal event missing, stored as failed",
    steps: [
      status("systemError"),
      read("systemError", [{ id: "u1", status: "failed", items: [], error: { message: "stored" } }]),
    ],
    ends: "turn_failed",
    error: { message: "stored" },
  },
  {
    how: "turn/failed",
    steps: [note("turn/failed", { ...ids, message: "older" })],
    ends: "turn_failed",
    error: { message: "older" },
    last: "turn/failed",
  },
  {
    how: "turn/cancelled",
    steps: [note("turn/cancelled", ids)],
    ends: "turn_interrupted",
    last: "turn/cancelled",
  },
  {
    how: "turn/completed without params",
    steps: [{ send: { method: "turn/completed" } }],
    ends: "server",
    last: "turn/completed",
  },
];

/** Runs a turn to this ending and returns its handle. */
async function ending({ steps, options = {}, act }: Ending) {
  const server = await connected([accepted, running, message("m1", "before the end"), ...steps]);
  // A signal with a timeout is created again for each turn.
  const fresh = options.signal ? { signal: AbortSignal.timeout(15) } : {};
  const turn = server.thread.turn("go", { ...options, ...fresh });
  if (act) void turn.started.then(() => act(turn));
  return { turn, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** How often a promise settled, and with which outcome. */
async function outcome(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    (value) => (value as { source?: string }).source ?? value,
    (error: unknown) => error,
  );
}

for (const each of ENDINGS) {
  const isError = !["server", "reconciled"].includes(each.ends);
  const expected = isError ? { code: each.ends, ...each.error } : each.ends;

  // oxlint-disable-next-line vitest/valid-title -- the titles are in a table
  describe(each.how, () => {
    verifies(
      "turn.table",
      "completed settles once",
      async () => {
        await using end = await ending(each);
        const { completed: promise } = end.turn;
        const settled = await outcome(promise);
        if (isError) expect(settled).toMatchObject(expected as object);
        else expect(settled).toBe(expected);
        expect(await outcome(promise)).toBe(settled);
        expect(end.turn.completed).toBe(promise);
      },
      FAKE,
    );

    verifies(
      "turn.table",
      "the iterator yields the last event, then ends or throws the same error, once",
      async () => {
        await using end = await ending(each);
        const iterator = end.turn[Symbol.asyncIterator]();
        const methods: string[] = [];
        const thrown = await outcome(
          (async () => {
            for (let next = await iterator.next(); !next.done; next = await iterator.next())
              methods.push(next.value.method);
            return "ended";
          })(),
        );
        expect(methods.at(-1)).toBe(each.last ?? "item/completed");
        expect(thrown).toBe(isError ? await outcome(end.turn.completed) : "ended");
        expect(await iterator.next()).toEqual({ value: undefined, done: true });
      },
      FAKE,
    );

    verifies(
      "turn.table",
      "the thread is free, and its state shows the turn as ended",
      async () => {
        await using end = await ending(each);
        await outcome(end.turn.completed);
        expect(end.turn.state?.status).not.toBe("inProgress");
        expect(end.turn.state?.items.map(({ life }) => life)).toEqual(["completed"]);
        await end.turn.interrupt();
      },
      FAKE,
    );
  });
}
