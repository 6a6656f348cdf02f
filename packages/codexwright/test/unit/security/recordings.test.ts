import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { wireScript } from "@codexwright/testing";
import { parseRecording, readRecording, record, replay } from "codexwright/recording";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { cpuMs } from "./hostile.ts";
import { bodies, taped } from "../recording/wire.ts";
import { recordingOf } from "../recording/recordings.ts";

const HEADER = JSON.stringify(recordingOf()[0]);

verifies("security.s27", "rejects a file that is not a recording with a typed error", () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const entries = [
    "null",
    "[]",
    "{}",
    '"x"',
    deep,
    '{"connection":1e9}',
    '{"connection":1,"ms":0,"direction":"in"}',
    '{"connection":1,"ms":0,"closed":{}}',
    '{"connection":1,"ms":"0","direction":"in","text":""}',
    "\u0000",
    '{"connection":1,"ms":0,"__proto__":{"direction":"in","text":"x"}}',
  ];
  for (const text of [...entries, ...entries.map((entry) => `${HEADER}\n${entry}`)])
    expect(() => parseRecording(`${text}\n`)).toThrow(
      expect.objectContaining({ code: "recording_invalid" }) as Error,
    );
  expect(({} as { direction?: unknown }).direction).toBeUndefined();
});

verifies("security.s27", "a recording cannot make a replay take forever", async () => {
  const holes = Array.from({ length: 40 }, (_, index) => `[redacted:${index}]`).join("");
  const recording = recordingOf({ out: { id: 0, method: "initialize", params: { name: `${holes}!` } } });
  const transport = await replay(recording)(new AbortController().signal);
  const said = new Promise<string>((resolve) => {
    transport.open({ line: resolve, closed: ({ message }) => resolve(message) });
  });
  const message = { id: 0, method: "initialize", params: { name: "a".repeat(2_000) } };
  const spent = await cpuMs(async () => {
    await transport.send(JSON.stringify(message));
    expect(await said).toBeTypeOf("string");
  });
  expect(spent).toBeLessThan(5_000);
  await transport.close();
});

verifies("security.s27", "sends recorded messages only to the client", async () => {
  const hostile = {
    method: "item/completed",
    params: { __proto__: null, threadId: "../../etc", item: { path: "/etc/passwd" } },
  };
  const recording = recordingOf({ in: "\u001b]0;x\u0007 not JSON" }, { in: hostile }, { closed: "server" });
  const error = await rejection(
    CodexClient.connect({ transport: replay(recording), startupTimeoutMs: 2_000 }),
  );
  expect(error).toMatchObject({ code: expect.any(String) as string });
});

verifies("security.s28", "only its owner can read the file", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "codexwright-mode-"));
  try {
    const file = path.join(folder, "a.ndjson");
    using fake = wireScript({ script: [] });
    const transport = record(fake.transport, file);
    const codex = await CodexClient.connect({ transport });
    await codex.disconnect();
    await transport.flush();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await readRecording(file)).not.toHaveLength(0);
    expect(readFileSync(file, "utf8")).toContain("initialize");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const SECRET = "hUnter2Xyz99";
const LONG = "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb7c";

const SECRET_TEXTS = [
  `mysql -u root -p${SECRET} db`,
  `mysqldump -h db.example.test -p'${SECRET}' --all`,
  `mariadb -p"${SECRET}"`,
  `sshpass -p ${SECRET} ssh host`,
  `redis-cli -h cache -a ${SECRET} ping`,
  `MYSQL_PWD=${SECRET} mysql`,
  `machine example.test login me password ${SECRET}`,
  `machine h\n  login me\n  password ${SECRET}\n`,
  `default login anonymous password ${SECRET}`,
  `machine example.test password ${SECRET} login me`,
  `curl -u me:${SECRET} https://example.test`,
  `curl --user=me:${SECRET} x`,
  `curl --user "me:${SECRET}" x`,
  `https://me:${SECRET}@example.test/x`,
  `postgres://me:${SECRET}@db:5432/app`,
  `PGPASSWORD=${SECRET} psql`,
  `Authorization: Basic ${Buffer.from(`me:${SECRET}`).toString("base64")}`,
  `-H "Authorization: Bearer ${SECRET}"`,
  `sk-${LONG}`,
  `sk-proj-${LONG}`,
  `ghp_${LONG}`,
  `github_pat_${LONG}`,
  `xoxb-1-${LONG}`,
  `xapp-1-${LONG}`,
  `AKIAIOSFODNN7EXAMPLE`,
  `aws_secret_access_key = ${LONG}`,
  `npm_${LONG}`,
  `hf_${LONG}`,
  `glpat-${LONG}`,
  `https://hooks.slack.com/services/T000/B000/${LONG}`,
  `AIza${LONG}`,
  `ya29.${LONG}`,
  `sk_live_${LONG}`,
  `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${LONG}`,
  `id_eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${LONG}`,
  `-----BEGIN OPENSSH PRIVATE KEY-----\n${LONG}\n${LONG}\n-----END OPENSSH PRIVATE KEY-----`,
];

