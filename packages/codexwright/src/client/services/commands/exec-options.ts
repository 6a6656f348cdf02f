import type { CommandExecParams, CommandExecTerminalSize, SandboxPolicy } from "../../../protocol/index.ts";
import { InvalidArgumentError } from "../../../rpc/errors.ts";
import { LONGEST_MS } from "../../../rpc/limits.ts";
import * as is from "../../../rpc/options/check.ts";
import { checkOptions, needed, shape, type Table } from "../../../rpc/options/table.ts";
import { atLeast } from "../../../protocol/release.ts";
import { UnsupportedError } from "../../connection/server/server-errors.ts";
import type { OutputLimits } from "./exec-output.ts";

/** Rows and columns of a terminal, in characters. */
export type TerminalSize = CommandExecTerminalSize;

/** How a command runs. */
export interface ExecOptions {
  /** Default: the folder the server runs in. */
  readonly cwd?: string | undefined;
  /** Laid over the server's environment; `null` takes a variable away. */
  readonly env?: Readonly<Record<string, string | null>> | undefined;
  /** Default: what the user's configuration says. */
  readonly sandboxPolicy?: SandboxPolicy | undefined;
  /** A profile of permissions by its id, in place of `sandboxPolicy`; experimental. */
  readonly permissionProfile?: string | undefined;
  /** Runs it in a terminal: stdin is open, and everything it writes comes as stdout. */
  readonly tty?: boolean | TerminalSize | undefined;
  /** `true` keeps stdin open for `stdin.write`; text or bytes are all that the command reads. Default: it is empty. */
  readonly stdin?: boolean | string | Uint8Array | undefined;
  /** The server kills the command after this time: exit code 124, `timedOut`. Default, and 0: no limit. */
  readonly timeoutMs?: number | undefined;
  /**
   * Bytes of each stream that the server sends; it drops the rest, and `truncated` tells. Unset, all is sent: who
   * reads a stream gets everything, and the result holds the first 1 MiB of each. `Infinity`: the result too
   * holds everything.
   */
  readonly outputBytesCap?: number | undefined;
  /** Kills the command; the result rejects `aborted`. */
  readonly signal?: AbortSignal | undefined;
}

const SIZE: Table<TerminalSize> = {
  // Sizes travel as 16-bit numbers, and a terminal has at least one cell.
  cols: needed(is.integer(1, 65_535)),
  rows: needed(is.integer(1, 65_535)),
};

export const EXEC_OPTIONS: Table<ExecOptions> = {
  cwd: is.text,
  env: is.recordOf(is.orNull(is.text)),
  sandboxPolicy: is.object,
  permissionProfile: is.text,
  tty: is.either(is.flag, shape(SIZE)),
  // Any other value would open a stdin that is never closed.
  stdin: is.either(is.flag, is.text, is.bytes),
  timeoutMs: is.milliseconds,
  outputBytesCap: is.integerOrInfinity(0),
  signal: is.signal,
};

/** What the result holds of a stream where nobody says otherwise: what the server sends of its own. */
export const DEFAULT_KEPT = 1_048_576;

/** Since when commands can be fed, streamed and killed. Before, a server runs one and tells how it went. */
const STREAMING_SINCE = "0.115.0";

/** Whether a server of this version streams commands, and can be told more of them. */
export function streams(version: string): boolean {
  return atLeast(version, STREAMING_SINCE);
}

/** How a command is asked for, and what of its output there may be. */
export interface ExecPlan {
  readonly params: CommandExecParams;
  /** Whether the server can stream and be told more; else it answers once. */
  readonly live: boolean;
  readonly limits: OutputLimits;
}

/** Refuses at once what cannot work, and what would be silently ignored by an older server. */
export function planExec(
  argv: readonly string[],
  options: ExecOptions,
  processId: string,
  version: string,
): ExecPlan {
  checkArgv(argv);
  checkOptions("exec()", options, EXEC_OPTIONS);
  const { cwd, sandboxPolicy, permissionProfile } = options;
  const common: CommandExecParams = {
    command: [...argv],
    ...(cwd !== undefined && { cwd }),
    ...(sandboxPolicy !== undefined && { sandboxPolicy }),
    ...(permissionProfile !== undefined && { permissionProfile }),
  };
  const { outputBytesCap: cap, timeoutMs = 0 } = options;
  if (!streams(version)) {
    refuseNewer(options, version);
    // These cap at 1 MiB and have a time limit of 10 s, which can only be moved out of sight.
    return {
      params: { ...common, timeoutMs: timeoutMs || LONGEST_MS },
      live: false,
      limits: { cap: Infinity, keep: Infinity },
    };
  }
  const { tty = false, stdin = false, env } = options;
  const params: CommandExecParams = {
    ...common,
    processId,
    // Buffered output would be text in an encoding that the server guesses; what is streamed is bytes.
    streamStdoutStderr: true,
    ...((tty !== false || stdin !== false) && { streamStdin: true }),
    ...(tty !== false && { tty: true }),
    ...(typeof tty === "object" && { size: { cols: tty.cols, rows: tty.rows } }),
    ...(env !== undefined && { env: { ...env } }),
    ...(timeoutMs > 0 ? { timeoutMs } : { disableTimeout: true }),
    // One more than wanted: the server says "cap reached" also when exactly so much was written.
    ...(cap === undefined || cap === Infinity ? { disableOutputCap: true } : { outputBytesCap: cap + 1 }),
  };
  return { params, live: true, limits: { cap: cap ?? Infinity, keep: cap ?? DEFAULT_KEPT } };
}

function checkArgv(argv: readonly string[]): void {
  if (Array.isArray(argv) && argv.length > 0 && argv.every((word) => typeof word === "string")) return;
  throw new InvalidArgumentError("argv must be the program and its arguments, as a list of strings");
}

export function checkSize(size: TerminalSize): void {
  checkOptions("command.resize()", size, SIZE);
}

function refuseNewer(options: ExecOptions, version: string): void {
  const { tty = false, stdin = false } = options;
  const asked = { ...options, tty: tty || undefined, stdin: stdin === false ? undefined : stdin };
  for (const name of ["tty", "stdin", "env", "outputBytesCap", "permissionProfile"] as const) {
    if (asked[name] === undefined) continue;
    throw new UnsupportedError(`codex ${version} cannot run commands with ${name}: that came with 0.115`);
  }
}
