import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

/** The part of a `pull_request` event that the bot uses. */
export interface PullRequest {
  readonly number: number;
  readonly repository: { readonly full_name: string };
  readonly pull_request: { readonly base: { readonly ref: string } };
}

export interface RemoteOptions {
  /** For example https://github.com. */
  readonly gitUrl: string;
  readonly token: string;
  /** Holds a bare mirror of each repository. Only the bot writes there. */
  readonly folder: string;
}

export interface FetchedHead {
  readonly mirror: string;
  readonly head: string;
  /** The changes of the pull request, as GitHub shows them. */
  readonly diff: string;
}

/** Fetches the newest head of a pull request into the mirror of its repository. */
export async function fetchHead(
  { number, repository: { full_name: name }, pull_request: { base } }: PullRequest,
  { gitUrl, token, folder }: RemoteOptions,
  signal: AbortSignal,
): Promise<FetchedHead> {
  if (!/^[\w-]+\/[\w-][\w.-]*$/.test(name) || !Number.isSafeInteger(number)) throw new Error("bad event");
  const mirror = path.join(folder, "mirrors", `${name}.git`);
  await mkdir(mirror, { recursive: true });
  const basic = Buffer.from(`x-access-token:${token}`).toString("base64");
  // The token is in the environment of git: other users can read arguments, and Codex can read the mirror's files.
  const env = {
    ...process.env,
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `http.${gitUrl}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
  };
  const git = async (...args: readonly string[]): Promise<string> => {
    const options = { cwd: mirror, env, signal, maxBuffer: 64 * 1024 * 1024 };
    return (await promisify(execFile)("git", args, options)).stdout;
  };
  await git("init", "--bare", "--quiet");
  const pulled = `refs/pull/${number}/head`;
  const branch = `refs/heads/${base.ref}`;
  const specs = [`+${pulled}:${pulled}`, `+${branch}:${branch}`];
  await git("fetch", "--quiet", "--no-tags", `${gitUrl}/${name}.git`, ...specs);
  const head = (await git("rev-parse", "--verify", pulled)).trim();
  const diff = await git("-c", "core.quotePath=false", "diff", "--no-ext-diff", `${branch}...${head}`);
  return { mirror, head, diff };
}
