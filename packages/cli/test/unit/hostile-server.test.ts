import path from "node:path";
import { reply, wireScript, type WireStep } from "@codexwright/testing";
import { expect } from "vitest";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";
import { hiddenIn, HOSTILE, taintedCodex } from "../support/tainted.ts";
import { newUser, type User } from "../support/user.ts";

const FAKE: VerifiesOptions = { against: "fake", timeoutMs: 120_000 };

/** The colours of the command, which do not include the hostile one. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const COLOURS = /\u001B\[(?:[0-4]|7|9|2[2-9]|3[0-46]|39|9[0-7])?m/g;

/** Runs a command line with colours or as JSON, and checks everything that it prints. */
async function isShownSafely(user: User, args: readonly string[], codex: string): Promise<void> {
  const isJson = args.includes("--json");
  const env = { CODEX_PATH: codex, ...(!isJson && { FORCE_COLOR: "1" }) };
  const { stdout, stderr } = await user.run(args, { env });
  const printed = isJson ? stdout + stderr : (stdout + stderr).replaceAll(COLOURS, "");
  expect({ args, hidden: hiddenIn(printed) }).toEqual({ args, hidden: undefined });
  // A package must not print by itself.
  expect({ args, complaint: /.*did you forget.*/.exec(printed)?.[0] }).toEqual({
    args,
    complaint: undefined,
  });
  // The hostile text was present, and is shown escaped.
  expect({ args, isShown: /<U\+200F>|\\u200f/.test(printed) }).toEqual({ args, isShown: true });
}

verifies(
  "security.s18",
  "no command prints hostile text unescaped, wherever the server sends it",
  async () => {
    // Code in an unknown language, and lists so deep that the number of their colours would double 40 times.
    const blocks = [
      "```no-such-language",
      "x",
      "```",
      "",
      `${"- ".repeat(40)}a`,
      "",
      `${"> - ".repeat(60)}a`,
    ];
    const answer = `Done ${HOSTILE} **b**\n\n${blocks.join("\n")}`;
    await using user = await newUser({ model: () => reply(answer) });
    const plain = await user.run(["run", "--json", "one"]);
    const id = /"threadId":"([^"]+)"/.exec(plain.stdout)?.[1] ?? "";
    const codex = taintedCodex(user.folder, user.fake.executable);
    const recording = path.join(user.folder, "r.ndjson");
    await user.run(["record", recording, "--", "run", "two"], { env: { CODEX_PATH: codex } });
    const commands = [
      ["models"],
      ["models", "--json"],
      ["threads", "list"],
      ["threads", "show", id],
      ["threads", "show", "00000000-0000-7000-8000-000000000000"],
      ["run", `again ${HOSTILE}`],
      ["run", "--json", "again"],
      ["review", "--instructions", HOSTILE],
      ["inspect", recording],
    ];
    // In parallel, because each is a process that starts slowly.
    await Promise.all(commands.map((args) => isShownSafely(user, args, codex)));
  },
  FAKE,
);

verifies(
  "security.s18",
  "escapes the accounts, limits and logins of a hostile server",
  async () => {
    await using user = await newUser({ model: [] });
    const account = { type: "chatgpt", email: HOSTILE, planType: HOSTILE };
    const read: WireStep = { on: "account/read", result: { account, requiresOpenaiAuth: true } };
    const window = { usedPercent: 10, windowDurationMins: 60, resetsAt: null };
    const limit = { limitId: HOSTILE, limitName: HOSTILE, primary: window, secondary: window };
    using limits = wireScript({
      script: [
        read,
        { on: "account/rateLimits/read", result: { rateLimits: limit, rateLimitsByLimitId: { a: limit } } },
      ],
    });
    await isShownSafely(user, ["whoami"], limits.executable);
    const login = { type: "chatgptDeviceCode", loginId: "l", verificationUrl: HOSTILE, userCode: HOSTILE };
    using device = wireScript({
      script: [
        { on: "account/login/start", result: login },
        {
          send: {
            method: "account/login/completed",
            params: { loginId: "l", success: false, error: HOSTILE },
          },
        },
      ],
    });
    await isShownSafely(user, ["login", "--device"], device.executable);
  },
  FAKE,
);

verifies(
  ["security.s18", "cli.unsafe.sequences"],
  "errors quote the user's arguments, paths and addresses without terminal sequences",
  async () => {
    await using user = await newUser({ model: [] });
    const text = HOSTILE;
    const commands = [
      [`run${text}`],
      ["run", `--${text}`],
      ["threads", "list", "--sort", text],
      ["threads", "list", "--limit", text],
      ["run", "--file", text],
      ["run", "--cwd", text, "x"],
      ["inspect", text],
      ["completion", text],
      ["serve", "--listen", text],
      ["app-server", "--listen", text],
      ["app-server", "-c", text],
      ["app-server", "--enable", text],
      ["app-server", "--listen", `unix:///none/${text}`],
      ["doctor", "--codex-path", `/none/${text}`],
      ["run", "--output-schema", text, "x"],
      ["run", "--tool", text, "x"],
    ];
    const isQuotedSafely = async (args: readonly string[]): Promise<void> => {
      const { stdout, stderr } = await user.run(args);
      expect({ args, hidden: hiddenIn(stdout + stderr) }).toEqual({ args, hidden: undefined });
      expect((stdout + stderr).length).toBeGreaterThan(20);
    };
    await Promise.all(commands.map(isQuotedSafely));
  },
  FAKE,
);
