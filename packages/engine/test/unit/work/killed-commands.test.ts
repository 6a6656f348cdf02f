import { expect } from "vitest";
import { EngineServer, type Shell } from "@codexwright/engine";
import { deferred } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { call, completed, message, modelOf, optionsOf } from "../ports.ts";
import { RawClient } from "../raw-client.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A command that has written "early", and whose "late" is still in its pipe when it is killed. It may not end then. */
function unreadShell(ends: boolean): Shell {
  return {
    start: ({ onData }) => {
      onData(bytes("early, "), "stdout");
      const exited = deferred<number>();
      return Promise.resolve({
        exitCode: undefined,
        exited: exited.promise,
        write: () => Promise.resolve(),
        end() {},
        kill: () =>
          void setImmediate(() => {
            onData(bytes("late"), "stdout");
            if (ends) exited.resolve(137);
          }),
      });
    },
  };
}

/** Runs a turn that leaves a command behind, ends the command by this method, and returns its item. */
async function itemAfter(method: string, shell: Shell): Promise<unknown> {
  const exec = [call("c1", "exec_command", { cmd: "make", yield_time_ms: 250 }), completed];
  const config = { model: "own-model", sandboxMode: "danger-full-access", approvalPolicy: "never" } as const;
  const model = modelOf(exec, [...message("m", "done"), completed]);
  await using server = new EngineServer(optionsOf(model, { shell, config }));
  const client = await RawClient.connect(server);
  const threadId = await client.startThread();
  await client.startTurn(threadId, "go");
  await client.told("turn/completed");
  const items = (): unknown[] =>
    client
      .all("item/completed")
      .flatMap(({ params }) => (params?.item?.type === "commandExecution" ? [params.item] : []));
  expect(items()).toEqual([]);
  await client.call(method, { threadId });
  for (let seen = 1; items().length === 0; seen++) await client.told("item/completed", seen);
  expect(server.failures).toEqual([]);
  await client.close();
  expect(items()).toHaveLength(1);
  return items()[0];
}

verifies(
  "engine.exec.background",
  "a command that is killed keeps the output that it had written and that was not read yet",
  async () => {
    for (const method of ["thread/backgroundTerminals/clean", "thread/archive", "thread/delete"]) {
      const item = await itemAfter(method, unreadShell(true));
      expect(item).toMatchObject({ exitCode: -1, aggregatedOutput: "early, late", status: "failed" });
    }
  },
);

verifies("engine.exec.background", "a command that a kill does not end completes all the same", async () => {
  const item = await itemAfter("thread/backgroundTerminals/clean", unreadShell(false));
  expect(item).toMatchObject({ exitCode: -1, aggregatedOutput: "early, late", status: "failed" });
});
