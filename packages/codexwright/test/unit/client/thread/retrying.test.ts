import { expect } from "vitest";
import { newFacts } from "../../../../src/client/thread/thread-facts.ts";
import { ThreadRoute, type ThreadHost } from "../../../../src/client/thread/thread-route.ts";
import { Thread } from "../../../../src/client/thread/thread.ts";
import { verifies } from "@codexwright/test-support/verifies";

/** A thread with a fake server that sends the events of the test and never answers. */
function world() {
  const warnings: string[] = [];
  const host: Partial<ThreadHost> = {
    keep: () => {},
    request: () => new Promise(() => {}),
    warn: (_, message) => void warnings.push(message),
  };
  const route = new ThreadRoute("t1", host as ThreadHost, newFacts());
  const deliver = (method: string, params: object): void =>
    route.deliver({ method, params: { threadId: "t1", ...params } } as never);
  return {
    route,
    warnings,
    thread: new Thread(host as ThreadHost, route, () => Promise.reject(new Error("no fork"))),
    started: (id: string) => deliver("turn/started", { turn: { id, status: "inProgress", items: [] } }),
    completed: (id: string) => deliver("turn/completed", { turn: { id, status: "interrupted", items: [] } }),
    retries: (turnId: string, message: string) =>
      deliver("error", { turnId, willRetry: true, error: { message } }),
    giveUp: (turnId: string) => {
      route.abandon(turnId, true);
      route.end(turnId);
    },
  };
}

verifies(
  "turn.trouble",
  "thread.retrying is undefined after the turn was given up, and ignores late errors",
  () => {
    const { thread, warnings, started, retries, giveUp } = world();
    started("u1");
    retries("u1", "before");
    expect(thread.retrying).toMatchObject({ turnId: "u1", message: "before" });
    giveUp("u1");
    expect(thread.retrying).toBeUndefined();
    retries("u1", "late");
    expect(thread.retrying).toBeUndefined();
    expect(warnings).toHaveLength(1);
  },
);

verifies(
  "turn.trouble",
  "thread.retrying is the error of the running turn, whatever an earlier turn reports",
  () => {
    const { thread, warnings, started, completed, retries, giveUp } = world();
    started("u1");
    giveUp("u1");
    started("u2");
    retries("u2", "own");
    retries("u1", "late");
    expect(thread.retrying).toMatchObject({ turnId: "u2", message: "own" });
    completed("u1");
    expect(thread.retrying).toMatchObject({ turnId: "u2", message: "own" });
    completed("u2");
    expect(thread.retrying).toBeUndefined();
    expect(warnings).toHaveLength(1);
  },
);

verifies(
  "turn.trouble",
  "thread.retrying ignores a turn that was given up before the server started it",
  () => {
    const { route, thread, warnings, retries } = world();
    route.stop("u1");
    retries("u1", "unseen");
    expect(thread.retrying).toBeUndefined();
    expect(warnings).toEqual([]);
  },
);

verifies(
  "turn.trouble",
  "thread.retrying ignores an earlier turn whose end the server never reported",
  () => {
    const { thread, started, retries } = world();
    started("u1");
    started("u2");
    retries("u1", "late");
    expect(thread.retrying).toBeUndefined();
  },
);
