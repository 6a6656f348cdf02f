import { expect } from "vitest";
import type { WireMessage } from "codexwright/rpc";
import { deferred, until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { Hub } from "./hub.ts";

verifies(
  "cli.serve.fair",
  "rejects requests of a client that sends too many, and serves others in between",
  async () => {
    const slow = deferred<object>();
    await using hub = await Hub.open({
      "model/list": () => slow.promise,
      "thread/list": () => ({ data: [] }),
      "turn/interrupt": () => ({}),
    });
    const [flood, other] = [await hub.client(), await hub.client()];
    const hundred = (): Promise<WireMessage>[] =>
      Array.from({ length: 100 }, () => flood.ask("model/list", {}));
    const asked = hundred();
    await until(() => hub.paramsOf("model/list").length === 32);
    asked.push(...hundred());
    const refused = await Promise.race(asked);
    expect(refused.error).toEqual({ code: -32001, message: "Server overloaded; retry later." });
    expect((await other.ask("thread/list", {})).result).toEqual({ data: [] });
    expect((await flood.ask("turn/interrupt", { threadId: "t", turnId: "u" })).result).toEqual({});
    expect(hub.paramsOf("model/list")).toHaveLength(32);
    slow.resolve({ data: [] });
    const answers = await Promise.all(asked);
    const served = answers.filter(({ error }) => error === undefined).length;
    expect(served).toBe(32 + 128);
    expect(hub.paramsOf("model/list")).toHaveLength(served);
    expect((await flood.ask("thread/list", {})).result).toEqual({ data: [] });
  },
);

verifies("cli.serve.fair", "does not send queued requests of a client that has left", async () => {
  const slow = deferred<object>();
  await using hub = await Hub.open({ "model/list": () => slow.promise, "thread/list": () => ({ data: [] }) });
  const [flood, other] = [await hub.client(), await hub.client()];
  for (let each = 0; each < 100; each++) void flood.ask("model/list", {});
  await until(() => hub.reached.length === 32);
  await flood.hangUp();
  expect((await other.ask("thread/list", {})).result).toEqual({ data: [] });
  slow.resolve({});
  await other.settled();
  expect(hub.paramsOf("model/list")).toHaveLength(32);
});
