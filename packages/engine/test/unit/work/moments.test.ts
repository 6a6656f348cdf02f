import * as fc from "fast-check";
import { expect } from "vitest";
import { EngineServer, ModelError, type ModelEvent, type Shell, type ToolHandler } from "@codexwright/engine";
import { verifies } from "@codexwright/test-support/verifies";
import { call, completed, message, modelOf, optionsOf, type Answer } from "../ports.ts";
import { inputOf, RawClient, type Wire } from "../raw-client.ts";

/** Lets other work run for so many rounds of the event loop. */
async function rounds(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await new Promise((resolve) => setImmediate(resolve));
}

/** Streams these events, with pauses between them. Ends when the signal aborts. */
function slowly(events: readonly ModelEvent[], pauses: readonly number[], fails: boolean): Answer {
  return async function* (_, signal) {
    for (const [at, event] of events.entries()) {
      await rounds(pauses[at % pauses.length] ?? 0);
      signal.throwIfAborted();
      yield event;
    }
    if (fails) throw new ModelError("broken off", { phase: "stream" });
  };
}

/** Commands that end after some rounds, or when they are killed. */
const shell: Shell = {
  start: (command) => {
    let kill = (): void => {};
    const killed = new Promise<number>((resolve) => (kill = () => resolve(137)));
    const ended = rounds(4).then(() => {
      command.onData(new TextEncoder().encode("out\n"), "stdout");
      return 0;
    });
    return Promise.resolve({
      exitCode: undefined,
      exited: Promise.race([killed, ended]),
      write: () => Promise.resolve(),
      end() {},
      kill,
    });
  },
};

const tool: ToolHandler = {
  name: "slow",
  parallel: true,
  spec: () => undefined,
  run: async () => {
    await rounds(3);
    return { output: "slow" };
  },
};

const EVENTS: readonly (readonly ModelEvent[])[] = [
  [...message("a", "text"), completed],
  [call("c1", "slow", {}), ...message("b", "between"), call("c2", "slow", {}), completed],
  [call("c3", "exec_command", { cmd: "rm -rf build", sandbox_permissions: "require_escalated" }), completed],
  [call("c4", "exec_command", { cmd: "ls" }), completed, completed],
  [...message("same", "one"), ...message("same", "two"), completed],
  [
    { type: "text", itemId: "never", delta: "x" },
    { type: "itemAdded", item: { type: "message" } },
    completed,
  ],
  [],
];

const action = fc.record({
  what: fc.constantFrom(
    "turn/start",
    "turn/steer",
    "turn/interrupt",
    "review/start",
    "thread/compact/start",
    "thread/shellCommand",
    "thread/settings/update",
    "thread/unsubscribe",
    "thread/resume",
    "thread/read",
    "leave",
  ),
  who: fc.nat({ max: 1 }),
  after: fc.nat({ max: 6 }),
});

verifies(
  "engine.loop.moments",
  "whatever clients do at whatever moment, every turn that began ends once, and nothing stays open",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { minLength: 1, maxLength: 14 }),
        fc.array(fc.record({ at: fc.nat({ max: EVENTS.length - 1 }), fails: fc.boolean() }), {
          minLength: 1,
        }),
        fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 5 }),
        async (actions, answers, pauses) => {
          const all = Array.from({ length: 200 }, (_, n) => {
            const { at, fails } = answers[n % answers.length] ?? { at: 0, fails: false };
            return slowly(EVENTS[n > 60 ? 0 : at] ?? [], pauses, n <= 60 && fails);
          });
          const config = { model: "own-model", retryDelayMs: 0, streamRetries: 2 };
          const model = modelOf(...all);
          await using server = new EngineServer(optionsOf(model, { shell, tools: [tool], config }));
          const watcher = await RawClient.connect(server);
          const threadId = await watcher.startThread();
          const clients = [await RawClient.connect(server), await RawClient.connect(server)];
          const asked: Promise<Wire>[] = [];
          await clients[0]?.startTurn(threadId, "first");
          for (const { what, who, after } of actions) {
            await rounds(after);
            const client = clients[who];
            if (!client) continue;
            if (what === "leave") {
              await client.close();
              clients[who] = await RawClient.connect(server);
              continue;
            }
            const turnId = watcher.all("turn/started").at(-1)?.params?.turn?.id ?? "";
            const target = { type: "custom", instructions: "look" };
            const params = {
              threadId,
              turnId,
              expectedTurnId: turnId,
              target,
              input: inputOf("x"),
              command: "ls",
            };
            const own = what === "thread/settings/update" ? { threadId, model: "other" } : params;
            asked.push(client.call(what, own));
          }
          await Promise.all(asked);
          // A last turn: whatever ran before it has ended, or takes this input.
          for (;;) {
            const answer = await watcher.startTurn(threadId, "last");
            if (!answer.error) break;
            await rounds(1);
          }
          while (watcher.all("turn/completed").length < watcher.all("turn/started").length) await rounds(1);
          await server.shutdown();
          expect(watcher.all("turn/completed").length).toBe(watcher.all("turn/started").length);
          const ended = watcher.all("turn/completed").map(({ params }) => params?.turn?.id);
          expect(new Set(ended).size).toBe(ended.length);
          const resolved = new Set(
            watcher.all("serverRequest/resolved").map(({ params }) => params?.["requestId"]),
          );
          const requests = watcher.got.filter(({ id, method }) => id !== undefined && method !== undefined);
          for (const { id } of requests) expect(resolved).toContain(id);
          const failures = asked.map(async (each) => (await each).error?.message ?? "");
          for (const failure of await Promise.all(failures)) expect(failure).not.toContain("in the server");
          expect(server.failures.map(String)).toEqual([]);
        },
      ),
      { seed: 19, numRuns: 60 },
    );
  },
  { timeoutMs: 60_000 },
);

verifies(
  "engine.loop.moments",
  "close() ends at whatever moment, and tells no end of a turn afterwards",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: EVENTS.length - 1 }), fc.nat({ max: 30 }), async (at, after) => {
        const model = modelOf(slowly(EVENTS[at] ?? [], [1], false), slowly(EVENTS[0] ?? [], [2], false));
        const server = new EngineServer(optionsOf(model, { shell, tools: [tool] }));
        const client = await RawClient.connect(server);
        const threadId = await client.startThread();
        void client.startTurn(threadId, "go");
        await rounds(after);
        const told = client.got.length;
        await server.close();
        expect(client.got.length - told).toBeLessThanOrEqual(8);
        expect(server.failures.map(String)).toEqual([]);
      }),
      { seed: 20, numRuns: 60 },
    );
  },
);
