import fc from "fast-check";
import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { memoryPair, type Transport } from "codexwright/rpc";
import { EngineServer, type ModelEvent, type ModelProvider } from "@codexwright/engine";
import { engineDefaults } from "@codexwright/engine/node";
import { until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { completed, message } from "../ports.ts";
import { temporaryPlace } from "./place.ts";

/** Params that are valid in parts, so that they get past the first checks. */
function params(threadId: string, folder: string): fc.Arbitrary<unknown> {
  const value = fc.oneof(
    fc.constantFrom<unknown>(
      threadId,
      folder,
      `${folder}/none`,
      "",
      "/",
      "\0",
      "..",
      null,
      0,
      -1,
      1e308,
      true,
    ),
    fc.constantFrom<unknown>([], {}, ["true"], [{ type: "text", text: "x" }], { type: "dangerFullAccess" }),
    fc.jsonValue({ maxDepth: 3 }),
  );
  const names = [
    ["threadId", "turnId", "expectedTurnId", "itemId", "processId", "processHandle", "sessionId", "watchId"],
    ["cwd", "path", "sourcePath", "destinationPath", "roots", "query", "limit", "cursor", "model", "input"],
    ["command", "dataBase64", "deltaBase64", "timeoutMs", "tty", "size", "approvalPolicy", "sandbox", "key"],
    ["value", "keyPath", "edits", "mergeStrategy", "name", "numTurns", "beforeTurnId", "items", "config"],
  ].flat();
  const fields = fc.dictionary(fc.constantFrom(...names, "__proto__", "constructor"), value, { maxKeys: 6 });
  return fc.oneof({ weight: 5, arbitrary: fields }, value);
}

interface Line {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: { readonly thread?: { readonly id: string } };
}

/** A client that sends any line and counts the answers. */
class Hostile {
  readonly answers: Line[] = [];
  closed = false;
  readonly #transport: Transport;
  #next = 1;

  constructor(transport: Transport) {
    this.#transport = transport;
    transport.open({
      line: (text) => {
        const line = JSON.parse(text) as Line;
        if (line.method === undefined) this.answers.push(line);
      },
      closed: () => (this.closed = true),
    });
    this.ask("initialize", {
      clientInfo: { name: "h", version: "1" },
      capabilities: { experimentalApi: true },
    });
  }

  ask(method: string, given: unknown): void {
    this.send(JSON.stringify({ id: this.#next++, method, params: given }));
  }

  send(line: string): void {
    this.#transport.send(line).catch(() => {});
  }

  get asked(): number {
    return this.#next - 1;
  }
}

verifies(
  "security.s88",
  "whatever a client asks for, the turns of other clients complete",
  async () => {
    await using place = temporaryPlace();
    const held: (() => void)[] = [];
    const provider: ModelProvider = {
      id: "own",
      models: () => Promise.resolve([]),
      async *stream(_request, signal): AsyncGenerator<ModelEvent> {
        await new Promise<void>((resolve) => {
          held.push(resolve);
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
        signal.throwIfAborted();
        yield* [...message("m", "done"), completed];
      },
    };
    const { home, work: cwd } = place;
    // Commands, files and requests to other addresses are what a client may do, so they are not part of this test.
    const shell = { start: () => Promise.reject(new Error("no commands here")) };
    await using server = new EngineServer(
      await engineDefaults({ provider, home, cwd, shell, env: { HOME: home } }),
    );
    const connect = (): Transport => {
      const [near, far] = memoryPair();
      server.accept(far);
      return near;
    };
    await using codex = await CodexClient.connect({ transport: connect, approvalPolicy: "never" });
    const thread = await codex.startThread();
    const turn = thread.turn("wait");
    await until(() => held.length === 1);

    const methods = server.methods.filter(
      (method) => !/^(?:fs|command|process|turn\/interrupt)/.test(method),
    );
    const hostile = new Hostile(connect());
    const random = fc.sample(fc.tuple(fc.constantFrom(...methods), params("none", cwd)), {
      numRuns: 1_500,
      seed: 88,
    });
    for (const [at, [method, given]] of random.entries()) {
      hostile.ask(method, given);
      // Lets the server answer now and then, as a client that reads would.
      if (at % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    for (const line of [
      "",
      "null",
      "[]",
      "{",
      '{"id":{},"method":"x"}',
      "[".repeat(5_000),
      '{"id":1,"result":{}}',
    ]) {
      hostile.send(line);
    }
    for (const release of held) release();
    await until(() => hostile.closed || hostile.answers.length >= hostile.asked);
    for (const release of held) release();
    expect((await turn.completed).agentMessage).toBe("done");
    expect(server.failures.length).toBeLessThanOrEqual(100);
    // The server still serves new clients.
    await using late = await CodexClient.connect({ transport: connect });
    expect((await late.request("thread/loaded/list", {})).data).toContain(thread.id);
  },
  { timeoutMs: 60_000 },
);
