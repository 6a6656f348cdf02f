import path from "node:path";
import { InvalidArgumentError } from "../rpc/errors.ts";
import { LINE_BYTES } from "../rpc/line-too-long.ts";
import * as is from "../rpc/options/check.ts";
import { checkOptions, type Table } from "../rpc/options/table.ts";
import { resourceExhausted } from "../rpc/resource-exhausted.ts";
import type { Transport, TransportFactory } from "../rpc/transport.ts";
import type { ServerCommand } from "./command.ts";
import { ServerLease } from "./lease.ts";

/** How to start `codex app-server`, or another program that speaks its protocol. */
export interface StdioOptions {
  /** The path of the binary. Default: CODEX_PATH, `codex` on PATH, or an installed `@openai/codex`. */
  readonly codexPath?: string | undefined;
  /**
   * Another program to start in place of `codex app-server`. A string is text for a shell: `bash -lc <command>` runs it in
   * `cwd`, with the user's profile. An array is a program with its arguments, and no shell. Neither gets arguments that
   * are not in `command`, so it excludes `codexPath` and `config`.
   */
  readonly command?: ServerCommand | undefined;
  /** The CODEX_HOME of the server. The folder must exist. */
  readonly codexHome?: string | undefined;
  /** The folder in which the server is started. Default: the current folder. */
  readonly cwd?: string | undefined;
  /** Variables that are added to the environment of this process. `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Configuration overrides, passed as `-c key=value`. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /**
   * The server may run only while this lease lasts. When it is over, the server and its group are killed, even if this
   * process is stopped or dead. Not available on Windows.
   */
  readonly lease?: ServerLease | undefined;
  /**
   * The longest line that the server may send, in bytes. A longer line ends the connection. Default: 268,435,456, which is
   * also the maximum.
   */
  readonly maxLineBytes?: number | undefined;
  /** Receives the stderr of the server as it is written. */
  readonly onStderr?: ((text: string) => void) | undefined;
}

const COMMAND: is.Check<ServerCommand> = {
  expects: "a non-empty string, or an array of strings with a program as its first element",
  fits: (value) =>
    Array.isArray(value)
      ? is.nonEmptyText.fits(value[0]) && value.every((word) => is.text.fits(word))
      : typeof value === "string" && value.trim() !== "",
};

const LEASE: is.Check<ServerLease> = {
  expects: "a ServerLease",
  fits: (value) => value instanceof ServerLease,
};

export const STDIO_OPTIONS: Table<StdioOptions> = {
  // An empty path usually comes from an unset variable. Ignoring it would start a different Codex than intended.
  codexPath: is.nonEmptyText,
  command: COMMAND,
  codexHome: is.text,
  cwd: is.text,
  env: is.recordOf(is.text),
  config: is.object,
  lease: LEASE,
  maxLineBytes: LINE_BYTES,
  onStderr: is.func,
};

/** Throws for options that cannot be used together, or not on this system. */
export function checkStart({ command, codexPath, config, lease }: StdioOptions): void {
  for (const [name, value] of Object.entries({ codexPath, config })) {
    if (command === undefined || value === undefined) continue;
    throw new InvalidArgumentError(`${name} is for codex app-server: set either it or command`);
  }
  if (lease && process.platform === "win32") {
    throw new InvalidArgumentError("lease must be undefined on Windows: it needs a guard process");
  }
}

/**
 * Starts a `codex app-server` and communicates over its stdin and stdout.
 *
 * The server runs in its own process group, so that Ctrl-C does not reach the server and the whole group can be ended.
 * If this process dies, the server's stdin closes and the server ends.
 */
export function stdio(options: StdioOptions = {}): TransportFactory {
  checkOptions("stdio()", options, STDIO_OPTIONS);
  checkStart(options);
  const cwd = path.resolve(options.cwd ?? process.cwd());
  const factory = async (signal: AbortSignal): Promise<Transport> => {
    try {
      // Loaded when a server is started, because not every program that imports the library starts one.
      const { launch } = await import("./launch.ts");
      return await launch(options, cwd, signal);
    } catch (error) {
      // Loading modules and finding the binary also need descriptors.
      throw resourceExhausted("starting codex", error) ?? error;
    }
  };
  return Object.assign(factory, { cwd });
}
