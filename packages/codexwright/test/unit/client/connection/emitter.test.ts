import { EventEmitter } from "node:events";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CodexClient } from "codexwright";
import { wireScript } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { accepted, completed, connected, FAKE, note, running } from "../fake-turn.ts";

const EVENTS = ["warning", "stderr", "exit"] as const;
type EventName = (typeof EVENTS)[number];
const ADDERS = ["on", "addListener", "once", "prependListener", "prependOnceListener"] as const;
const REMOVERS = ["off", "removeListener"] as const;

/** The methods that are compared between the two emitters. */
type Both = Record<
  (typeof ADDERS)[number] | (typeof REMOVERS)[number],
  (event: string, listener: () => void) => unknown
> & {
  emit(event: string): boolean;
  removeAllListeners(event?: string): unknown;
  listenerCount(event: string): number;
  listeners(event: string): unknown[];
  eventNames(): unknown[];
};

/** An operation on an emitter, by a program or by a listener during its call. */
type Action =
  | {
      readonly kind: "add";
      readonly how: (typeof ADDERS)[number];
      readonly event: EventName;
      readonly who: number;
    }
  | {
      readonly kind: "remove";
      readonly how: (typeof REMOVERS)[number];
      readonly event: EventName;
      readonly who: number;
    }
  | { readonly kind: "clear"; readonly event: EventName | undefined }
  | { readonly kind: "emit"; readonly event: EventName };

const event = fc.constantFrom(...EVENTS);
const who = fc.nat({ max: 3 });
const change: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constant("add" as const), how: fc.constantFrom(...ADDERS), event, who }),
  fc.record({ kind: fc.constant("remove" as const), how: fc.constantFrom(...REMOVERS), event, who }),
  fc.record({ kind: fc.constant("clear" as const), event: fc.option(event, { nil: undefined }) }),
);
const action = fc.oneof(change, fc.record({ kind: fc.constant("emit" as const), event }));

/** A listener that emits can call itself. From this depth on, listeners do nothing. */
const DEEPEST = 3;

/** Runs the actions; listener `n` performs `reactions[n]` each time it is called. */
function play(emitter: Both, actions: readonly Action[], reactions: readonly Action[]): unknown[] {
  const log: unknown[] = [];
  let depth = 0;
  const act = (each: Action): void => {
    if (each.kind === "emit") log.push(["emit", emitter.emit(each.event)]);
    else if (each.kind === "add") emitter[each.how](each.event, listenerOf(each.who));
    else if (each.kind === "remove") emitter[each.how](each.event, listenerOf(each.who));
    else if (each.event === undefined) emitter.removeAllListeners();
    else emitter.removeAllListeners(each.event);
  };
  const listeners = reactions.map((reaction, n) => () => {
    log.push(["called", n, depth]);
    if (depth >= DEEPEST) return;
    depth++;
    act(reaction);
    depth--;
  });
  const listenerOf = (n: number): (() => void) => listeners[n] ?? (() => {});
  for (const each of actions) {
    act(each);
    log.push(EVENTS.map((name) => emitter.listenerCount(name)));
    log.push(
      EVENTS.map((name) =>
        emitter.listeners(name).map((listener) => listeners.indexOf(listener as () => void)),
      ),
    );
    log.push(emitter.eventNames());
  }
  return log;
}

function thrown(call: () => unknown): Error {
  try {
    call();
  } catch (error) {
    return error as Error;
  }
  throw new Error("the call did not throw");
}

const unconnected = (): CodexClient => new CodexClient({ transport: wireScript({ script: [] }).transport });

verifies("client.emitter", "the client calls, adds and removes listeners like Node's EventEmitter", () => {
  fc.assert(
    fc.property(
      fc.array(action, { maxLength: 30 }),
      fc.array(action, { minLength: 4, maxLength: 4 }),
      (actions, reactions) => {
        const ours = play(unconnected() as unknown as Both, actions, reactions);
        const nodes = play(new EventEmitter(), actions, reactions);
        expect(ours).toEqual(nodes);
      },
    ),
    { seed: 2, numRuns: 500 },
  );
});

test("calls a once() listener once, even if an earlier listener emits the event again", () => {
  for (const emitter of [unconnected() as unknown as Both, new EventEmitter()] as Both[]) {
    const calls: string[] = [];
    emitter.once("warning", () => emitter.emit("warning"));
    emitter.once("warning", () => calls.push("once"));
    emitter.on("warning", () => calls.push("on"));
    emitter.emit("warning");
    expect(calls).toEqual(["once", "on", "on"]);
  }
});

