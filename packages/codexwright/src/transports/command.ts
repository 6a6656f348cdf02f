import path from "node:path";
import { findProgram } from "../system/find-program.ts";
import { CodexNotFoundError } from "./not-found.ts";

/** A program to start in place of `codex app-server`: text for a shell, or a program with its arguments. */
export type ServerCommand = string | readonly string[];

/** A program that can be started. */
export interface FoundCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** Advice for the user if the program cannot be started. Default: the advice about Codex. */
  readonly advice?: string;
  /** Returns the reason if this exit code of a shell means that it could not start its program. */
  readonly notStarted?: (code: number, stderr: string) => Error | undefined;
}

const ADVICE =
  "Check the option command, and the PATH that its program is looked up on (a login shell changes PATH).";

/** The exit codes of a shell that cannot execute its program, or does not find it. */
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;

/** Finds the shell or program of a command. A program with a relative folder is looked up in `cwd`. */
export function findCommand(
  command: ServerCommand,
  cwd: string,
  searchPath: string | undefined,
): FoundCommand {
  const [name, ...args] = typeof command === "string" ? ["bash", "-lc", command] : command;
  const file = locate(name ?? "", cwd, searchPath);
  if (file === undefined)
    throw new CodexNotFoundError(`${name} was not found on PATH`, [name ?? ""], undefined, ADVICE);
  if (typeof command !== "string") return { file, args, advice: ADVICE };
  const notStarted = (code: number, stderr: string): Error | undefined => {
    if (code !== NOT_FOUND && code !== NOT_EXECUTABLE) return undefined;
    const program = nameIn(stderr) ?? firstWord(command);
    const why = code === NOT_FOUND ? "was not found" : "cannot be executed";
    return new CodexNotFoundError(`${program} ${why} by bash`, [program], undefined, ADVICE);
  };
  return { file, args, advice: ADVICE, notStarted };
}

function locate(name: string, cwd: string, searchPath: string | undefined): string | undefined {
  const hasFolder = name.includes("/") || name.includes(path.sep);
  return hasFolder ? path.resolve(cwd, name) : findProgram(name, searchPath);
}

/** The name in a message such as `bash: line 1: codex: command not found`. */
function nameIn(stderr: string): string | undefined {
  const messages = stderr.matchAll(/^[^\n:]*bash: (?:line \d+: )?(?:exec: )?([^\n]{1,500}): [^:\n]+$/gm);
  return [...messages].at(-1)?.[1];
}

/** The first word that is not an assignment: assignments can contain secrets. */
function firstWord(text: string): string {
  return text.split(/\s+/).find((word) => /^[\w./-]+$/.test(word)) ?? "the command";
}
