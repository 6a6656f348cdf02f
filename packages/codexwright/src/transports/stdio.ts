import path from "node:path";
import * as is from "../rpc/options/check.ts";
import { checkOptions, type Table } from "../rpc/options/table.ts";
import { resourceExhausted } from "../rpc/resource-exhausted.ts";
import type { Transport, TransportFactory } from "../rpc/transport.ts";

/** How to start `codex app-server`. */
export interface StdioOptions {
  /** The path of the binary. Default: CODEX_PATH, `codex` on PATH, or an installed `@openai/codex`. */
  readonly codexPath?: string | undefined;
  /** The CODEX_HOME of the server. The folder must exist. */
  readonly codexHome?: string | undefined;
  /** The folder in which the server is started. Default: the current folder. */
  readonly cwd?: string | undefined;
  /** Variables that are added to the environment of this process. `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Configuration overrides, passed as `-c key=value`. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** Receives the stderr of the server as it is written. */
  readonly onStderr?: ((text: string) => void) | undefined;
}

export const STDIO_OPTIONS: Table<StdioOptions> = {
  // An empty path usually comes from an unset variable. Ignoring it would start a different Codex than intended.
  codexPath: is.nonEmptyText,
  codexHome: is.text,
  cwd: is.text,
  env: is.recordOf(is.text),
  config: is.object,
  onStderr: is.func,
};

/**
 * Starts a `codex app-server` and communicates over its stdin and stdout.
 *
 * The server runs in its own process group, so that Ctrl-C does not reach the server and the whole group can be ended.
 * If this process dies, the server's stdin closes and the server ends.
 */
export function stdio(options: StdioOptions = {}): TransportFactory {
  checkOptions("stdio()", options, STDIO_OPTIONS);
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
