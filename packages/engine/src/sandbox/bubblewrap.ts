import { accessSync, constants, lstatSync } from "node:fs";
import path from "node:path";
import { checkOptions, type Table } from "codexwright/internal";
import * as is from "codexwright/internal/options";
import type { ResolvedPolicy, Sandbox, SandboxStatus, ShellCommand, WrappedCommand } from "../core/ports.ts";
import { isWithin, normal } from "../core/confinement/paths.ts";
import { pinPolicy, realPath, type PinnedPolicy } from "../core/confinement/pin-policy.ts";
import { SandboxError } from "../core/confinement/sandbox-error.ts";
import { bwrapArguments } from "./bwrap-arguments.ts";
import { nodeDisk } from "./disk.ts";
import { filterFile } from "./filter-file.ts";
import { findBwrap, judge, type Candidate } from "./find-bwrap.ts";
import { splitEnvironment } from "./loader-variables.ts";
import { planMounts, type MountPlan } from "./mount-plan.ts";
import { readMounts, writableLines } from "./mount-table.ts";
import { ownCode } from "./own-code.ts";
import { holdPlaceholder, isPlaceholder, type Placeholder } from "./placeholders.ts";
import { probe, resetsSignals } from "./probe.ts";
import { START, START_IN_TERMINAL, VERIFY_AND_RUN } from "./scripts.ts";
import { whyUnsupported } from "./support.ts";

export interface BubblewrapOptions {
  /** The bubblewrap program. Default: `bwrap` on PATH, or the one in Codex's package. */
  readonly path?: string | undefined;
}

const OPTIONS: Table<BubblewrapOptions> = { path: is.nonEmptyText };

interface Chosen {
  readonly bwrap: Candidate;
  readonly resetsSignals: boolean;
}

/** Programs of the system that run outside the sandbox. */
const SHELL = "/bin/sh";
const ENV = "/usr/bin/env";
/** How many roots a sandbox remembers. */
const MOST_ROOTS = 4096;

/** Confines commands with bubblewrap and a seccomp filter. Linux only: on other systems it is never ready. */
export function bubblewrap(options: BubblewrapOptions = {}): Sandbox {
  checkOptions("bubblewrap()", options, OPTIONS);
  return new Bubblewrap(options);
}

class Bubblewrap implements Sandbox {
  readonly #path: string | undefined;
  /** The real paths of the roots, as they were when they were first used. */
  readonly #roots = new Map<string, string>();
  #found: readonly Candidate[] = [];
  /** The programs that were tried, with the reason if one does not work. */
  readonly #tried = new Map<string, Promise<string | undefined>>();
  #resets: Promise<boolean> | undefined;

  constructor({ path: file }: BubblewrapOptions) {
    if (file !== undefined && !path.isAbsolute(file)) {
      throw new SandboxError("the path of bubblewrap must be absolute");
    }
    this.#path = file;
  }

  async status(policy: ResolvedPolicy): Promise<SandboxStatus> {
    const chosen = await this.#choose(policy);
    return "why" in chosen ? { ready: false, why: chosen.why } : { ready: true };
  }

  async wrap(command: ShellCommand, policy: ResolvedPolicy): Promise<WrappedCommand> {
    const chosen = await this.#choose(policy);
    if ("why" in chosen) throw new SandboxError(chosen.why);
    return this.#wrapIn(chosen.bwrap, command, policy, chosen.resetsSignals);
  }

