import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { wireScript, type WireStep } from "@codexwright/testing";
import { expect } from "vitest";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";
import { command, start, type CommandOptions } from "../support/command.ts";
import { jsonLines } from "../support/json-lines.ts";

const FAKE: VerifiesOptions = { against: "fake", timeoutMs: 60_000 };

const DEVICE = {
  type: "chatgptDeviceCode",
  loginId: "login-1",
  verificationUrl: "https://login.example/device",
  userCode: "ABCD-1234",
};
const BROWSER = { type: "chatgpt", loginId: "login-1", authUrl: "https://login.example/authorize?state=1" };
const ACCOUNT = { type: "chatgpt", email: "ann@example.com", planType: "plus" };

function completed(success: boolean, error: string | null): WireStep {
  return { send: { method: "account/login/completed", params: { loginId: "login-1", success, error } } };
}

const READ: WireStep = { on: "account/read", result: { account: ACCOUNT, requiresOpenaiAuth: true } };

/** A user whose Codex plays a script. */
interface Player extends AsyncDisposable {
  readonly folder: string;
  readonly options: CommandOptions;
}

async function player(...script: readonly WireStep[]): Promise<Player> {
  const folder = await mkdtemp(path.join(tmpdir(), "codexwright-login-"));
  const server = wireScript({ script });
  await writeFile(path.join(folder, "auth.json"), JSON.stringify({ tokens: { access_token: "old" } }));
  return {
    folder,
    options: { cwd: folder, env: { CODEX_HOME: folder, CODEX_PATH: server.executable } },
    [Symbol.asyncDispose]: async () => {
      server[Symbol.dispose]();
      await rm(folder, { recursive: true });
    },
  };
}

const WAYS = [
  {
    how: "by device code",
    args: ["--device"],
    started: DEVICE,
    shown: ["https://login.example/device", "ABCD-1234"],
  },
  { how: "by browser", args: [], started: BROWSER, shown: ["https://login.example/authorize?state=1"] },
];

for (const { how, args, started, shown } of WAYS) {
  const begun: WireStep = { on: "account/login/start", result: started };

  verifies(
    ["cli.account", "cli.json"],
    `a login ${how} shows where to go, waits, and reports who is logged in`,
    async () => {
      await using user = await player(begun, completed(true, null), READ);
      const plain = await command(["login", ...args], user.options);
      expect(plain).toMatchObject({ exitCode: 0, stderr: "Logged in.\n" });
      for (const text of shown) expect(plain.stdout).toContain(text);
      const { stdout } = await command(["login", "--json", ...args], user.options);
      const [url, userCode] = shown;
      expect(await jsonLines(stdout)).toEqual([
        { type: "login", url, ...(userCode !== undefined && { userCode }) },
        { type: "account", account: ACCOUNT },
      ]);
    },
    FAKE,
  );

  verifies(
    ["cli.account", "cli.exit-codes"],
    `a signal cancels a login ${how}, on the server too, and the command exits with 130`,
    async () => {
      const cancelled: WireStep = { on: "account/login/cancel", result: { status: "canceled" } };
      await using user = await player(begun, cancelled, completed(false, "cancelled"));
      const file = path.join(user.folder, "login.ndjson");
      const login = start(["record", file, "--", "login", ...args], user.options);
      await login.shows(String(shown.at(-1)));
      login.kill("SIGINT");
      const { exitCode, stderr } = await login.done;
      expect(exitCode).toBe(130);
      expect(stderr).toContain("error interrupted: The login was cancelled.");
      expect(await readFile(file, "utf8")).toContain("account/login/cancel");
    },
    FAKE,
  );

  verifies(
    ["cli.account", "cli.exit-codes"],
    `if a login ${how} is rejected, the command exits with 4 and the server's reason`,
    async () => {
      await using user = await player(begun, completed(false, "the code has expired"));
      const { exitCode, stderr } = await command(["login", ...args], user.options);
      expect(exitCode).toBe(4);
      expect(stderr).toContain("the code has expired");
    },
    FAKE,
  );
}

verifies(
  ["cli.account", "cli.json"],
  "whoami shows the plan, and each limit as a bar",
  async () => {
    const window = (usedPercent: number, windowDurationMins: number) => ({
      usedPercent,
      windowDurationMins,
      resetsAt: null,
    });
    const rateLimits = {
      limitId: "codex",
      limitName: null,
      primary: window(31, 300),
      secondary: window(95, 10_080),
    };
    await using user = await player(READ, {
      on: "account/rateLimits/read",
      result: { rateLimits, rateLimitsByLimitId: null },
    });
    const { exitCode, stdout } = await command(["whoami"], user.options);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      "ann@example.com, plan plus\ncodex      ███░░░░░░░ 31% of 5 hours\ncodex      ██████████ 95% of 7 days\n",
    );
    const lines = await jsonLines((await command(["whoami", "--json"], user.options)).stdout);
    expect(lines).toEqual([{ type: "account", account: ACCOUNT, rateLimits: [rateLimits] }]);
  },
  FAKE,
);
