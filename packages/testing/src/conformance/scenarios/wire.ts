import { ConnectionClosedError } from "codexwright/rpc";
import { reply } from "../../model-steps.ts";
import { expectMatch, expectRejection, expectThat } from "../expect.ts";
import type { RawChannel } from "../raw.ts";
import type { Scenario } from "../scenario.ts";
import { eventsOf, pause, scenario, send, since } from "../steps.ts";

const SEPARATORS = "one\u2028two\u2029three\u0085four\r\nfive \u{1f600} \u0000 end";

const READ = { includeLayers: false };

/** More requests than a server queues, but few enough for a loaded machine. */
const FLOOD = 400;

/** Sends more requests than the server can queue. Whether the server is really overloaded depends on the machine. */
async function flooded(raw: RawChannel): Promise<void> {
  const refused = raw.until(({ error }) => error !== undefined);
  for (let id = 0; id < FLOOD; id++) {
    raw.send({ id, method: "config/read", params: READ }).catch(() => {});
  }
  const { error } = await Promise.race([refused, raw.until(({ id }) => id === FLOOD - 1)]);
  const overloaded = { code: -32001, message: "Server overloaded; retry later.", data: undefined };
  if (error) expectMatch(error, overloaded, "the rejection");
  await served(raw);
}

/** Resolves once the server answers with a result again. */
async function served(raw: RawChannel): Promise<void> {
  for (let n = 0; ; n++) {
    const answer = await Promise.race([raw.ask(`later ${n}`, "thread/loaded/list", {}), pause(500)]);
    if (answer?.result) return;
  }
}

