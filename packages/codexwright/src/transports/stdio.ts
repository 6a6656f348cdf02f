import path from "node:path";
import * as is from "../rpc/options/check.ts";
import { checkOptions, type Table } from "../rpc/options/table.ts";
import { resourceExhausted } from "../rpc/resource-exhausted.ts";
import type { Transport, TransportFactory } from "../rpc/transport.ts";

/** How to start `codex app-server`. */
export interface StdioOptions {
  /** The binary; else CODEX_PATH, `codex` on PATH, an installed `@openai/codex`. */
  readonly codexPath?: string | undefined;
  /** The server's CODEX_HOME; it must exist. */
  readonly codexHome?: string | undefined;
  /** The folder the server is started in; default: ours. */
  readonly cwd?: string | undefined;
  /** Merged over our own environment; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Configuration overrides, given as `-c key=value`. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** Gets what the server writes to stderr, as it comes. */
  readonly onStderr?: ((text: string) => void) | undefined;
}

export const STDIO_OPTIONS: Table<StdioOptions> = {
  // An empty one comes from a variable that is not set: another Codex than the one that was meant would be found.
  codexPath: is.nonEmptyText,
  codexHome: is.text,
  cwd: is.text,
  env: is.recordOf(is.text),
  config: is.object,
  onStderr: is.func,
};

/**
 * Speaks to a `codex app-server` of our own over its stdin and stdout.
 *
 * The process gets a process group of its own, so that a Ctrl-C meant for us does not reach it and the
 * whole group can be ended; when our process dies, its stdin closes and it ends by itself.
 */
export function stdio(options: StdioOptions = {}): TransportFactory {
  checkOptions("stdio()", options, STDIO_OPTIONS);
  const cwd = path.resolve(options.cwd ?? process.cwd());
  const factory = async (signal: AbortSignal): Promise<Transport> => {
    try {
      // Loaded when a server is started: a program that imports the library does not always start one.
      const { launch } = await import("./launch.ts");
      return await launch(options, cwd, signal);
    } catch (error) {
      // Loading and looking for the binary need descriptors too.
      throw resourceExhausted("starting codex", error) ?? error;
    }
  };
  return Object.assign(factory, { cwd });
}