/** Returns the recorded form of these texts. */
async function kept(texts: readonly string[]): Promise<string[]> {
  const { transport, wire, lines } = await taped();
  for (const text of texts) wire.say({ method: "item/completed", params: { item: { text } } });
  await transport.flush();
  return bodies(lines).map((body) => (body as { params: { item: { text: string } } }).params.item.text);
}

verifies(
  "security.s28",
  "recognises secrets in command lines, URLs, headers and files by their shape",
  async () => {
    for (const text of SECRET_TEXTS) {
      const [recorded = ""] = await kept([`before ${text}\nafter`]);
      for (const secret of [
        SECRET,
        LONG,
        "AKIAIOSFODNN7EXAMPLE",
        Buffer.from(`me:${SECRET}`).toString("base64"),
      ])
        expect(recorded).not.toContain(secret);
      expect(recorded).toContain("before ");
      expect(recorded).toContain("[redacted:");
    }
  },
);

verifies("security.s28", "keeps ordinary text unchanged", async () => {
  const texts = [
    "mysql -h localhost -P 3306 -e 'select 1'",
    "The mysql password policy is strict.",
    "docker run -p 8080:80 mysql",
    "the default password is documented",
    "machine learning password policy",
    "machine login page password field",
    "docker run -u 1000:1000 image",
    "cp -u a:b c",
    "ssh user@example.test",
    "mailto:someone@example.test",
    "npm_config_registry is a variable",
    "hf_dataset_loader reads it",
    "npm install eyJson",
    "const eyJs = 1.5;",
    "https://example.test:8080/a@b",
    "http://[::1]:80/",
    "git@example.test:a/b.git",
    "sk-short",
    "task-runner-config-file",
    "basic types and bearer of news",
    "The authorization header is missing.",
    "const key = await crypto.subtle.generateKey()",
    "redis-cli -h cache ping",
    "OLDPWD=/home/me PWD=/home",
    "password: string;",
    "token: string | undefined",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
  ];
  expect(await kept(texts)).toEqual(texts);
});

verifies(
  "security.s29",
  "replaces the rest of a message that is nested too deeply with a marker, and records the messages after it",
  async () => {
    const { transport, wire, channel, lines, heard } = await taped();
    const deep = `${'{"a":['.repeat(50_000)}1${"]}".repeat(50_000)}`;
    wire.say(`{"method":"deep","params":{"delta":"x","place":${deep}}}`, `{"id":7,"result":${deep}}`);
    const questions = [{ id: "q", isSecret: true }];
    wire.say({ id: 8, method: "item/tool/requestUserInput", params: { questions } });
    await channel.send(`{"id":8,"result":{"answers":{"q":${deep}}}}`);
    wire.say({ method: "later", params: { b: 1 } });
    await transport.flush();
    expect(transport.error).toBeUndefined();
    expect(heard).toHaveLength(4);
    const recorded = bodies(lines) as { readonly id?: number; readonly method?: string }[];
    expect(recorded.map(({ id, method }) => id ?? method)).toEqual(["deep", 7, 8, 8, "later"]);
    const marked = recorded.map((body) => JSON.stringify(body).includes("[removed: nested too deep]"));
    expect(marked).toEqual([true, true, false, true, false]);
  },
);

verifies("security.s29", "ids of any depth do not end a recording", async () => {
  for (const depth of [300, 5_000, 100_000]) {
    const { transport, wire, channel, lines } = await taped();
    const deep = "[".repeat(depth) + "]".repeat(depth);
    wire.say(`{"id":${deep},"result":{}}`, `{"id":${deep},"method":"x"}`);
    const asked = `{"questions":[{"isSecret":true,"id":${deep}},{"isSecret":true,"id":"q"}]}`;
    wire.say(`{"id":1,"method":"item/tool/requestUserInput","params":${asked}}`);
    await channel.send(`{"id":${deep},"result":{"answers":{"q":"x"}}}`);
    await channel.send('{"id":1,"result":{"answers":{"q":"hidden answer"}}}');
    await transport.flush();
    expect(transport.error).toBeUndefined();
    expect(bodies(lines)).toHaveLength(5);
    expect(JSON.stringify(lines)).not.toContain("hidden answer");
  }
});

verifies("security.s29", "holds back the lines after an unfinished line, up to a limit", async () => {
  const { wire, lines } = await taped();
  wire.say({
    method: "item/agentMessage/delta",
    params: { threadId: "t", itemId: "i", delta: "an unfinished" },
  });
  const text = "some words ".repeat(10_000);
  let most = 0;
  for (let sent = 1; sent <= 300; sent++) {
    wire.say({ method: "x", params: { text } });
    most = Math.max(most, (sent + 1 - bodies(lines).length) * text.length);
  }
  // Some lines are held back, but not all 30 MB.
  expect(most).toBeGreaterThan(1_000_000);
  expect(most).toBeLessThan(9 * 1024 * 1024);
});
