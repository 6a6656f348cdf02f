import { expect } from "vitest";
import { deferred, until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { Hub } from "./hub.ts";

/** Handlers that answer these methods with an empty object. */
const empty = (...methods: readonly string[]): Record<string, () => object> =>
  Object.fromEntries(methods.map((method) => [method, () => ({})]));

verifies("cli.serve.ids", "keeps equal ids apart, and ends the work of a client that leaves", async () => {
  const endless = deferred<object>();
  await using hub = await Hub.open({
    "command/exec": () => endless.promise,
    ...empty("command/exec/terminate"),
  });
  const [first, second] = [await hub.client(), await hub.client()];
  const params = { command: ["x"], processId: "p" };
  void first.ask("command/exec", params);
  void second.ask("command/exec", params);
  await until(() => hub.reached.length === 2);
  const [one, two] = hub.reached.map((each) => String(each.params["processId"]));
  expect(one).not.toBe(two);

  hub.upstream.broadcast("command/exec/outputDelta", { processId: one, deltaBase64: "" } as never);
  const { params: heard } = await first.told("command/exec/outputDelta");
  expect(heard).toMatchObject({ processId: "p" });
  expect(second.methods).not.toContain("command/exec/outputDelta");

  await first.hangUp();
  await until(() => hub.methods().includes("command/exec/terminate"));
  expect(hub.reached.at(-1)?.params).toEqual({ processId: one });
});

verifies(
  "cli.serve.ids",
  "adds an id to a command that has none, and ends the command when its client leaves",
  async () => {
    const running = deferred<object>();
    await using hub = await Hub.open({
      "command/exec": ({ command }: { command: string[] }) =>
        command[0] === "x" ? running.promise : { exitCode: 0 },
      ...empty("command/exec/terminate"),
    });
    const client = await hub.client();
    void client.ask("command/exec", { command: ["x"] });
    expect((await client.ask("command/exec", { command: ["y"], processId: null })).result).toEqual({
      exitCode: 0,
    });
    const [one, two] = hub.paramsOf("command/exec").map(({ processId }) => processId);
    expect(typeof one).toBe("string");
    expect(one).not.toBe(two);
    await client.hangUp();
    await until(() => hub.methods().includes("command/exec/terminate"));
    expect(hub.paramsOf("command/exec/terminate")).toEqual([{ processId: one }]);
  },
);

verifies(
  "cli.serve.ids",
  "when a client leaves, ends everything that it started, except what it ended itself",
  async () => {
    const kinds = [
      ["process/spawn", "process/kill", "processHandle"],
      ["fs/watch", "fs/unwatch", "watchId"],
      ["fuzzyFileSearch/sessionStart", "fuzzyFileSearch/sessionStop", "sessionId"],
      ["mcpServer/event/stream/start", "mcpServer/event/stream/stop", "subscriptionId"],
      ["thread/realtime/start", "thread/realtime/stop", "threadId"],
    ] as const;
    const rest = {
      command: ["x"],
      cwd: "/",
      path: "/x",
      roots: [],
      threadId: "t",
      server: "s",
      name: "n",
      arguments: {},
      outputModality: "text",
    };
    for (const [start, stop, field] of kinds) {
      await using hub = await Hub.open(empty(start, stop));
      const [client, other] = [await hub.client(), await hub.client()];
      for (const id of ["kept", "ended"]) {
        expect((await client.ask(start, { ...rest, [field]: id })).error).toBeUndefined();
      }
      await other.ask(start, { ...rest, [field]: "others" });
      await client.ask(stop, { [field]: "ended" });
      if (start === "process/spawn") {
        const [, ended] = hub.paramsOf(start);
        hub.upstream.broadcast("process/exited", { processHandle: ended?.[field], exitCode: 0 } as never);
        expect((await client.told("process/exited")).params).toMatchObject({ processHandle: "ended" });
      }
      const before = hub.paramsOf(stop).length;
      await client.hangUp();
      await until(() => hub.paramsOf(stop).length > before);
      await other.settled();
      expect(hub.paramsOf(stop).slice(before)).toEqual([{ [field]: hub.paramsOf(start)[0]?.[field] }]);
    }
  },
);

verifies(
  "cli.serve.ids",
  "if a second use of an id is rejected, the work of the first use still ends when its client leaves",
  async () => {
    let watches = 0;
    await using hub = await Hub.open({
      "fs/watch": () => {
        if (watches++ > 0) throw new Error("it exists");
        return {};
      },
      ...empty("fs/unwatch"),
    });
    const client = await hub.client();
    const watch = { path: "/x", watchId: "w" };
    expect((await client.ask("fs/watch", watch)).error).toBeUndefined();
    expect((await client.ask("fs/watch", watch)).error).toBeDefined();
    await client.hangUp();
    await until(() => hub.methods().includes("fs/unwatch"));
  },
);

verifies("cli.serve.ids", "cancels a request by the id that its own client chose", async () => {
  await using hub = await Hub.open({
    "thread/sample": () => new Promise<never>(() => {}),
    ...empty("thread/sample/cancel"),
  });
  const [first, second] = [await hub.client(), await hub.client()];
  const sample = { threadId: "t", expectedTurnId: "u", prompt: "p" };
  first.write({ id: "mine", method: "thread/sample", params: sample });
  second.write({ id: "mine", method: "thread/sample", params: sample });
  await until(() => hub.reached.length === 2);
  await second.ask("thread/sample/cancel", { requestId: "mine" });
  await second.ask("thread/sample/cancel", { requestId: 1 });
  await first.hangUp();
  await until(() => hub.paramsOf("thread/sample/cancel").length === 3);
  const [ofSecond, unknown, ofFirst] = hub.paramsOf("thread/sample/cancel").map(({ requestId }) => requestId);
  expect(typeof ofSecond).toBe("number");
  expect(typeof ofFirst).toBe("number");
  expect(ofSecond).not.toBe(ofFirst);
  expect(typeof unknown).toBe("string");
});
