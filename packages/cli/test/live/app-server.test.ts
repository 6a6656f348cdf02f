import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { unixSocket } from "codexwright/unix";
import { websocket } from "codexwright/websocket";
import { exec, gate, realAppServer, reply, scriptedModel, type ModelScript } from "@codexwright/testing";
import { rejection, until } from "@codexwright/test-support/events";
import { signed } from "@codexwright/test-support/jwt";
import { verifies } from "@codexwright/test-support/verifies";
import { processesOf } from "@codexwright/test-support/world";
import { command, COMMAND, start } from "../support/command.ts";
import { RunningCommand, runCommand } from "../support/json-command.ts";

const HELLO = reply("Hello.");

/** Folders and a scripted model for the command, as for a real server. */
async function world(script: ModelScript) {
  const model = await scriptedModel(script);
  const place = await realAppServer({ model, codexPath: COMMAND });
  const { env, cwd, codexHome } = place.clientOptions;
  return {
    model,
    place,
    options: { cwd, env: { ...env, CODEX_HOME: codexHome } },
    async [Symbol.asyncDispose]() {
      await place.close();
      await model.close();
    },
  };
}

verifies("cli.app-server", "runs a turn with a command for a client that starts it as `codex`", async () => {
  await using own = await world([exec("echo made >made.txt"), reply("Done.")]);
  const { clientOptions, workspace, codexHome } = own.place;
  const config = { model: "other-model", features: { some_feature: true } };
  await using codex = await CodexClient.connect({ ...clientOptions, config, sandbox: "danger-full-access" });
  expect(codex.server.codexHome).toBe(codexHome);
  const thread = await codex.startThread();
  expect((await thread.run("make it")).agentMessage).toBe("Done.");
  expect(readFileSync(path.join(workspace, "made.txt"), "utf8")).toBe("made\n");
  expect(own.model.requests.map(({ model }) => model)).toEqual(["other-model", "other-model"]);
});

verifies("cli.app-server", "takes settings before and after its name, as `codex` does", async () => {
  await using own = await world([HELLO]);
  const args = [
    "-c",
    "model=first",
    "--enable=x",
    "app-server",
    "--config",
    'model="second"',
    "--disable",
    "y",
  ];
  const running = start(args, { ...own.options, stdin: { open: true } });
  const request = (id: number, method: string, params: object): void =>
    running.write(`${JSON.stringify({ id, method, params })}\n`);
  request(0, "initialize", { clientInfo: { name: "t", version: "1" } });
  request(1, "thread/start", {});
  await running.shows('"model":"second"');
  running.endStdin();
  expect(await running.done).toMatchObject({ exitCode: 0, stderr: "" });
});

verifies("cli.app-server.end", "ends with stdin or a signal, and ends its commands", async () => {
  for (const end of ["stdin", "SIGTERM", "SIGINT"] as const) {
    await using own = await world([exec("sleep 10061")]);
    const running = start(["app-server"], { ...own.options, stdin: { open: true } });
    const request = (id: number, method: string, params: object): void =>
      running.write(`${JSON.stringify({ id, method, params })}\n`);
    request(0, "initialize", { clientInfo: { name: "t", version: "1" } });
    request(1, "thread/start", { sandbox: "danger-full-access", approvalPolicy: "never" });
    await running.shows('"id":1');
    const threadId = /"thread":\{"id":"([^"]+)"/.exec(running.stdout)?.[1];
    request(2, "turn/start", { threadId, input: [{ type: "text", text: "wait" }] });
    await running.shows("commandExecution");
    if (end === "stdin") running.endStdin();
    else running.kill(end);
    expect(await running.done).toMatchObject({ exitCode: 0, stderr: "" });
    await until(() => processesOf(own.place.root).length === 0);
  }
});

