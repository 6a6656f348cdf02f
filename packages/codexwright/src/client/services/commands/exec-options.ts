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
  /** Default: the working folder of the server. */
  readonly cwd?: string | undefined;
  /** Added to the server's environment; `null` removes a variable. */
  readonly env?: Readonly<Record<string, string | null>> | undefined;
  /** Default: the policy of the user's configuration. */
  readonly sandboxPolicy?: SandboxPolicy | undefined;
  /** Id of a permission profile, instead of `sandboxPolicy`; experimental. */
  readonly permissionProfile?: string | undefined;
  /** Runs the command in a terminal: stdin is open, and all output arrives as stdout. */
  readonly tty?: boolean | TerminalSize | undefined;
  /**
   * `true` keeps stdin open for `stdin.write`. Text or bytes are written as the whole input. Default: stdin is empty.
   */
  readonly stdin?: boolean | string | Uint8Array | undefined;
  /**
   * The server kills the command after this time. The result then has exit code 124 and `timedOut`. Default and 0: no
   * limit.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Maximum number of bytes of each stream that the server sends. The server drops the rest, and the result has
   * `truncated` set. Unset: the server sends everything, readers of a stream receive everything, and the result holds
   * the first 1 MiB of each stream. `Infinity`: the result holds everything too.
   */
  readonly outputBytesCap?: number | undefined;
  /** Kills the command; the result rejects with `aborted`. */
  readonly signal?: AbortSignal | undefined;
}

const SIZE: Table<TerminalSize> = {
  // Sizes are 16-bit numbers on the wire, and a terminal has at least one cell.
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

/** Bytes of a stream that the result holds by default: the same as the server's own default. */
export const DEFAULT_KEPT = 1_048_576;

/**
 * The first version that can stream output, accept input and kill commands. Older servers run a command to its end and
 * return its result.
 */
const STREAMING_SINCE = "0.115.0";

/** Whether a server of this version streams commands and accepts input for them. */
export function streams(version: string): boolean {
  return atLeast(version, STREAMING_SINCE);
}

/** The request that starts a command, and the limits of its output. */
export interface ExecPlan {
  readonly params: CommandExecParams;
  /** Whether the server can stream output and accept input. If not, it answers once, when the command has ended. */
  readonly live: boolean;
  readonly limits: OutputLimits;
}

/** Throws immediately for options that cannot work, and for options that an older server would silently ignore. */
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
    // These servers cap output at 1 MiB and have a time limit of 10 s, which cannot be disabled, only set to the
    // maximum.
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
    // Buffered output would be text in an encoding that the server guesses. Streamed output is bytes.
    streamStdoutStderr: true,
    ...((tty !== false || stdin !== false) && { streamStdin: true }),
    ...(tty !== false && { tty: true }),
    ...(typeof tty === "object" && { size: { cols: tty.cols, rows: tty.rows } }),
    ...(env !== undefined && { env: { ...env } }),
    ...(timeoutMs > 0 ? { timeoutMs } : { disableTimeout: true }),
    // Request one byte more than the caller's cap, because the server also reports "cap reached" if the output has
    // exactly as many bytes as the cap.
    ...(cap === undefined || cap === Infinity ? { disableOutputCap: true } : { outputBytesCap: cap + 1 }),
  };
  return { params, live: true, limits: { cap: cap ?? Infinity, keep: cap ?? DEFAULT_KEPT } };
}

function checkArgv(argv: readonly string[]): void {
  if (Array.isArray(argv) && argv.length > 0 && argv.every((word) => typeof word === "string")) return;
  throw new InvalidArgumentError("argv must be a non-empty list of strings: the program and its arguments");
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