test("each method that adds or removes a listener returns the client, and accepts only functions", () => {
  const codex = unconnected();
  const listener = (): void => {};
  for (const name of [...ADDERS, ...REMOVERS]) {
    expect(codex[name]("warning", listener)).toBe(codex);
    expect(() => codex[name]("warning", "listener" as never)).toThrow(/listener/);
  }
  for (const name of ADDERS) {
    for (const unknown of [
      "turn/started",
      "toString",
      "x".repeat(1e6),
      5,
      null,
      Symbol("exit"),
      Object.create(null),
    ]) {
      const refused = thrown(() => codex[name](unknown as never, listener));
      expect(refused).toMatchObject({ code: "invalid_argument" });
      expect(refused.message).toContain("there is no event");
      expect(refused.message.length).toBeLessThan(500);
    }
  }
  for (const count of [-1, Number.NaN, "5", null]) {
    expect(thrown(() => codex.setMaxListeners(count as never))).toMatchObject({ code: "invalid_argument" });
  }
  expect(codex.removeAllListeners()).toBe(codex);
  expect(codex.removeAllListeners("never heard of" as never)).toBe(codex);
  expect(codex.listenerCount("warning")).toBe(0);
  codex
    .on("warning", listener)
    .once("warning", listener)
    .on("warning", () => {});
  expect(codex.listenerCount("warning")).toBe(3);
  expect(codex.listenerCount("warning", listener)).toBe(2);
  expect(codex.rawListeners("warning")).toEqual(codex.listeners("warning"));
  const emitter: EventEmitter = codex;
  expect(emitter.setMaxListeners(50).getMaxListeners()).toBe(50);
});

verifies(
  "client.emitter",
  "a client without any listeners still ends its watches, logins and searches when the server is lost",
  async () => {
    const fake = wireScript({
      script: [
        { on: "fs/watch", result: { watchId: "w", path: "/x" } },
        {
          on: "account/login/start",
          result: { type: "chatgpt", loginId: "l", authUrl: "http://127.0.0.1/" },
        },
        { on: "account/logout", result: {} },
        { closeOutput: true },
      ],
    });
    const codex = await CodexClient.connect({ transport: fake.transport });
    const watch = codex.watch("/x");
    await watch.ready;
    const login = await codex.login.chatgpt();
    expect(codex.eventNames()).toEqual([]);
    expect(codex.listenerCount("exit")).toBe(0);
    codex.removeAllListeners();
    codex.removeAllListeners("exit");
    // An event that a program emits itself must not end anything.
    codex.emit("exit", { message: "not true" });
    const ends = [rejection(watch.next()), rejection(login.completed)];
    await codex.logout();
    for (const end of ends) expect(await end).toMatchObject({ code: "connection_closed" });
    await codex.disconnect();
  },
  FAKE,
);

verifies(
  ["client.emitter", "client.quick-lines"],
  "an event is translated only while it has a listener; turns are followed even without listeners",
  async () => {
    const again = (id: string) => [
      { on: "turn/start", result: { turn: { id, status: "inProgress", items: [] } } },
      note("turn/started", { threadId: "t1", turn: { id } }),
      note("turn/completed", { threadId: "t1", turn: { id, status: "completed", items: [] } }),
    ];
    await using server = await connected([
      accepted,
      running,
      completed("completed"),
      ...again("u2"),
      ...again("u3"),
    ]);
    const seen: string[] = [];
    server.codex.on("turn:completed", ({ id }) => seen.push(id));
    await server.thread.run("one");
    server.codex.removeAllListeners("turn:completed");
    await server.thread.run("two");
    server.codex.once("turn:completed", ({ id }) => seen.push(id));
    await server.thread.run("three");
    expect(seen).toEqual(["u1", "u3"]);
  },
  FAKE,
);

test("adds and removes 20,000 listeners without copying the list each time", () => {
  const codex = unconnected();
  const listeners = Array.from({ length: 20_000 }, () => () => {});
  for (const listener of listeners) codex.on("warning", listener);
  expect(codex.listenerCount("warning")).toBe(20_000);
  for (const listener of listeners.toReversed()) codex.off("warning", listener);
  expect(codex.eventNames()).toEqual([]);
});
