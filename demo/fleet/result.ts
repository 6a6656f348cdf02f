import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The repository that workspaces are clones of. Each finished issue becomes a branch. */
export class Repository {
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(project: string, env: Readonly<Record<string, string | undefined>>) {
    this.#folder = path.join(project, "repository.git");
    this.#env = env;
  }

  /** Makes the repository, with one commit. */
  async make(project: string): Promise<void> {
    const first = path.join(project, "first");
    await mkdir(first);
    await writeFile(path.join(first, "package.json"), '{ "name": "rates", "type": "module" }\n');
    await this.#git(first, "init", "--quiet", "--initial-branch=main");
    await this.#git(first, "add", "--all");
    await this.#git(first, "commit", "--quiet", "-m", "An empty project");
    await this.#git(project, "clone", "--quiet", "--bare", first, this.#folder);
  }

  async branches(): Promise<readonly string[]> {
    const names = await this.#git(this.#folder, "for-each-ref", "--format=%(refname:short)", "refs/heads");
    return names.split("\n").filter((name) => name !== "" && name !== "main");
  }

  /** The changes of an issue. */
  async diff(issue: string): Promise<string> {
    return await this.#git(this.#folder, "diff", "--no-color", "main", issue, "--");
  }

  async #git(cwd: string, ...args: readonly string[]): Promise<string> {
    const { stdout } = await run("git", args, { cwd, env: { ...process.env, ...this.#env } });
    return stdout;
  }
}
