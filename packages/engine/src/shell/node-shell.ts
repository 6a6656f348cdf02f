import { randomBytes } from "node:crypto";
import { userInfo } from "node:os";
import { checkOptions, shape, type Table } from "codexwright/internal";
import * as is from "codexwright/internal/options";
import type { Shell, ShellCommand, ShellProcess } from "../core/ports.ts";
import { CommandStartError } from "../core/commands/errors.ts";
import { environmentOf, type ShellEnvironmentPolicy } from "./environment.ts";
import { findExecutable } from "./executable.ts";
import { startPiped } from "./piped-process.ts";
import { killMarked, MARK } from "./process-tree.ts";
import { startInTerminal } from "./terminal-process.ts";

/** Options of {@link nodeShell}. */
export interface NodeShellOptions {
  /** The environment that commands inherit from; default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Which variables commands get; default: all but the secrets. */
  readonly policy?: ShellEnvironmentPolicy | undefined;
  /** Variables that commands never get, such as the variable with the API key of the model's provider. */
  readonly secrets?: readonly string[] | undefined;
  /** The shell that runs scripts; default: $SHELL, or the login shell of the user, or /bin/bash. */
  readonly program?: string | undefined;
}

const POLICY: Table<ShellEnvironmentPolicy> = {
  inherit: is.oneOf("all", "core", "none"),
  ignoreDefaultExcludes: is.flag,
  exclude: is.listOf(is.text),
  set: is.recordOf(is.text),
  includeOnly: is.listOf(is.text),
};

const OPTIONS: Table<NodeShellOptions> = {
  env: is.recordOf(is.text),
  policy: shape(POLICY),
  secrets: is.listOf(is.text),
  program: is.nonEmptyText,
};

/** The shells whose scripts and options we know. Another login shell is not used. */
const KNOWN = /\/(ba|z|da|a)?sh$/;

/**
 * Runs commands as processes of this machine, each in a session of its own. Closing the shell kills all of them and, on
 * Linux, every process that they started, unless such a process has removed its environment.
 */
export function nodeShell(options: NodeShellOptions = {}): Shell {
  checkOptions("nodeShell()", options, OPTIONS);
  return new NodeShell(options);
}

class NodeShell implements Shell {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly #id = randomBytes(8).toString("hex");
  readonly #children = new Set<ShellProcess>();
  readonly #starting = new Set<Promise<unknown>>();
  #count = 0;
  #closed: Promise<void> | undefined;

  constructor({ env = process.env, policy, secrets, program }: NodeShellOptions) {
    this.env = environmentOf(env, policy, secrets);
    this.program = program ?? loginShell(env["SHELL"]);
  }

  find(name: "bash" | "sh" | "zsh"): string | undefined {
    if (this.program.endsWith(`/${name}`)) return this.program;
    try {
      return findExecutable(name, this.env["PATH"], "/");
    } catch {
      return undefined;
    }
  }

  async start(command: ShellCommand): Promise<ShellProcess> {
    if (this.#closed) throw new CommandStartError("the shell has closed");
    const mark = `${this.#id}.${++this.#count}.`;
    const starting = this.#start(command, mark);
    this.#starting.add(starting);
    try {
      return await starting;
    } finally {
      this.#starting.delete(starting);
    }
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #start(command: ShellCommand, mark: string): Promise<ShellProcess> {
    const env = { ...this.env };
    for (const [name, value] of Object.entries(command.env ?? {})) {
      if (value === null) delete env[name];
      else env[name] = value;
    }
    env[MARK] = mark;
    const child = command.terminal
      ? await startInTerminal(command, command.terminal, env)
      : await startPiped(command, env);
    const killGroup = child.kill.bind(child);
    child.kill = () => {
      killGroup();
      void killMarked(mark);
    };
    this.#children.add(child);
    void child.exited.then(() => this.#children.delete(child));
    return child;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#starting);
    for (const child of this.#children) child.kill();
    await Promise.all([...this.#children].map(({ exited }) => exited));
    await killMarked(`${this.#id}.`);
  }
}

/** The user's shell, if its options are known. */
function loginShell(named: string | undefined): string {
  for (const shell of [named, fromPasswd()]) {
    if (shell !== undefined && KNOWN.test(shell)) {
      try {
        return findExecutable(shell, undefined, "/") ?? "/bin/bash";
      } catch {
        // It does not exist.
      }
    }
  }
  return "/bin/bash";
}

function fromPasswd(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    return undefined; // The user is not in the list of users.
  }
}
