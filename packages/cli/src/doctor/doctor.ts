import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { InvalidArgumentError } from "codexwright";
import { listen, ListenError } from "codexwright/server";
import { CodexNotFoundError, findCodex } from "codexwright/stdio";
import { CommandError, EXIT, type ExitCode } from "../shared/command-error.ts";
import { explain } from "../shared/explain.ts";
import type { Invocation } from "../shared/invoke.ts";
import { codexHomeOf, readLoginState } from "../shared/login-state.ts";
import type { SharedOptions } from "../shared/options.ts";
import type { Output } from "../shared/output.ts";
import { namingLimit } from "../shared/system-limit.ts";
import { clean } from "../shared/text.ts";
import { fail, ok, skipped, type Check, type Finding } from "./check.ts";
import { checkConfig } from "./config.ts";
import { checkEngine } from "./engine.ts";
import { tryOut, type Trial } from "./trial.ts";
import { judgeVersion, versionIn } from "./version.ts";

export interface DoctorOptions extends SharedOptions {
  readonly listen?: string;
}

const VERSION_MS = 10_000;

/** Checks everything that Codex needs, and says how to fix what is wrong. */
export async function doctor({ options, output, cwd }: Invocation<DoctorOptions>): Promise<ExitCode> {
  const checks: Check[] = [];
  const check = async (name: Check["name"], look: () => Finding | Promise<Finding>): Promise<Finding> => {
    const finding = await attempt(look);
    checks.push({ name, ...finding });
    tell({ name, ...finding }, output);
    return finding;
  };

  let codex: string | undefined;
  await check("binary", () => {
    codex = findCodex({ codexPath: options.codexPath }).command;
    return ok(codex);
  });
  const needsCodex = (look: (command: string) => Promise<Finding>) => (): Finding | Promise<Finding> =>
    codex === undefined ? skipped("skipped: Codex was not found") : look(codex);
  const codexHome = codexHomeOf(process.env);
  await check(
    "version",
    needsCodex(async (command) => judgeVersion(await versionOf(command))),
  );
  await check(
    "config",
    needsCodex((command) => checkConfig(codexHome, command, cwd)),
  );
  await check("login", () => checkLogin(codexHome));
  let trial: Promise<Trial> | undefined;
  const tried = (command: string): Promise<Trial> => (trial ??= tryOut(command));
  await check(
    "sandbox",
    needsCodex(async (command) => (await tried(command)).sandbox),
  );
  await check(
    "round trip",
    needsCodex(async (command) => (await tried(command)).roundTrip),
  );
  await check("engine", () => checkEngine(cwd));
  const { listen: url } = options;
  if (url !== undefined) await check("listen", () => checkAddress(url));

  const exitCode = exitCodeOf(checks);
  const failed = checks.filter(({ status }) => status === "fail").map(({ name }) => name);
  output.json({ type: "doctor", ok: exitCode === EXIT.done, failed, exitCode });
  output.text(exitCode === EXIT.done ? "Everything is fine.\n" : `Problems with: ${failed.join(", ")}.\n`);
  return exitCode;
}

/** 3 if Codex is missing, 4 if only the login is missing, 1 for all other problems. */
export function exitCodeOf(checks: readonly Check[]): ExitCode {
  const failed = checks.filter(({ status }) => status === "fail").map(({ name }) => name);
  if (failed.includes("binary")) return EXIT.notFound;
  if (failed.length === 0) return EXIT.done;
  return failed.every((name) => name === "login") ? EXIT.auth : EXIT.failed;
}

/** Runs a check. A check that throws counts as failed. */
async function attempt(look: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    const { message, advice } = explain(error);
    // The user is already running the doctor, so do not advise it.
    const isMissing = error instanceof CodexNotFoundError;
    return fail(
      isMissing ? message.replace(/\. Install it.*/s, "") : message,
      ...(isMissing
        ? ["Install it with `npm install -g @openai/codex`, or set --codex-path or CODEX_PATH."]
        : advice.filter((line) => !line.includes("doctor"))),
    );
  }
}

/**
 * Returns the version that `codex --version` prints. Runs it in a temporary home, because even `--version` writes to
 * its home. Exported for its tests.
 */
export async function versionOf(command: string): Promise<string | undefined> {
  const home = await mkdtemp(path.join(tmpdir(), "codexwright-"));
  try {
    const env = { ...process.env, CODEX_HOME: home };
    const { stdout } = await promisify(execFile)(command, ["--version"], { env, timeout: VERSION_MS });
    return versionIn(stdout);
  } catch (error) {
    const limit = namingLimit(error);
    if (limit !== error) throw limit;
    // Node's message does not mention the timeout.
    const { killed, code } = error as { killed?: boolean; code?: number | string };
    const why = killed
      ? `--version took longer than ${VERSION_MS / 1000} s`
      : `--version failed with ${code}`;
    throw new CommandError("unexpected", EXIT.failed, `it does not report its version: ${why}`, [
      "Is this binary really Codex?",
    ]);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function checkLogin(codexHome: string): Promise<Finding> {
  return (await readLoginState(codexHome)) === "ready"
    ? ok(`${codexHome} has a login or its own provider; only a turn can show whether it still works`)
    : fail(
        `${codexHome} has no login and no provider`,
        "Log in:              codexwright login",
        "Try it without one:  codexwright run --demo",
      );
}

/** Checks that we can listen on this address: listens for a moment, with a token that no client knows. */
export async function checkAddress(url: string): Promise<Finding> {
  const isSocket = url.startsWith("ws://");
  const token = randomBytes(32).toString("hex");
  try {
    await using listener = await listen(
      { accept: (transport) => void transport.close() },
      url,
      isSocket ? { auth: { capabilityToken: { token } } } : {},
    );
    return ok(`${listener.url} is free`);
  } catch (error) {
    if (error instanceof InvalidArgumentError) return fail(error.message);
    if (!(error instanceof ListenError)) throw error;
    const isTaken = (error.cause as NodeJS.ErrnoException | undefined)?.code === "EADDRINUSE";
    const advice = isTaken
      ? "Another program uses it: stop that program, or choose another port (0 means any free port)."
      : "Choose another address.";
    return fail(error.message, advice);
  }
}

const MARKS = { ok: "ok", warn: "warn", fail: "FAIL", skipped: "-" } as const;

function tell(check: Check, output: Output): void {
  const { name, status, message, advice } = check;
  output.json({ type: "check", ...check });
  if (output.isQuiet && status !== "fail") return;
  const { style } = output;
  const paint = { ok: style.green, warn: style.yellow, fail: style.red, skipped: style.dim }[status];
  output.styled(`${paint(MARKS[status].padEnd(4))}  ${style.bold(name.padEnd(10))}  ${clean(message)}\n`);
  for (const line of advice) output.text(`${" ".repeat(18)}${line}\n`);
}
