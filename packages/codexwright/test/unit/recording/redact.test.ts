import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { jwt, leaks } from "./secrets.ts";
import { bodies, taped } from "./wire.ts";

const KEY = "sk-proj-Abc123Def456Ghi789";
const TOKEN = jwt({ sub: "somebody", jti: "1" });

async function recorded(
  out: readonly object[],
  incoming: readonly object[] = [],
  secrets: readonly (string | RegExp)[] = [],
): Promise<{ messages: unknown[]; text: string }> {
  const { transport, channel, wire, lines } = await taped({ secrets });
  for (const message of out) await channel.send(JSON.stringify(message));
  wire.say(...incoming);
  await transport.flush();
  return { messages: bodies(lines), text: lines.map((line) => JSON.stringify(line)).join("\n") };
}

/** Messages with secrets that the protocol or their shape identifies. */
const CASES: readonly (readonly [title: string, message: object, secrets: readonly string[]])[] = [
  [
    "login by API key",
    { id: 1, method: "account/login/start", params: { type: "apiKey", apiKey: "hunter22" } },
    ["hunter22"],
  ],
  [
    "login by tokens",
    {
      id: 1,
      method: "account/login/start",
      params: {
        type: "chatgptAuthTokens",
        accessToken: TOKEN,
        idToken: "opaque-id-token",
        chatgptAccountId: "a-1",
      },
    },
    [TOKEN, "opaque-id-token"],
  ],
  [
    "login by Bedrock",
    { params: { type: "amazonBedrock", secretAccessKey: "aws/secret+key", sessionToken: "aws-session" } },
    ["aws/secret+key", "aws-session"],
  ],
  [
    "token refresh",
    { id: 0, result: { accessToken: "refreshed-token", chatgptAccountId: "a-1" } },
    ["refreshed-token"],
  ],
  [
    "auth status",
    { id: 3, result: { authMethod: "chatgpt", authToken: "opaque-auth-token" } },
    ["opaque-auth-token"],
  ],
  ["attestation", { id: 0, result: { token: "attested-by-device" } }, ["attested-by-device"]],
  [
    "account",
    { id: 3, result: { account: { type: "chatgpt", email: "some.body@example.test" } } },
    ["some.body@example.test"],
  ],
  ["device code", { id: 3, result: { type: "chatgptDeviceCode", userCode: "ABCD-1234" } }, ["ABCD-1234"]],
  [
    "login URL",
    {
      id: 3,
      result: {
        authUrl: "https://auth.test/authorize?state=s3cr3tstate&client_id=app&code_challenge=ch4llenge",
      },
    },
    ["s3cr3tstate", "ch4llenge"],
  ],
  [
    "env of a command",
    {
      method: "command/exec",
      params: { command: ["env"], env: { MY_TOKEN: "tok-in-env", PLAIN: "some value", GONE: null } },
    },
    ["tok-in-env", "some value"],
  ],
  [
    "env of a config",
    {
      params: {
        config: {
          mcp_servers: {
            x: {
              env: { A: "mcp-env-value" },
              http_headers: { "X-Team": "header-value" },
              bearer_token: "bearer-value",
            },
          },
        },
      },
    },
    ["mcp-env-value", "header-value", "bearer-value"],
  ],
  [
    "dotted config",
    {
      params: {
        config: {
          "mcp_servers.x.env.API_KEY": "dotted-value",
          "shell_environment_policy.set": { DB: "dotted-set" },
        },
      },
    },
    ["dotted-value", "dotted-set"],
  ],
  [
    "config edit",
    { params: { keyPath: "mcp_servers.x.env.API_KEY", value: "edited-value" } },
    ["edited-value"],
  ],
  [
    "headers",
    { params: { headers: { Authorization: "Bearer bearer-header-1", Accept: "text/html" } } },
    ["bearer-header-1"],
  ],
  [
    "header list",
    { params: { requestHeaders: [{ name: "x-api-key", value: "header-key" }] } },
    ["header-key"],
  ],
  ["flags", { params: { command: ["tool", "--api-key", "flag-value-1", "--verbose"] } }, ["flag-value-1"]],
  [
    "keys in text",
    { params: { text: `use ${KEY}, or Bearer abcdef123456 and ${TOKEN}!` } },
    [KEY, "abcdef123456", TOKEN],
  ],
  [
    "well-known tokens",
    { params: { text: "ghp_0123456789abcdefghij xoxb-123456789012-abc AKIAIOSFODNN7EXAMPLE" } },
    ["ghp_0123456789abcdefghij", "xoxb-123456789012-abc", "AKIAIOSFODNN7EXAMPLE"],
  ],
  [
    "output of env",
    {
      params: {
        item: { aggregatedOutput: "HOME=/home/x\nGITHUB_TOKEN=letmein\nDB_PASSWORD='open sesame'\n" },
      },
    },
    ["letmein", "open"],
  ],
  ["JSON in text", { params: { arguments: '{"password":"correct horse","n":1}' } }, ["correct horse"]],
  [
    "JSON in JSON in text",
    { params: { arguments: '{"body":"{\\"client_secret\\":\\"battery staple\\"}"}' } },
    ["battery staple"],
  ],
  [
    "a header in a command",
    { params: { command: "curl -H 'Authorization: token abc123' -H \"Cookie: sid=42424242\" x" } },
    ["abc123", "42424242"],
  ],
  ["a password in a URL", { params: { url: "postgres://app:p4ss@db.test/x" } }, ["p4ss"]],
  [
    "a private key",
    { params: { text: "-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----" } },
    ["MIIEvQ"],
  ],
  [
    "a file in base64",
    { id: 4, result: { dataBase64: Buffer.from(`{"OPENAI_API_KEY":"${KEY}"}`).toString("base64") } },
    [KEY],
  ],
];

