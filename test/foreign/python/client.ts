import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { Skip } from "@codexwright/test-support/skips";
import type { Program } from "../servers.ts";
import type { Json } from "./steps.ts";

/** The folder `sdk/python` of openai/codex. The client needs Python 3.10 or newer with pydantic. */
const SDK = process.env["CODEXWRIGHT_PYTHON_SDK"];
const PYTHON = process.env["CODEXWRIGHT_PYTHON"] ?? "python3";
const RUN = path.join(import.meta.dirname, "run.py");

export const unlessPythonClient: Skip =
  SDK === undefined
    ? "it needs the sources of the Python client in CODEXWRIGHT_PYTHON_SDK"
    : !canRun() && "it needs Python 3.10 or newer with pydantic";

function canRun(): boolean {
  try {
    execFileSync(PYTHON, ["-c", "import sys, pydantic; assert sys.version_info >= (3, 10)"], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}

/** A run of an example by the client itself. */
export interface ClientRun {
  /** The output of the example. */
  readonly printed: Promise<string>;
  /** The requests and notifications that the client sent so far. */
  sent(): Json[];
  /** The messages of the server so far. */
  received(): Json[];
}

/** Runs an example with the client. @param typed the lines that its user types */
export function runExample(program: Program, example: string, typed = ""): ClientRun {
  const sent = path.join(program.cwd, "..", "sent.ndjson");
  const received = path.join(program.cwd, "..", "received.ndjson");
  const server = path.join(program.cwd, "..", "recorded-codex");
  const lines = ["#!/bin/sh", `tee '${sent}' | '${program.codexPath}' "$@" | tee '${received}'`, ""];
  writeFileSync(server, lines.join("\n"), { mode: 0o755 });
  const sdk = SDK ?? "";
  const file = path.join(sdk, "examples", example, "sync.py");
  // Python must not write its caches next to the sources.
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };
  const running = promisify(execFile)(PYTHON, [RUN, sdk, file, server], { cwd: program.cwd, env });
  running.child.stdin?.end(typed);
  return {
    printed: running.then(({ stdout }) => stdout),
    sent: () => messages(sent),
    received: () => messages(received),
  };
}

/** The whole lines of a file that is still written. */
function messages(file: string): Json[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Json);
}
