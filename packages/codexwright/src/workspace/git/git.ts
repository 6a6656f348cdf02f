import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { devNull } from "node:os";
import type { Readable } from "node:stream";
import { ResourceExhaustedError } from "../../rpc/resource-exhausted.ts";
import { absoluteEntries, findProgram } from "../../system/find-program.ts";
import { startProcess } from "../../system/start-process.ts";
import { GitFailedError } from "../errors.ts";

/** Options to run git. */
export interface GitOptions {
  /**
   * The git folder, created by `makeGitDir`. Git reads only the configuration in this folder. Never pass the git folder
   * of a foreign repository, because its configuration can name programs to run. If git needs no git folder, pass
   * `NO_GIT_DIR`.
   */
  readonly gitDir: string;
  readonly cwd: string;
  /** Variables that are added to our environment, after all `GIT_` variables are removed from it. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly input?: string | Uint8Array | undefined;
  /** Exit codes that are not failures. Default: 0. */
  readonly exitCodes?: readonly number[] | undefined;
  /**
   * Kills git after this time and rejects. If no limit is set, git could wait forever, for example when it opens a pipe
   * that has no writer.
   */
  readonly limitMs?: number | undefined;
  /** If true, git also reads the configuration of the user and the machine. */
  readonly userConfig?: boolean | undefined;
}

/** A path that is not a folder, so it cannot contain a configuration. */
export const NO_GIT_DIR: string = devNull;

/** Disables the configuration of the user and the machine. */
const OWN_CONFIG: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: devNull,
};

/** There is no transport named "none", so git never fetches anything. */
const NO_REMOTES: Readonly<Record<string, string>> = { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1" };

/**
 * Runs git and returns its output. Rejects with `git_failed` if the exit code is not allowed, and with
 * `resource_exhausted` if the system cannot start another process.
 */
export async function git(args: readonly string[], options: GitOptions): Promise<Buffer> {
  return await gitStream(args, options, async (output) => {
    const chunks: Buffer[] = [];
    for await (const chunk of output) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  });
}

/** Runs git and passes its output to `read`, which must read it to the end. Kills git if `read` fails. */
export async function gitStream<T>(
  args: readonly string[],
  { gitDir, cwd, env = {}, input = "", exitCodes = [0], limitMs, userConfig = false }: GitOptions,
  read: (output: Readable) => Promise<T>,
): Promise<T> {
  const command = args.find((arg) => !arg.startsWith("-")) ?? "";
  const program = findProgram("git", process.env["PATH"]);
  if (program === undefined)
    throw new GitFailedError(command, "git was not found in any absolute folder of PATH");
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
  child.stdin.on("error", () => {}); // git may exit without reading all input; its exit code shows if that is an error
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
  // If git failed, its error explains why the output is truncated. A null code means that we killed git ourselves.
  const failed = code === null ? !("error" in result) : !exitCodes.includes(code);
  if (failed) {
    throw new GitFailedError(command, Buffer.concat(err).toString("utf8"), code ?? undefined);
  }
  if ("error" in result) throw result.error;
  return result.value;
}

/**
 * Our environment without git's variables. Relative entries of PATH are removed, because they could refer to folders of
 * the repository.
 */
function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env)
      .filter(([name]) => !name.startsWith("GIT_"))
      .map(([name, value]) => [name, name.toUpperCase() === "PATH" ? absoluteEntries(value) : value]),
  );
}
