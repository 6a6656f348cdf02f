import {
  AbortedError,
  AuthFailedError,
  ConnectionClosedError,
  InvalidArgumentError,
  ResourceExhaustedError,
  StartupTimeoutError,
  ThreadNotFoundError,
  TurnFailedError,
  TurnTimeoutError,
} from "codexwright";
import type { CodexErrorInfo, Turn } from "codexwright/protocol";
import { describe, expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { CommandError, usageError } from "../../src/shared/command-error.ts";
import { exitCodeOf } from "../../src/shared/exit-codes.ts";
import { explain } from "../../src/shared/explain.ts";
import { command } from "../support/command.ts";

function failed(codexErrorInfo: CodexErrorInfo): TurnFailedError {
  const error = { message: "no", codexErrorInfo, additionalDetails: null, misalignment: null };
  return new TurnFailedError({ id: "t" } as Turn, error);
}

describe("exit codes", () => {
  for (const [name, error, code] of [
    ["a failed turn", failed("other"), 1],
    ["a refused login in a turn", failed("unauthorized"), 4],
    ["a 401 from the model", failed({ httpConnectionFailed: { httpStatusCode: 401 } }), 4],
    ["a used-up plan", failed("usageLimitExceeded"), 5],
    ["a bad argument", new InvalidArgumentError("x"), 2],
    ["a bad command line", usageError("x"), 2],
    ["an unknown thread", new ThreadNotFoundError("x"), 3],
    ["a missing file", Object.assign(new Error("x"), { code: "ENOENT" }), 3],
    ["a login that failed", new AuthFailedError("x"), 4],
    ["a turn that took too long", new TurnTimeoutError("timeoutMs", 5), 5],
    ["a budget", new CommandError("budget_exceeded", 5, "x"), 5],
    ["a limit of the system", new ResourceExhaustedError("x", "EMFILE", undefined), 5],
    ["an abort", new AbortedError("x", "unknown", undefined), 130],
    ["a bug", new TypeError("x"), 1],
    ["no error at all", "x", 1],
  ] as const) {
    verifies("cli.exit-codes", `the exit code of ${name} is ${code}`, () => {
      expect(exitCodeOf(error)).toBe(code);
    });
  }
});

verifies("cli.exit-codes", "reports an error in one line without control characters, and with advice", () => {
  const error = new ThreadNotFoundError("thread \u001B[31mx\u001B[0m\nnot found");
  const { code, message, advice } = explain(error);
  expect({ code, message }).toEqual({ code: "thread_not_found", message: "thread x not found" });
  expect(advice.join("")).toContain("threads list");
  expect(explain(new Error("y".repeat(2_000))).message.length).toBeLessThan(410);
});

verifies("cli.exit-codes", "quotes the error line of a server that ended, not the backtrace after it", () => {
  const words = (stderrTail: string): string =>
    explain(new ConnectionClosedError({ message: "it exited with code 1", stderrTail }, "notSent")).message;
  expect(words("")).toBe("it exited with code 1");
  expect(words("cat: app-server: no\n")).toBe("it exited with code 1. Its last output: cat: app-server: no");
  expect(words("Error: no home\n\nStack backtrace:\n   0: <unknown>\n")).toBe(
    "it exited with code 1. Its last output: Error: no home",
  );
});

verifies("cli.exit-codes", "reports a foreign error with a documented code and its own message", () => {
  const error = Object.assign(new Error("no space left"), { code: "ENOSPC" });
  expect(explain(error)).toEqual({ code: "unexpected", message: "no space left", advice: [] });
  expect(explain(new DOMException("gone", "AbortError")).code).toBe("unexpected");
});

verifies("cli.exit-codes", "uses the option names of the command line", async () => {
  const missing = await command(["exec", "--codex-path", "/nowhere/codex", "--", "true"]);
  expect(missing.exitCode).toBe(3);
  expect(missing.stderr).toContain("--codex-path is /nowhere/codex, which is not an executable file");
  expect(missing.stderr).toContain("`npm install -g @openai/codex`");
  expect(missing.stderr).toContain("set --codex-path or the variable CODEX_PATH to the path of the binary");
  expect(explain(new StartupTimeoutError(10_000)).message).not.toContain("startupTimeoutMs");
});
