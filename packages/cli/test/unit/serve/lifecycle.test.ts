import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { websocket } from "codexwright/websocket";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import type { CommandError } from "../../../src/shared/command-error.ts";
import { Serving, token } from "./serving.ts";

const connect = (url: string): Promise<CodexClient> =>
  CodexClient.connect({ transport: websocket(url, { token }) });

verifies(
  "cli.serve.lost",
  "without --restart, `serve` ends with a message and advice if the app-server is lost",
  async () => {
    const serving = new Serving(false);
    const { url } = await serving.next("serving");
    const client = await connect(url);
    const gone = new Promise<void>((resolve) => client.on("exit", () => resolve()));
    client.on("error", () => {});
    serving.cut();
    const error = (await rejection(serving.ended)) as CommandError;
    expect(error.code).toBe("upstream_lost");
    expect(error.exitCode).toBe(1);
    expect(error.advice.join(" ")).toContain("--restart");
    await gone;
    await client.disconnect();
  },
);

verifies(
  "cli.serve.lost",
  "with --restart, clients find a new app-server at the same address, up to a limit",
  async () => {
    const serving = new Serving(true);
    const { url } = await serving.next("serving");
    const restarted = serving.next("restarted");
    serving.cut();
    await restarted;
    const client = await connect(url);
    expect((await client.request("model/list", {})).data).toEqual([]);
    await client.disconnect();
    for (let losses = 2; losses <= 5; losses++) {
      const again = serving.next("restarted");
      serving.cut();
      await again;
    }
    serving.cut();
    expect(((await rejection(serving.ended)) as CommandError).code).toBe("upstream_lost");
  },
);

verifies("cli.serve.shutdown", "stopping closes the address and reports it", async () => {
  const serving = new Serving(false);
  const { url } = await serving.next("serving");
  serving.stop.abort();
  await serving.ended;
  expect(serving.events.map(({ type }) => type)).toEqual(["serving", "stopping", "stopped"]);
  expect(((await rejection(connect(url))) as { code: string }).code).toBe("connection_closed");
});