export const WIRE: readonly Scenario[] = [
  scenario("wire.ids", "returns ids unchanged, whether numbers or strings", {
    model: [],
    run: async (world) => {
      const raw = await world.raw();
      await raw.initialize();
      for (const id of ["abc", "", -5, 0, 9_007_199_254_740_991, "7"]) {
        const { id: back, result } = await raw.ask(id, "thread/loaded/list", {});
        expectThat(
          back === id,
          `the id ${JSON.stringify(id)} is returned unchanged, not as ${JSON.stringify(back)}`,
        );
        expectMatch(result, { data: [] }, "the result");
      }
    },
  }),
  scenario(
    "wire.members",
    "sends messages without a jsonrpc member, and accepts requests with that member or with unknown ones",
    {
      model: [],
      run: async (world) => {
        const raw = await world.raw();
        await raw.initialize();
        await raw.send('{"jsonrpc":"2.0","id":1,"method":"thread/loaded/list","params":{},"more":[1]}\r');
        const answer = await raw.until(({ id }) => id === 1);
        expectMatch(answer.result, { data: [] }, "the result");
        for (const message of raw.received) expectThat(!("jsonrpc" in message), "no message has jsonrpc");
      },
    },
  ),
  scenario(
    "wire.bad-lines",
    "does not answer lines that are not messages, and serves the lines around them",
    {
      model: [],
      run: async (world) => {
        const raw = await world.raw();
        await raw.initialize();
        for (const line of ["{not json", "[]", '[{"id":3,"method":"thread/loaded/list"}]', "42", "null"]) {
          await raw.send(line);
        }
        await raw.send('{"id":null,"method":"thread/loaded/list","params":{}}');
        await raw.send('{"id":1.5,"method":"thread/loaded/list","params":{}}');
        const { result } = await raw.ask(1, "thread/loaded/list", {});
        expectMatch(result, { data: [] }, "the result");
        const answers = raw.received.filter(({ method }) => method === undefined);
        expectMatch(answers, [{ id: "initialize" }, { id: 1 }], "all answers");
      },
    },
  ),
  scenario("wire.stray-answers", "ignores answers that match no request, and unknown notifications", {
    model: [],
    run: async (world) => {
      const raw = await world.raw();
      await raw.initialize();
      await raw.send({ id: 77, result: { decision: "accept" } });
      await raw.send({ id: "x", error: { code: -1, message: "no" } });
      await raw.send({ method: "no/such/notification", params: {} });
      expectMatch((await raw.ask(1, "thread/loaded/list", {})).result, { data: [] }, "the result");
    },
  }),
  scenario(
    "wire.separators",
    "passes Unicode line separators, emoji and control characters unchanged in both directions",
    {
      model: ({ lastUserText }) => reply(`heard ${lastUserText}`, { deltas: 5 }),
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread({ ephemeral: true });
        const turn = thread.turn(SEPARATORS);
        const events = await eventsOf(turn);
        const text = events
          .map((event) => (event.method === "item/agentMessage/delta" ? event.params.delta : ""))
          .join("");
        expectThat(text === `heard ${SEPARATORS}`, "the deltas add up to the text");
        expectThat((await turn.completed).agentMessage === text, "the message is the text");
        expectThat(world.model.requests[0]?.lastUserText === SEPARATORS, "the model got the text");
      },
    },
  ),
  scenario("wire.huge", "passes lines of a megabyte in both directions", {
    model: ({ lastUserText }) => reply("ä".repeat(lastUserText.length), { deltas: 1 }),
    run: async (world) => {
      const codex = await world.connect();
      const thread = await codex.startThread({ ephemeral: true });
      const { agentMessage } = await thread.run("x".repeat(1_000_000));
      expectThat(agentMessage === "ä".repeat(1_000_000), "the answer is as long as the question");
    },
  }),
  scenario(
    "wire.input-too-large",
    "rejects input of more than 1,048,576 characters with an error that has its size",
    {
      model: [],
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread({ ephemeral: true });
        const input = [{ type: "text" as const, text: "x".repeat(1_048_577) }];
        await expectRejection(
          codex.request("turn/start", { threadId: thread.id, input }),
          {
            rpcCode: -32602,
            data: { input_error_code: "input_too_large", max_chars: 1_048_576, actual_chars: 1_048_577 },
          },
          "a turn with too much text",
        );
      },
    },
    { since: "0.106.0" },
  ),
  scenario("wire.unknown-fields", "ignores unknown fields of params", {
    model: [],
    run: async (world) => {
      const codex = await world.connect();
      expectMatch(
        await send(codex, "thread/loaded/list", { noSuch: { field: 1 } }),
        { data: [] },
        "the result",
      );
    },
  }),
  scenario(
    "wire.params",
    "rejects omitted and null params if a method has params, and names what is wrong with invalid ones",
    {
      model: [],
      run: async (world) => {
        const raw = await world.raw();
        await raw.initialize();
        const none = await raw.ask(1, "thread/list");
        const message = "Invalid request: missing field `params`";
        expectMatch(none.error, { code: -32600, message }, "the rejection without params");
        const empty = await raw.ask(2, "thread/read", {});
        const missing = "Invalid request: missing field `threadId`";
        expectMatch(empty.error, { code: -32600, message: missing }, "the rejection without threadId");
        const wrong = await raw.ask(3, "thread/read", { threadId: 5 });
        const type = /^Invalid request: invalid type: integer `5`, expected a string/;
        expectMatch(wrong.error, { code: -32600, message: type }, "the rejection of a number");
        const variant = await raw.ask(4, "thread/start", { sandbox: "workspaceWrite" });
        const known = /^Invalid request: unknown variant `workspaceWrite`, expected one of `read-only`/;
        expectMatch(variant.error, { code: -32600, message: known }, "the rejection of another spelling");
      },
    },
  ),
  scenario(
    "wire.clock",
    "includes the server's time beside the params of every notification",
    {
      model: [reply("hello")],
      run: async (world) => {
        const codex = await world.connect();
        const stamps: unknown[] = [];
        for (const method of ["turn/started", "item/completed", "turn/completed"] as const) {
          codex.onNotification(method, (_params, { emittedAtMs }) => stamps.push(emittedAtMs));
        }
        await (await codex.startThread({ ephemeral: true })).run("hi");
        expectThat(stamps.length >= 4, "the notifications arrived");
        expectThat(
          stamps.every((stamp) => typeof stamp === "number" && Math.abs(stamp - Date.now()) < 60_000),
          "they have a time stamp",
        );
      },
    },
    { since: "0.145.0" },
  ),
  scenario("wire.burst", "answers hundreds of requests in a row, each once", {
    model: [],
    run: async (world) => {
      const codex = await world.connect();
      const answers = await Promise.all(
        Array.from({ length: 500 }, () => codex.request("thread/loaded/list", {})),
      );
      for (const answer of answers) expectMatch(answer, { data: [] }, "an answer");
    },
  }),
  scenario("wire.overload", "rejects requests that it cannot queue with -32001, and continues to serve", {
    model: [],
    run: async (world) => {
      const raw = await world.raw();
      await raw.initialize();
      await flooded(raw).catch(async (closed: unknown) => {
        // Older servers may close a socket that they cannot write to fast enough.
        if (since(world, "0.125.0") || !(closed instanceof ConnectionClosedError)) throw closed;
        const other = await world.raw();
        await other.initialize();
        await served(other);
      });
    },
  }),
];
