import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { inspect } from "node:util";
import { expect } from "vitest";
import { CodexClient, type ClientWarning } from "codexwright";
import { stdio } from "codexwright/stdio";
import { rejection, until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { hostile } from "./hostile.ts";

const never = new AbortController().signal;
const SECRET = "s3cr3t-v4lue-of-the-user";

/** A program that replaces Codex. It is removed with its folder. */
function program(text: string): Disposable & { readonly file: string } {
  const folder = mkdtempSync(path.join(tmpdir(), "codexwright-env-"));
  const file = path.join(folder, "codex");
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return { file, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

verifies(
  "security.s30",
  "Codex receives only our environment, with the caller's changes and CODEXWRIGHT_GUARD",
  async () => {
    // Values may contain line breaks.
    using codex = program("#!/bin/sh\nenv -0 | tr '\\0\\n' '\\1 '\n");
    process.env["CODEXWRIGHT_TEST_GONE"] = "gone";
    try {
      const env = { CODEXWRIGHT_TEST_GONE: undefined, CODEXWRIGHT_TEST_NEW: "new" };
      const transport = await stdio({ codexPath: codex.file, codexHome: tmpdir(), env })(never);
      const lines: string[] = [];
      await new Promise<void>((resolve) => {
        transport.open({ line: (line) => lines.push(line), closed: () => resolve() });
      });
      await transport.close();
      const got = (lines[0] ?? "").split("\u0001").map((entry) => entry.split("=")[0] ?? "");
      // The guard recognizes the server's processes by CODEXWRIGHT_GUARD. Its value contains no information.
      const added = { CODEX_HOME: "", CODEXWRIGHT_TEST_NEW: "", CODEXWRIGHT_GUARD: "" };
      const given = Object.keys({ ...process.env, ...added });
      // Shells set these themselves.
      const own = new Set(["", "PWD", "OLDPWD", "_", "SHLVL", "CODEXWRIGHT_TEST_GONE"]);
      const others = (names: readonly string[]): string[] =>
        names.filter((name) => !own.has(name)).toSorted();
      expect(others(got)).toEqual(others(given));
      expect(got).not.toContain("CODEXWRIGHT_TEST_GONE");
    } finally {
      delete process.env["CODEXWRIGHT_TEST_GONE"];
    }
  },
);

verifies(
  "security.s30",
  "the command line contains only the app-server and the settings, whatever other options are set",
  async () => {
    using codex = program(`#!/bin/sh\nprintf '%s\\n' "$@"\n`);
    const env = { OPENAI_API_KEY: SECRET };
    const config = { model: "m", a: { b: [1, true] } };
    const transport = await stdio({ codexPath: codex.file, codexHome: tmpdir(), env, config })(never);
    const lines: string[] = [];
    await new Promise<void>((resolve) => {
      transport.open({ line: (line) => lines.push(line), closed: () => resolve() });
    });
    await transport.close();
    expect(lines).toEqual(["app-server", "-c", 'model="m"', "-c", "a.b=[1, true]"]);
  },
);

verifies("security.s30", "sends keys, server secrets and answers only through the pipe", async () => {
  await using server = await hostile({}, () => `"error":{"code":-32600,"message":"no"}`);
  const env = { TOKEN: SECRET };
  await rejection(server.codex.startThread({ mcpServers: { x: { command: "x", env } } }));
  await rejection(server.codex.login.apiKey(SECRET));
  const sent = server.sent.filter((message) => JSON.stringify(message).includes(SECRET));
  expect(sent.map(({ method }) => method)).toEqual(["thread/start", "account/login/start"]);
});

/** Returns everything that is visible of a value. */
function seen(value: unknown): string {
  return `${inspect(value, { depth: 20, showHidden: true })}\n${JSON.stringify(value)}\n${String(value)}`;
}

verifies("security.s31", "no error and no warning contains a key, a token or an answer", async () => {
  const warnings: ClientWarning[] = [];
  await using server = await hostile({
    onUserInput: () => ({ q: SECRET, unasked: SECRET, other: 5 as unknown as string }),
    refreshTokens: () => ({ accessToken: SECRET }) as never,
    onAttestation: () => ({ token: SECRET }) as never,
  });
  server.codex.on("warning", (warning) => warnings.push(warning));
  const asked = [
    [
      "item/tool/requestUserInput",
      {
        threadId: "T",
        turnId: "U",
        itemId: "I",
        questions: [
          { id: "q", question: "?" },
          { id: "other", question: "?" },
        ],
      },
    ],
    ["account/chatgptAuthTokens/refresh", { reason: "expired" }],
    ["attestation/generate", {}],
  ] as const;
  for (const [id, [method, params]] of asked.entries()) server.say({ method, id, params });
  await until(() => server.replies().length === asked.length);
  expect(warnings.length).toBeGreaterThanOrEqual(3);
  expect(seen(warnings)).not.toContain(SECRET);
  expect(seen(server.replies())).not.toContain(SECRET);
  server.answer(() => `"error":{"code":-32600,"message":"got ${SECRET}","data":{"key":"${SECRET}"}}`);
  expect(seen(await rejection(server.codex.login.apiKey(SECRET)))).not.toContain(SECRET);
  server.say(`{"broken":"${SECRET}"`);
  expect(seen(warnings.at(-1))).not.toContain(SECRET);
});

verifies("security.s31", "does not quote unserializable params or a login that timed out", async () => {
  await using server = await hostile({}, () => undefined);
  const late = await rejection(server.codex.login.apiKey(SECRET, { timeoutMs: 20 }));
  expect(seen(late)).not.toContain(SECRET);
  const params = { apiKey: SECRET, count: 1n } as never;
  expect(seen(await rejection(server.codex.request("account/login/start", params)))).not.toContain(SECRET);
});

verifies("security.s32", "an error contains only the end of stderr", async () => {
  using codex = program(`#!/bin/sh\nhead -c 100000 /dev/zero | tr '\\0' 'x' >&2\necho the end >&2\nexit 3\n`);
  const error = await rejection(CodexClient.connect({ codexPath: codex.file }));
  expect(error).toMatchObject({ code: "connection_closed", exitCode: 3 });
  const { stderrTail = "" } = error as { stderrTail?: string };
  expect(stderrTail.length).toBeLessThanOrEqual(8 * 1024);
  expect(stderrTail.endsWith("xxx\nthe end\n") || stderrTail.endsWith("xthe end\n")).toBe(true);
});
