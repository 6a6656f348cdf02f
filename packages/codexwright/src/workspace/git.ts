import { devNull } from "node:os";
import { ResourceExhaustedError } from "../rpc/resource-exhausted.ts";
import { absoluteEntries, findProgram } from "../system/find-program.ts";
import { startProcess } from "../system/start-process.ts";
import { GitFailedError } from "./errors.ts";

/** How git is run. */
export interface GitOptions {
  readonly cwd: string;
  /** Added to ours, of which nothing that says where a repository is gets through. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly input?: string | Uint8Array | undefined;
}

/** Keeps the user's and the machine's settings out: for repositories of ours. */
export const OWN_CONFIG: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: devNull,
};

/** No transport has this name. */
const NO_REMOTES: Readonly<Record<string, string>> = { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1" };

/**
 * Runs git and returns its output; rejects with `git_failed` for any other exit than 0, and with `resource_exhausted` if
 * the system has no room for the process. No hook is run, and nothing is fetched: what a repository names as its remote
 * could be a program. Relative entries of PATH are kept from git too: they would be folders of the repository.
 */
export async function git(
  args: readonly string[],
  { cwd, env = {}, input = "" }: GitOptions,
): Promise<Buffer> {
  const command = args.find((arg) => !arg.startsWith("-")) ?? "";
  const program = findProgram("git", process.env["PATH"]);
  if (program === undefined) throw new GitFailedError(command, "git is in no absolute folder of PATH");
  const inherited = Object.entries(process.env)
    .filter(([name]) => !name.startsWith("GIT_"))
    .map(([name, value]) => [name, name.toUpperCase() === "PATH" ? absoluteEntries(value) : value]);
  const child = await startProcess(
    program,
    ["-c", `core.hooksPath=${devNull}`, "-c", "core.fsmonitor=false", ...args],
    {
      cwd,
      env: { ...Object.fromEntries(inherited), LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", ...NO_REMOTES, ...env },
      stdio: ["pipe", "pipe", "pipe"],
    },
  ).catch((error: unknown) => {
    throw error instanceof ResourceExhaustedError ? error : new GitFailedError(command, "", undefined, error);
  });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
  child.stdin?.on("error", () => {}); // git need not read it all; its exit code reports whether that matters
  child.stdin?.end(input);
  const code = await new Promise<number | null>((resolve) => {
    child.on("close", resolve);
  });
  if (code === 0) return Buffer.concat(out);
  throw new GitFailedError(command, Buffer.concat(err).toString("utf8"), code ?? undefined);
}
