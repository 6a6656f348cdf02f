import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";

const SUM = `export function sum(numbers) {
  let total = 0;
  for (const number of numbers) total -= number;
  return total;
}
`;

const TEST = `import assert from "node:assert/strict";
import { sum } from "./sum.mjs";

assert.equal(sum([1, 2, 3]), 6);
console.log("the test passes");
`;

/** A Git repository with one test, which fails. */
export class Repository {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.#env = env;
    this.git("init", "--quiet", "--initial-branch=main");
    this.git("config", "user.name", "A user");
    this.git("config", "user.email", "user@example.com");
    writeFileSync(path.join(folder, "sum.mjs"), SUM);
    writeFileSync(path.join(folder, "sum.test.mjs"), TEST);
    this.git("add", ".");
    this.git("commit", "--quiet", "--message=Sum numbers");
  }

  git(...args: readonly string[]): string {
    return this.#run("git", args);
  }

  /** Runs the test of the repository, outside any sandbox. */
  test(): string {
    return this.#run(process.execPath, ["sum.test.mjs"]);
  }

  /** Titles of the commits, the oldest first. */
  commits(): string[] {
    return this.git("log", "--reverse", "--format=%s").trim().split("\n");
  }

  #run(command: string, args: readonly string[]): string {
    return execFileSync(command, args, { cwd: this.folder, env: this.#env, encoding: "utf8", stdio: "pipe" });
  }
}