  /** Finds a program that works, among those that no command of the policy can replace. No other program is started. */
  async #choose(policy: ResolvedPolicy): Promise<Chosen | { readonly why: string }> {
    const unsupported = whyUnsupported(process.platform, process.arch);
    if (unsupported !== undefined) return { why: unsupported };
    if (this.#found.length === 0) {
      this.#found =
        this.#path === undefined ? findBwrap() : [judge(this.#path)].filter((each) => each !== undefined);
    }
    if (this.#found.length === 0) return { why: missing(this.#path) };
    let isSafe: (program: Candidate) => boolean;
    try {
      isSafe = typed(() => outsideOf(policy));
    } catch (error) {
      return { why: (error as SandboxError).message };
    }
    const isSafeFile = (file: string): boolean => [judge(file)].every((each) => each && isSafe(each));
    const safe = this.#found.filter(isSafe);
    if (safe.length === 0 || !isSafeFile(SHELL)) {
      return { why: "bubblewrap or the shell lies in a writable root, so commands could replace it" };
    }
    let why: string | undefined;
    for (const bwrap of safe) {
      const failure = await this.#try(bwrap);
      if (failure === undefined)
        return { bwrap, resetsSignals: isSafeFile(ENV) && (await this.#resetsSignals()) };
      why ??= `${bwrap.file}: ${failure}`;
    }
    return { why: why ?? missing(this.#path) };
  }

  /** Returns why a program does not work. One that works is not tried again. */
  async #try(bwrap: Candidate): Promise<string | undefined> {
    const { file } = bwrap;
    const tried = this.#tried.get(file) ?? probe((command) => this.#wrapIn(bwrap, command, READ_ONLY, false));
    this.#tried.set(file, tried);
    try {
      const failure = await tried;
      if (failure !== undefined) this.#tried.delete(file);
      return failure;
    } catch (error) {
      this.#tried.delete(file);
      throw error;
    }
  }

  #resetsSignals(): Promise<boolean> {
    return (this.#resets ??= resetsSignals(ENV));
  }

  #wrapIn(bwrap: Candidate, command: ShellCommand, policy: ResolvedPolicy, resets: boolean): WrappedCommand {
    const held: Placeholder[] = [];
    const release = (): void => {
      for (const each of held.splice(0)) each.release();
    };
    try {
      return typed(() => this.#build(bwrap, command, policy, resets, held, release));
    } catch (error) {
      release();
      throw error;
    }
  }

  #build(
    bwrap: Candidate,
    command: ShellCommand,
    policy: ResolvedPolicy,
    resets: boolean,
    held: Placeholder[],
    release: () => void,
  ): WrappedCommand {
    const [program] = command.argv;
    // `exec` of a shell would read such a name as an option.
    if (!program || program.startsWith("-")) throw new SandboxError("the command has no program");
    if (!path.isAbsolute(command.cwd)) throw new SandboxError("the working folder must be absolute");
    const pinned = this.#pin(policy, [bwrap.file]);
    const plan = withPlaceholders(planMounts(pinned, nodeDisk), held);
    const mounts = readMounts();
    const writable = [...plan].filter(([, kind]) => kind === "writable").map(([file]) => file);
    const lines = writableLines(mounts, writable);
    const { outside, inside } = splitEnvironment(command.env);
    const isTerminal = command.terminal !== undefined;
    const argv = [
      SHELL,
      "-c",
      isTerminal && resets ? START_IN_TERMINAL : START,
      "codexwright",
      filterFile(process.arch === "arm64" ? "arm64" : "x64", pinned.network),
      bwrap.file,
      ...bwrapArguments({ plan, network: pinned.network, cwd: command.cwd, isTerminal }),
      "--",
      ...(isTerminal && resets ? [ENV, "--default-signal=INT,QUIT,TSTP"] : []),
      SHELL,
      "-c",
      VERIFY_AND_RUN,
      "codexwright",
      `\n${lines.join("\n")}\n`,
      `\n${mounts.map(({ device }) => device).join("\n")}\n`,
      ...withVariables(inside, command.argv),
    ];
    return { command: { ...command, argv, env: outside }, release: () => Promise.resolve(release()) };
  }

  #pin(policy: ResolvedPolicy, programs: readonly string[]): PinnedPolicy {
    const roots = new Set([
      ...policy.writableRoots.map((root) => this.#remember(root)),
      ...policy.grantedRoots,
    ]);
    const neverWritable = [...new Set([...policy.neverWritable, ...ownCode(), ...programs])];
    const pinned = pinPolicy({ ...policy, neverWritable: neverWritable.map(normal) }, nodeDisk);
    // Each root was resolved twice. A link that appeared in between would be a root that is not in the policy.
    const other = pinned.roots.find((root) => !roots.has(root));
    if (other !== undefined)
      throw new SandboxError(`a writable root was replaced, and now leads to ${other}.`);
    return { ...pinned, roots: pinned.roots.filter(isUsable) };
  }

  /** Returns the real path of a root. If the root led to another folder before, perhaps a command replaced it. */
  #remember(root: string): string {
    const now = realPath(root, nodeDisk);
    const before = this.#roots.get(root);
    if (before !== undefined && before !== now) {
      throw new SandboxError(
        `the writable root ${root} led to ${before} before, and now leads to ${now}. Restart the server to use it.`,
      );
    }
    const [oldest] = this.#roots.keys();
    if (before === undefined && this.#roots.size >= MOST_ROOTS && oldest !== undefined) {
      this.#roots.delete(oldest);
    }
    this.#roots.set(root, now);
    return now;
  }
}

/** Returns the arguments that start the command with these variables. */
function withVariables(variables: readonly string[], argv: readonly string[]): readonly string[] {
  if (variables.length === 0) return argv;
  // `env` would take such a program for a variable.
  const isVariable = argv[0]?.includes("=") ?? false;
  return [ENV, ...variables, ...(isVariable ? [SHELL, "-c", 'exec "$@"', "codexwright"] : []), ...argv];
}

/** Returns whether no command of the policy can replace a program. */
function outsideOf(policy: ResolvedPolicy): (program: Candidate) => boolean {
  const roots = [...policy.writableRoots, ...policy.grantedRoots].map((root) => realPath(root, nodeDisk));
  return ({ file, isForeign }) => isForeign || !roots.some((root) => isWithin(file, root));
}

/** Turns every error into a `SandboxError`. */
function typed<T>(build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (error instanceof SandboxError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new SandboxError(`the command cannot be confined: ${code ?? "unknown error"}`, { cause: error });
  }
}

const READ_ONLY: ResolvedPolicy = {
  writableRoots: [],
  grantedRoots: [],
  readOnlyPaths: [],
  neverWritable: [],
  exceptions: [],
  network: false,
};

function missing(file: string | undefined): string {
  const what =
    file === undefined
      ? "bubblewrap was not found in a folder of PATH that only you and root can change"
      : `${file} is not a program that only you and root can change`;
  return `${what}. Install it: apt-get install bubblewrap (Debian, Ubuntu), dnf install bubblewrap (Fedora).`;
}

/** Covers what does not exist, and marks empty folders that other servers might remove. */
function withPlaceholders(plan: MountPlan, held: Placeholder[]): MountPlan {
  return new Map(
    [...plan].map(([file, kind]) => {
      if (kind === "writable" || (kind === "readOnly" && !isEmptyFolder(file))) return [file, kind];
      held.push(holdPlaceholder(file));
      // bwrap mounts the folder itself, not a tmpfs. If a link replaced the folder above, bwrap finds nothing to mount, and
      // ends before it makes a folder somewhere else.
      return [file, "readOnly"];
    }),
  );
}

function isEmptyFolder(file: string): boolean {
  return nodeDisk.kind(file) === "folder" && isPlaceholder(file);
}

/** Whether the user of this process can write to a root, or can make it writable. */
function isUsable(root: string): boolean {
  try {
    accessSync(root, constants.W_OK);
    return true;
  } catch {
    return lstatSync(root).uid === process.getuid?.();
  }
}