verifies(["cli.app-server", "cli.app-server.auth"], "listens on a websocket that needs a token", async () => {
  await using own = await world(() => HELLO);
  const file = path.join(own.place.root, "token");
  const secretFile = path.join(own.place.root, "secret");
  const secret = "a secret that is long enough to sign with";
  writeFileSync(secretFile, secret, { mode: 0o600 });
  const listen = ["app-server", "--json", "--listen", "ws://127.0.0.1:0"];
  const exp = Math.floor(Date.now() / 1000) + 60;
  const jwt = (): string => signed({ exp, iss: "i", aud: "a" }, secret);
  const token = (): string => readFileSync(file, "utf8").trim();
  const jwtFlags = ["--jwt-secret-file", secretFile, "--jwt-issuer", "i", "--jwt-audience", "a"];
  const bearer = ["--ws-auth", "signed-bearer-token", "--ws-shared-secret-file", secretFile];
  const ways: readonly (readonly [readonly string[], () => string])[] = [
    [["--token-file", file], token],
    [["--ws-auth", "capability-token", "--ws-token-file", file], token],
    [jwtFlags, jwt],
    [[...bearer, "--ws-issuer", "i", "--ws-audience", "a"], jwt],
  ];
  for (const [flags, right] of ways) {
    await using running = new RunningCommand([...listen, ...flags], own.options);
    const { url } = await running.line("serving");
    await using codex = await CodexClient.connect({
      transport: websocket(String(url), { token: right() }),
      cwd: own.place.workspace,
    });
    expect((await (await codex.startThread()).run("hi")).agentMessage).toBe("Hello.");
    for (const wrong of [undefined, "wrong"]) {
      const refused = CodexClient.connect({ transport: websocket(String(url), { token: wrong }) });
      expect(await rejection(refused)).toMatchObject({ code: "auth_failed" });
    }
  }
});

verifies("cli.app-server.auth", "refuses an address that other machines can reach without auth", async () => {
  await using own = await world([]);
  for (const url of ["ws://0.0.0.0:0", "ws://[::]:0", "ws://192.0.2.1:0", "ws://example.com:0"]) {
    const { code, lines } = await runCommand(["app-server", "--json", "--listen", url], own.options);
    expect({ url, code, lines }).toMatchObject({ url, code: 2, lines: [{ type: "error" }] });
  }
});

verifies("cli.app-server", "prints the address of a listener like `codex app-server`", async () => {
  await using own = await world([]);
  const running = start(["app-server", "--listen", "ws://127.0.0.1:0"], own.options);
  await running.shows("listening on: ws://127.0.0.1:", "stderr");
  await running.shows("--token-file", "stderr");
  running.kill("SIGTERM");
  expect(await running.done).toMatchObject({ exitCode: 0, stdout: "" });
});

verifies("cli.app-server.end", "a listener waits for running turns until a second signal", async () => {
  for (const isForced of [false, true]) {
    const held = gate();
    await using own = await world([[held, HELLO]]);
    const socket = path.join(own.place.root, "s.sock");
    const listen = ["app-server", "--json", "--listen", `unix://${socket}`];
    await using running = new RunningCommand(listen, own.options);
    await running.line("serving");
    await using codex = await CodexClient.connect({
      transport: unixSocket(socket),
      cwd: own.place.workspace,
    });
    codex.on("error", () => {});
    const turn = (await codex.startThread()).turn("slow");
    const outcome = turn.completed.then(
      ({ agentMessage }) => agentMessage,
      (error: { code: string }) => error.code,
    );
    await held.reached;
    running.kill("SIGTERM");
    await running.line("stopping");
    if (isForced) running.kill("SIGTERM");
    else held.open();
    expect(await outcome).toBe(isForced ? "connection_closed" : "Hello.");
    expect(await running.exit).toBe(isForced ? 130 : 0);
    expect(running.lines.at(-1)).toEqual({ type: "stopped", forced: isForced });
    expect(existsSync(socket)).toBe(false);
    held.open();
  }
});

verifies("cli.app-server", "refuses what it cannot do, and says so", async () => {
  await using own = await world([]);
  for (const [args, text] of [
    [["--listen", "off"], "--listen is off"],
    [["--listen", "unix://"], "--listen is unix://"],
    [["--strict-config"], "--strict-config"],
    [["daemon"], "too many arguments"],
    [["-c", "model"], "must be key=value"],
    [["--enable", "a b"], "not the name of a feature"],
  ] as const) {
    const { exitCode, stdout, stderr } = await command(["app-server", ...args], own.options);
    expect({ args, exitCode, stdout }).toEqual({ args, exitCode: 2, stdout: "" });
    expect(stderr).toContain(text);
  }
});