for (const [title, message, secrets] of CASES)
  verifies("recording.secrets", `removes every secret: ${title}`, async () => {
    for (const [out, incoming] of [
      [[message], []],
      [[], [message]],
    ] as const) {
      const { text, messages } = await recorded(out, incoming);
      const decoded = text.replaceAll(/[A-Za-z0-9+/]{16,}=*/g, (each) =>
        Buffer.from(each, "base64").toString(),
      );
      expect([...leaks(text, secrets), ...leaks(decoded, secrets)]).toEqual([]);
      expect(shapeOf(messages[0])).toEqual(shapeOf(message));
    }
  });

/** Replaces the leaves of a value by their types, to compare what redaction must not change. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
}

verifies("recording.secrets", "keeps values that are not secrets", async () => {
  const messages = [
    {
      id: 1,
      method: "thread/start",
      params: { model: "gpt-5", approvalPolicy: "never", cwd: "/work/x/task-management" },
    },
    { method: "thread/tokenUsage/updated", params: { tokenUsage: { total: { totalTokens: 123_456_789 } } } },
    { id: 2, method: "account/read", params: { refreshToken: true } },
    { id: 3, method: "account/login/start", params: { type: "apiKey" } },
    {
      method: "item/completed",
      params: {
        item: {
          text: "const accessToken: string = getToken(); // basic authentication\nkey: value, tokens: 12",
        },
      },
    },
    { id: 4, error: { code: -32600, message: "Invalid request: missing field `token`" } },
    { params: { bearer_token_env_var: "MY_TOKEN", url: "http://127.0.0.1:4321/v1?api-version=2025-01-01" } },
    { params: { headers: { Accept: "text/html", "Content-Type": "application/json" } } },
    JSON.parse('{"__proto__":{"a":1},"big":12345678901234,"f":1.5,"n":null,"e":""}') as object,
  ];
  expect((await recorded(messages)).messages).toEqual(messages);
});

verifies(
  "recording.secrets",
  "equal secrets have equal placeholders, and different secrets different ones",
  async () => {
    const { messages } = await recorded(
      [
        { params: { apiKey: "first-secret", accessToken: "second-secret" } },
        { params: { text: "first-secret second-secret first-secret" } },
      ],
      [{ result: { token: "second-secret" } }],
    );
    expect(messages).toEqual([
      { params: { apiKey: "[redacted:1]", accessToken: "[redacted:2]" } },
      { params: { text: "[redacted:1] [redacted:2] [redacted:1]" } },
      { result: { token: "[redacted:2]" } },
    ]);
  },
);

verifies(
  "recording.secrets",
  "also finds a secret that appears before the place that identifies it",
  async () => {
    const bearer = "bare-words-42x";
    const { messages } = await recorded([
      { params: { text: `it is named-later-secret`, apiKey: "named-later-secret" } },
      { params: { text: `${bearer} in Authorization: Bearer ${bearer}` } },
    ]);
    expect(messages).toEqual([
      { params: { text: "it is [redacted:1]", apiKey: "[redacted:1]" } },
      { params: { text: "[redacted:2] in Authorization: Bearer [redacted:2]" } },
    ]);
  },
);

verifies("recording.secrets", "finds a known secret again in every encoding", async () => {
  const secret = 'pass "word" ÄÖ/+?&=1';
  const wrapped = (text: string): string => `before ${text} after`;
  const json = JSON.stringify(secret).slice(1, -1);
  const forms = [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(secret),
    Buffer.from(secret).toString("hex"),
    ...["", "x", "xy"].flatMap((head) =>
      (["base64", "base64url"] as const).map((encoding) =>
        Buffer.from(`${head}${secret}${head}tail`).toString(encoding),
      ),
    ),
  ];
  // Without redaction, a scan for leaks would find these forms.
  for (const form of forms) expect(leaks(form, [secret, json])).not.toEqual([]);
  const { text, messages } = await recorded([
    { params: { type: "apiKey", apiKey: secret } },
    ...forms.map((form) => ({ params: { text: wrapped(form), [wrapped(form)]: 1 } })),
  ]);
  expect(leaks(text, [secret])).toEqual([]);
  for (const message of messages.slice(1))
    expect(JSON.stringify(message)).toMatch(/before [\w-]{0,4}\[redacted:\d+\][\w=-]* after/);
});

verifies("recording.secrets", "removes the caller's texts and patterns everywhere", async () => {
  const { messages } = await recorded(
    [
      {
        id: "x-42",
        method: "m",
        params: { "project falcon": ["the falcon", "user-17", 20_260_101], n: "user-1" },
      },
    ],
    ["no JSON, but user-3 and falcon"] as never,
    ["falcon", /user-\d+/, "20260101"],
  );
  expect(messages).toEqual([
    {
      id: "x-42",
      method: "m",
      params: {
        "project [redacted:1]": ["the [redacted:1]", "[redacted:2]", "[redacted:3]"],
        n: "[redacted:4]",
      },
    },
    "no JSON, but [redacted:5] and [redacted:1]",
  ]);
  await expect(recorded([], [], [""])).rejects.toMatchObject({ code: "invalid_argument" });
});

verifies("recording.secrets", "redacts answers to questions that are marked as secret", async () => {
  const { transport, channel, wire, lines } = await taped();
  const questions = [
    { id: "pin", isSecret: true, question: "PIN?" },
    { id: "name", isSecret: false, question: "Name?" },
  ];
  wire.say({ id: 0, method: "item/tool/requestUserInput", params: { questions } });
  const answers = { pin: { answers: ["9876-pin", "note"] }, name: { answers: ["Ada"] } };
  await channel.send(JSON.stringify({ id: 0, result: { answers } }));
  wire.say({ method: "item/completed", params: { text: "they said 9876-pin" } });
  await transport.flush();
  expect(bodies(lines).slice(1)).toEqual([
    {
      id: 0,
      result: { answers: { pin: { answers: ["[redacted:1]", "[redacted:2]"] }, name: { answers: ["Ada"] } } },
    },
    { method: "item/completed", params: { text: "they said [redacted:1]" } },
  ]);
});
