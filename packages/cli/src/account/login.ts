import type { CodexClient, PendingLogin } from "codexwright";
import { CommandError, EXIT, usageError } from "../shared/command-error.ts";
import { connect } from "../shared/connect.ts";
import type { Invocation } from "../shared/invoke.ts";
import type { SharedOptions } from "../shared/options.ts";
import type { Output } from "../shared/output.ts";
import { readStdin } from "../shared/stdin.ts";

export interface LoginOptions extends SharedOptions {
  readonly apiKeyStdin?: boolean;
  readonly device?: boolean;
}

/** Logs in, and waits until the login is complete. */
export async function login({ options, output, cwd }: Invocation<LoginOptions>): Promise<void> {
  const key = options.apiKeyStdin ? await readKey(output) : undefined;
  await using connection = await connect(options, cwd);
  const { codex } = connection;
  if (key !== undefined) await codex.login.apiKey(key);
  else await wait(options.device ? byDevice(codex, output) : byBrowser(codex, output));
  const { account } = await codex.account();
  output.json({ type: "account", account });
  output.remark("Logged in.");
}

export async function logout({ options, output, cwd }: Invocation): Promise<void> {
  await using connection = await connect(options, cwd);
  await connection.codex.logout();
  output.json({ type: "account", account: null });
  output.remark("Logged out.");
}

/** Reads the key from stdin or a prompt, not from the command line, which other users can read. */
async function readKey(output: Output): Promise<string> {
  if (process.stdin.isTTY && !output.isJson) {
    const { isCancel, password } = await import("../shared/prompts.ts");
    const typed = await password({ message: "OpenAI API key" });
    if (isCancel(typed)) throw new CommandError("interrupted", EXIT.interrupted, "You were not logged in.");
    return typed.trim();
  }
  const key = (await readStdin()).trim();
  if (key === "") throw usageError("--api-key-stdin: stdin holds no key");
  if (/\s/.test(key)) throw usageError("--api-key-stdin: stdin holds more than a key");
  return key;
}

type Begin = (signal: AbortSignal) => Promise<PendingLogin>;

const byBrowser =
  (codex: CodexClient, output: Output): Begin =>
  async (signal) => {
    const pending = await codex.login.chatgpt({ signal });
    output.json({ type: "login", url: pending.authUrl });
    output.text(`Open this page in a browser on this machine and log in:\n\n  ${pending.authUrl}\n\n`);
    return pending;
  };

const byDevice =
  (codex: CodexClient, output: Output): Begin =>
  async (signal) => {
    const pending = await codex.login.deviceCode({ signal });
    const { verificationUrl: url, userCode } = pending;
    output.json({ type: "login", url, userCode });
    output.text(`Open ${url} on any device and enter this code:\n\n  ${userCode}\n\n`);
    return pending;
  };

/** Starts a login and waits for the user. A signal cancels it. */
async function wait(begin: Begin): Promise<void> {
  const stop = new AbortController();
  const giveUp = (): void => stop.abort();
  process.on("SIGINT", giveUp).on("SIGTERM", giveUp);
  try {
    const pending = await begin(stop.signal);
    await pending.completed;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    throw new CommandError("interrupted", EXIT.interrupted, "The login was cancelled.");
  } finally {
    process.off("SIGINT", giveUp).off("SIGTERM", giveUp);
  }
}
