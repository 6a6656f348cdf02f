import { execFile } from "node:child_process";
import { access, constants, mkdir, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { findCodex } from "codexwright/stdio";
import type { Settings } from "../domain/settings.ts";
import { readEndpoint } from "../http/endpoint.ts";
import { fail, ok, warn, type Finding } from "./check.ts";

const VERSION_MS = 10_000;

/** Checks a program that the fleet starts by its name. */
export async function checkProgram(program: string, use: string): Promise<Finding> {
  try {
    const { stdout } = await promisify(execFile)(program, ["--version"], { timeout: VERSION_MS });
    return ok(stdout.split("\n")[0]?.trim() ?? program);
  } catch (error) {
    const { code } = error as { code?: string | number };
    const why = code === "ENOENT" ? "is not on PATH" : `failed with ${code}`;
    return fail(`${program} ${why}`, `Install ${program}: ${use}`);
  }
}

/** The command that is started without a shell, as the library finds Codex. */
const CODEX = "codex app-server";

/** Not a problem, but nothing else says why a model never asks. */
const ASKING = [
  "Codex lets a model ask you questions only with the feature default_mode_request_user_input.",
  "To turn it on, set codex.command: codex app-server -c features.default_mode_request_user_input=true",
];

/** Checks that the app-server of the workflow can be found. It is not started. */
export async function checkCommand({
  codex: { command },
  agent: { onQuestion },
}: Pick<Settings, "codex" | "agent">): Promise<Finding> {
  if (command === CODEX) {
    const { command: found } = findCodex({});
    const advice = onQuestion === "block" ? ASKING : [];
    return { ...ok(`${found}; \`codexwright doctor\` checks it, and its login`), advice };
  }
  const word = /^[\w./~+-]+/.exec(command)?.[0];
  if (word === undefined || word.includes("~")) return ok(`${command}; not looked up`);
  try {
    // The word is an argument, so the shell does not interpret it.
    await promisify(execFile)("bash", ["-lc", 'command -v -- "$0"', word], { timeout: VERSION_MS });
    return ok(command);
  } catch {
    return fail(
      `bash does not find ${word}`,
      "Correct codex.command in WORKFLOW.md, or the PATH of login shells.",
    );
  }
}

/** Checks that the state folder is ours alone and can be written. */
export async function checkStateFolder(folder: string): Promise<Finding> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { mode, uid } = await stat(folder);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    if (process.getuid !== undefined && uid !== process.getuid()) {
      return fail(`${folder} belongs to another user`, "Choose another folder with --data.");
    }
    const isOpen = process.platform !== "win32" && (mode & 0o077) !== 0;
    return isOpen ? warn(`other users can read ${folder}`, `Run: chmod 700 ${folder}`) : ok(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return fail(`cannot use ${folder}: ${code}`, "Choose another folder with --data.");
  }
}

/** Says whether the fleet runs. */
export async function checkRunning(stateFolder: string): Promise<Finding> {
  const endpoint = await readEndpoint(stateFolder);
  if (!endpoint) return ok("it does not run");
  const isAlive = await fetch(`${endpoint.url}/api/v1/state`, {
    signal: AbortSignal.timeout(VERSION_MS),
  }).then(
    () => true,
    () => false,
  );
  return ok(
    isAlive ? `it runs at ${endpoint.url}, process ${endpoint.pid}` : "it does not run; it was killed",
  );
}
