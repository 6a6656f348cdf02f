import { expect } from "vitest";
import { CodexClient, type CodexClientOptions, type Thread } from "codexwright";
import {
  applyPatch,
  exec,
  fail,
  gate,
  realAppServer,
  reasoning,
  reply,
  scriptedModel,
  type Gate,
  type ModelScript,
} from "@codexwright/testing";
import { websocket } from "codexwright/websocket";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { tcpProxy } from "@codexwright/test-support/tcp-proxy";
import { PINNED } from "@codexwright/test-support/world";

type Steps = Extract<ModelScript, readonly unknown[]>;

interface Options {
  readonly thread?: Parameters<CodexClient["startThread"]>[0];
  readonly onCut?: Pick<CodexClientOptions, "onApproval">;
  /** Options of the owner and of the client that is never disconnected. */
  readonly onWhole?: Pick<CodexClientOptions, "onApproval">;
}

/** Three clients on one thread: its owner, one whose connection can be cut, and one that is never disconnected. */
async function threeClients(steps: Steps, options: Options = {}) {
  const owned: AsyncDisposable[] = [];
  const own = <T extends AsyncDisposable>(each: T): T => {
    owned.unshift(each);
    return each;
  };
  const model = own(await scriptedModel([reply("warm"), ...steps]));
  const server = own(await realAppServer({ model, listen: "ws" }));
  const proxy = own(await tcpProxy(server.url));
  const { cwd, transport } = server.clientOptions;
  const { thread = { sandbox: "danger-full-access" }, onCut = {}, onWhole = {} } = options;
  const owner = own(await CodexClient.connect({ cwd, transport, ...onWhole }));
  const started = await owner.startThread(thread);
  await started.run("warm up");
  const cut = own(await CodexClient.connect({ transport: websocket(proxy.url), reconnect: {}, ...onCut }));
  const whole = own(await CodexClient.connect({ transport, ...onWhole }));
  const [back, ended] = [deferred(), deferred()];
  cut.on("reconnected", () => back.resolve());
  whole.on("turn:completed", () => ended.resolve());
  return {
    proxy,
    owner: started,
    cut: await cut.resumeThread(started.id),
    whole: await whole.resumeThread(started.id),
    back: back.promise,
    ended: ended.promise,
    /** Resolves when `cut` and `whole` have received everything that the server has sent. */
    async settled() {
      for (const client of [cut, whole]) await client.request("thread/loaded/list", {});
    },
    async [Symbol.asyncDispose]() {
      for (const each of owned) await each[Symbol.asyncDispose]();
    },
  };
}

const plain = (thread: Thread): unknown => JSON.parse(JSON.stringify(thread.state));

/**
 * `replays`: whether the server sends the whole turn to clients that return later. It does not send a turn's diff
 * again.
 */
const SCRIPTS: readonly { name: string; replays: boolean; steps: (held: Gate) => Steps }[] = [
  {
    name: "a command and a message",
    replays: true,
    steps: (held) => [
      [reasoning("thinking hard"), exec("echo one")],
      reply("a message", { deltas: ["a mes", held, "sage"] }),
    ],
  },
  {
    name: "a patch after a message",
    replays: false,
    steps: (held) => [
      [
        reply("first this", { deltas: ["first", held, " this"], phase: "commentary" }),
        applyPatch("*** Begin Patch\n*** Add File: new.txt\n+hi\n*** End Patch"),
      ],
      reply("done"),
    ],
  },
  {
    name: "a failure",
    replays: true,
    steps: (held) => [
      [reply("first", { deltas: ["fi", held, "rst"], phase: "commentary" }), exec("echo one")],
      fail(500),
    ],
  },
];

for (const { name, replays, steps } of SCRIPTS) {
  verifies(
    "sockets.reconnect",
    `a client that reconnects while a turn of ${name} still runs has the same state as the others`,
    async () => {
      const held = gate();
      await using world = await threeClients(steps(held));
      const turn = world.cut.turn("go");
      const outcome = rejection(turn.completed);
      // Wait until the client knows the turn's id. Without the id, the turn would end together with its request.
      await Promise.all([held.reached, turn.started]);
      world.proxy.cut();
      await world.back;
      expect(await outcome).toMatchObject({
        code: "turn_interrupted",
        recovered: true,
        turn: { status: "inProgress" },
      });
      expect(world.cut.state.activeTurnId).toBe(turn.id);
      expect(await rejection(world.cut.run("too early"))).toMatchObject({ code: "thread_busy" });
      held.open();
      await world.ended;
      await world.settled();
      expect(plain(world.cut)).toEqual(plain(world.whole));
      expect(world.cut.state.activeTurnId).toBe(undefined);
    },
    PINNED,
  );

  if (!replays) continue;
  verifies(
    "sockets.reconnect",
    `a client that reconnects after a turn of ${name} continued without it has the same state as the others`,
    async () => {
      const held = gate();
      await using world = await threeClients(steps(held));
      const turn = world.cut.turn("go");
      const outcome = rejection(turn.completed);
      await Promise.all([held.reached, turn.started]);
      world.proxy.cut();
      held.open();
      await world.ended;
      await world.back;
      expect(await outcome).toMatchObject({ code: "turn_interrupted", recovered: true });
      await world.settled();
      expect(plain(world.cut)).toEqual(plain(world.whole));
    },
    PINNED,
  );
}

verifies(
  ["sockets.reconnect", "requests.resolved"],
  "a client that loses its connection while an approval is open is asked again, and its answer counts",
  async () => {
    const asked = deferred();
    const calls: AbortSignal[] = [];
    const silent = ({ signal }: { signal: AbortSignal }): Promise<"decline"> =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve("decline")));
    await using world = await threeClients(
      [exec("echo one > made.txt", { justification: "to see" }), reply("done")],
      {
        thread: { sandbox: "read-only", approvalPolicy: "on-request" },
        onCut: {
          onApproval: (request) => {
            calls.push(request.signal);
            asked.resolve();
            return calls.length === 1 ? silent(request) : "accept";
          },
        },
        onWhole: { onApproval: silent },
      },
    );
    const turn = world.cut.turn("go");
    const outcome = rejection(turn.completed);
    await Promise.all([asked.promise, turn.started]);
    world.proxy.cut();
    expect(await outcome).toMatchObject({ code: "turn_interrupted", recovered: true });
    await world.ended;
    await world.settled();
    expect(calls.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(plain(world.cut)).toEqual(plain(world.whole));
    const { items, status } = world.cut.state.turns.at(-1) ?? {};
    expect([status, items?.find(({ item }) => item.type === "commandExecution")?.item]).toMatchObject([
      "completed",
      { status: "completed", exitCode: 0 },
    ]);
  },
  PINNED,
);

verifies(
  "sockets.reconnect",
  "a turn that another client runs while we are disconnected is in the state, and the next turn runs",
  async () => {
    const held = gate();
    await using world = await threeClients([
      reply("unseen", { deltas: ["un", held, "seen"] }),
      reply("next"),
    ]);
    world.proxy.cut();
    const other = world.owner.run("go");
    await held.reached;
    held.open();
    await Promise.all([other, world.ended, world.back]);
    await world.settled();
    expect(plain(world.cut)).toEqual(plain(world.whole));
    expect((await world.cut.run("next")).agentMessage).toBe("next");
  },
  PINNED,
);
