import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { devNull } from "node:os";
import type { Readable } from "node:stream";
import { ResourceExhaustedError } from "../../rpc/resource-exhausted.ts";
import { absoluteEntries, findProgram } from "../../system/find-program.ts";
import { startProcess } from "../../system/start-process.ts";
import { GitFailedError } from "../errors.ts";

/** How git is run. */
export interface GitOptions {
  /**
   * The git folder, made by `makeGitDir`: its configuration is the only one that git reads. It must never be the folder
   * of somebody else's repository, because a configuration can name programs. `NO_GIT_DIR` if git needs none.
   */
  readonly gitDir: string;
  readonly cwd: string;
  /** Added to our environment, from which every `GIT_` variable is dropped. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly input?: string | Uint8Array | undefined;
  /** The exit codes that are not failures; 0 unless given. */
  readonly exitCodes?: readonly number[] | undefined;
  /** Ends git after this time, which is then a failure: it waits for ever for a writer of a pipe that it opens. */
  readonly limitMs?: number | undefined;
  /** Reads the configuration of the user and of the machine, too. */
  readonly userConfig?: boolean | undefined;
}

/** Not a folder, so that it cannot hold a configuration. */
export const NO_GIT_DIR: string = devNull;

/** Keeps the configuration of the user and of the machine out. */
const OWN_CONFIG: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: devNull,
};

/** No transport is called "none", so nothing is ever fetched. */
const NO_REMOTES: Readonly<Record<string, string>> = { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1" };

/**
 * Runs git and returns its output. Rejects with `git_failed` for other exit codes than were allowed, and with
 * `resource_exhausted` if the system has no room for the process.
 */
export async function git(args: readonly string[], options: GitOptions): Promise<Buffer> {
  return await gitStream(args, options, async (output) => {
    const chunks: Buffer[] = [];
    for await (const chunk of output) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  });
}

/** Runs git and has `read` consume its output up to the end; git is ended if that fails. */
export async function gitStream<T>(
  args: readonly string[],
  { gitDir, cwd, env = {}, input = "", exitCodes = [0], limitMs, userConfig = false }: GitOptions,
  read: (output: Readable) => Promise<T>,
): Promise<T> {
  const command = args.find((arg) => !arg.startsWith("-")) ?? "";
  const program = findProgram("git", process.env["PATH"]);
  if (program === undefined) throw new GitFailedError(command, "git is in no absolute folder of PATH");
  const child = (await startProcess(
    program,
    ["-c", `core.hooksPath=${devNull}`, "-c", "core.fsmonitor=false", ...args],
    {
      cwd,
      env: {
        ...inherited(),
        LC_ALL: "C",
        GIT_TERMINAL_PROMPT: "0",
        ...NO_REMOTES,
        ...(userConfig ? {} : OWN_CONFIG),
        GIT_DIR: gitDir,
        ...env,
      },
      stdio: ["pipe", "pipe", "pipe"],
    },
  ).catch((error: unknown) => {
    throw error instanceof ResourceExhaustedError ? error : new GitFailedError(command, "", undefined, error);
  })) as ChildProcessWithoutNullStreams;
  const err: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  child.stdin.on("error", () => {}); // git need not read it all; its exit code reports whether that matters
  child.stdin.end(input);
  const limit = limitMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), limitMs);
  const exit = new Promise<number | null>((resolve) => {
    child.on("close", resolve);
  }).finally(() => clearTimeout(limit));
  const [result, code] = await Promise.all([
    read(child.stdout).then(
      (value) => ({ value }),
      (error: unknown) => {
        child.stdout.destroy();
        child.kill();
        return { error };
      },
    ),
    exit,
  ]);
  // A failure of git is the cause of output that ends early; a null code is our own `kill`.
  const failed = code === null ? !("error" in result) : !exitCodes.includes(code);
  if (failed) {
    throw new GitFailedError(command, Buffer.concat(err).toString("utf8"), code ?? undefined);
  }
  if ("error" in result) throw result.error;
  return result.value;
}

/** Our environment without git's variables. Relative entries of PATH would be folders of the repository. */
function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env)
      .filter(([name]) => !name.startsWith("GIT_"))
      .map(([name, value]) => [name, name.toUpperCase() === "PATH" ? absoluteEntries(value) : value]),
  );
}
