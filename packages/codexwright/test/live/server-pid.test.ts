import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { record } from "codexwright/recording";
import { stdio } from "codexwright/stdio";
import { realAppServer, scriptedModel } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";
import { killAll, serversOf, world } from "@codexwright/test-support/world";

const PINNED = { against: "pinned" } as const;

verifies(
  "client.server-pid",
  "serverPid is the process of the server, of the next server after a loss, and undefined before and after",
  async () => {
    await using live = await world([], { client: { reconnect: {} } });
    const { codex, server } = live;
    const first = codex.serverPid;
    expect(serversOf(server.root)).toEqual([first]);
    const reconnected = new Promise((resolve) => codex.on("reconnected", resolve));
    const gone = new Promise<number | undefined>((resolve) =>
      codex.on("exit", () => resolve(codex.serverPid)),
    );
    killAll([first as number]);
    expect(await gone).toBeUndefined();
    await reconnected;
    expect(codex.serverPid).not.toBe(first);
    expect(serversOf(server.root)).toEqual([codex.serverPid]);
    await codex.disconnect();
    expect(codex.serverPid).toBeUndefined();
    expect(new CodexClient(server.clientOptions).serverPid).toBeUndefined();
  },
  PINNED,
);

verifies(
  "client.server-pid",
  "serverPid is undefined behind a socket, and passes through a recording",
  async () => {
    await using model = await scriptedModel([]);
    await using listening = await realAppServer({ model, listen: "unix" });
    await using far = await CodexClient.connect(listening.clientOptions);
    expect(far.serverPid).toBeUndefined();
    await using server = await realAppServer({ model });
    const { codexPath, codexHome, env, ...rest } = server.clientOptions;
    const lines: object[] = [];
    const transport = record(
      stdio({ codexPath, codexHome, env, cwd: rest.cwd }),
      (line) => void lines.push(line),
    );
    const near = new CodexClient({ ...rest, transport });
    await near.connect();
    expect(serversOf(server.root)).toEqual([near.serverPid]);
    await near.disconnect();
  },
  PINNED,
);
