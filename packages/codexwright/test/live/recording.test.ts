import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { CodexClient, jsonSchema, tool, type CodexError } from "codexwright";
import { stdio } from "codexwright/stdio";
import {
  exec,
  fail,
  hang,
  realAppServer,
  reply,
  scriptedModel,
  toolCall,
  type ModelScript,
  type RealAppServer,
} from "@codexwright/testing";
import { compareTranscripts, NOISE, normalize, readRecording, record, replay } from "codexwright/recording";
import type { TransportFactory } from "codexwright/rpc";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { leaks } from "../unit/recording/secrets.ts";
import { ACCOUNT, accessToken, chatgptBackend } from "./chatgpt-backend.ts";
import { killAll, PINNED, processesOf } from "@codexwright/test-support/world";

/** A file that is removed at the end of the test. */
function recordingFile(): { readonly file: string } & Disposable {
  const folder = mkdtempSync(path.join(tmpdir(), "codexwright-recording-"));
  return {
    file: path.join(folder, "session.ndjson"),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

function transportOf({ clientOptions }: RealAppServer, env: Record<string, string> = {}): TransportFactory {
  const { codexPath, codexHome, cwd } = clientOptions;
  return stdio({ codexPath, codexHome, cwd, env: { ...clientOptions.env, ...env } });
}

verifies(
  "recording.secrets",
  "logins, a turn with secrets in its environment and a token refresh leave no secrets in the file",
  async () => {
    using temp = recordingFile();
    const key = "sk-live-test-secret-key-4711";
    const tokens = [accessToken("old"), accessToken("renewed")];
    const inThread = "value in thread config 1";
    const inServer = "hunter2 of the server";
    const inCommand = "plain-looking-command-secret";
    const given = "the caller's own secret";
    const secrets = [key, ...tokens, inThread, inServer, inCommand, given, "somebody@example.test"];
    let refreshed = 0;
    const script: ModelScript = ({ index }) =>
      [
        exec(
          `echo "$DEPLOY_TOKEN"; echo "$SERVICE_PASSWORD" | base64; env; echo "${given}"; sleep 0.1; echo "$DEPLOY_TOKEN"`,
        ),
        reply(`It says ${inThread}, ${given} and ${key}.`, { deltas: 40 }),
        fail(401),
        reply("welcome"),
      ][index] ?? reply("more");
    await using backend = await chatgptBackend();
    await using model = await scriptedModel(script);
    await using server = await realAppServer({
      model,
      sandbox: "danger-full-access",
      config: `chatgpt_base_url = "${backend.url}"\n[model_providers.mock]\nrequires_openai_auth = true\n[shell_environment_policy]\nignore_default_excludes = true\n`,
    });
    const transport = record(transportOf(server, { SERVICE_PASSWORD: inServer }), temp.file, {
      secrets: [given, inServer],
    });
    const codex = await CodexClient.connect({
      transport,
      cwd: server.workspace,
      sandbox: "danger-full-access",
      refreshTokens: () => {
        refreshed++;
        return { accessToken: tokens[1] ?? "", chatgptAccountId: ACCOUNT, chatgptPlanType: "pro" };
      },
    });
    try {
      await codex.login.apiKey(key);
      const thread = await codex.startThread({
        config: { "shell_environment_policy.set": { DEPLOY_TOKEN: inThread } },
      });
      const { items, agentMessage } = await thread.run("go");
      // Only the file is redacted: the client and the model still receive the secrets.
      expect(agentMessage).toContain(key);
      expect(JSON.stringify(items)).toContain(inThread);
      const { stdout } = await codex.exec(["sh", "-c", 'echo "$NAME"'], {
        env: { NAME: inCommand, OTHER_TOKEN: inCommand },
      }).result;
      expect(stdout).toContain(inCommand);

      await codex.login.tokens({ accessToken: tokens[0] ?? "", chatgptAccountId: ACCOUNT });
      await codex.account();
      await thread.run("again").catch(() => {});
      expect(refreshed).toBe(1);
    } finally {
      await codex.disconnect();
    }
    const text = readFileSync(temp.file, "utf8");
    const decoded = text.replaceAll(/[A-Za-z0-9+/_-]{12,}=*/g, (each) =>
      Buffer.from(each, "base64").toString(),
    );
    expect([...leaks(text, secrets), ...leaks(decoded, secrets)]).toEqual([]);
    for (const method of [
      "account/login/start",
      "command/exec",
      "account/chatgptAuthTokens/refresh",
      "item/agentMessage/delta",
    ])
      expect(text).toContain(`"method":"${method}"`);
    expect(text).toContain("[redacted:1]");
    expect((await readRecording(temp.file)).at(-1)).toMatchObject({ closed: { by: "client", exitCode: 0 } });
  },
  PINNED,
);

/** A turn with one of our tools, a command that needs an approval, and text in pieces. */
async function session(
  transport: TransportFactory,
  cwd: string,
): Promise<{ result: unknown; state: unknown }> {
  const lookup = tool({
    name: "lookup",
    description: "Looks something up",
    input: jsonSchema({ type: "object", properties: { q: { type: "string" } } }),
    run: () => "found it",
  });
  await using codex = await CodexClient.connect({
    transport,
    cwd,
    approvalPolicy: "untrusted",
    onApproval: () => "accept",
  });
  const thread = await codex.startThread({ tools: [lookup] });
  const result = await thread.run("go");
  return { result, state: thread.state };
}

const SESSION: ModelScript = [
  toolCall("lookup", { q: "x" }),
  exec("echo done > file.txt && cat file.txt"),
  reply("Everything is done.", { deltas: 7 }),
];

verifies(
  ["recording.replay", "recording.normalize", "recording.compare"],
  "replays a turn of the real server with the same result and state, and two runs have the same transcript",
  async () => {
    const transcripts = [];
    for (let run = 0; run < 2; run++) {
      using temp = recordingFile();
      await using model = await scriptedModel(SESSION);
      await using server = await realAppServer({ model, approvalPolicy: "untrusted" });
      const lived = await session(record(transportOf(server), temp.file), server.workspace);
      expect(lived.result).toMatchObject({ agentMessage: "Everything is done." });
      for (let again = 0; again < 2; again++) {
        await using recorded = replay(temp.file);
        const replayed = await session(recorded, server.workspace);
        await recorded.done;
        expect(JSON.stringify(replayed)).toBe(JSON.stringify(lived));
        expect(replayed).toEqual(lived);
      }
      transcripts.push(normalize(await readRecording(temp.file), { drop: NOISE }));
    }
    const [first = [], second = []] = transcripts;
    expect(compareTranscripts(first, second).map(({ text }) => text)).toEqual([]);
    expect(first.length).toBeGreaterThan(25);
    expect(JSON.stringify(first)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-7|AtMs|\/tmp\//);
  },
  PINNED,
);

verifies(
  ["recording.format", "recording.replay"],
  "a server that is lost and replaced is recorded as two connections; in the replay it is also lost and replaced",
  async () => {
    using temp = recordingFile();
    await using model = await scriptedModel(({ lastUserText }) =>
      lastUserText === "first" ? [reply("one", { deltas: 2 }), hang()] : reply("two"),
    );
    await using server = await realAppServer({ model });
    const program = async (transport: TransportFactory, kill: () => void): Promise<unknown[]> => {
      await using codex = await CodexClient.connect({ transport, cwd: server.workspace, reconnect: {} });
      const thread = await codex.startThread();
      const turn = thread.turn("first");
      const stop = codex.onNotification("item/completed", ({ item }) => {
        if (item.type === "agentMessage") kill();
      });
      const lost = await rejection(turn.completed);
      stop();
      const { agentMessage } = await thread.run("second");
      return [(lost as CodexError).code, agentMessage, thread.state.turns.map(({ status }) => status)];
    };
    const lived = await program(record(transportOf(server), temp.file), () =>
      killAll(processesOf(server.root)),
    );
    expect(lived).toEqual(["turn_interrupted", "two", ["interrupted", "completed"]]);
    const recording = await readRecording(temp.file);
    const ends = recording.filter((line) => "closed" in line);
    expect(ends).toMatchObject([
      { connection: 1, closed: { by: "server", exitSignal: "SIGKILL" } },
      { connection: 2, closed: { by: "client", exitCode: 0 } },
    ]);
    await using recorded = replay(recording);
    expect(await program(recorded, () => {})).toEqual(lived);
    await recorded.done;
  },
  PINNED,
);
