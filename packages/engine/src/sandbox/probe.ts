import { execFile, type ExecFileException } from "node:child_process";
import type { ShellCommand, WrappedCommand } from "../core/ports.ts";
import { SandboxError } from "../core/confinement/sandbox-error.ts";
import { ownEnvironment } from "./loader-variables.ts";
import { explain } from "./support.ts";

const PROBE_MS = 10_000;

/** Prints "confined" if the kernel filters the calls of the command, and if a write is refused. */
const SCRIPT = `while read -r name value; do
  case "$name $value" in "Seccomp: 2") s=1 ;; "NoNewPrivs: 1") p=1 ;; "CapEff: 0000000000000000") c=1 ;; esac
done </proc/self/status
if [ "$s$p$c" = 111 ] && ! (: >"/codexwright-probe-$$") 2>/dev/null; then echo confined; fi`;

/** How often a command is run again that something else has ended, such as a lack of memory. */
const MORE_TRIES = 2;

/** Runs a command in the sandbox. Returns why it failed, or `undefined`. */
export async function probe(wrap: (command: ShellCommand) => WrappedCommand): Promise<string | undefined> {
  try {
    const wrapped = wrap({ argv: ["/bin/sh", "-c", SCRIPT], cwd: "/", onData: () => {} });
    try {
      let outcome = await run(wrapped.command.argv);
      for (let more = MORE_TRIES; outcome.ended !== undefined && more > 0; more--)
        outcome = await run(wrapped.command.argv);
      const { stdout, stderr, failure, ended } = outcome;
      if (stdout.trim() === "confined" && !failure) return undefined;
      if (ended !== undefined) return `a trial command was ended by ${ended}`;
      if (stderr !== "") return explain(stderr);
      return failure ? "a trial command failed" : "it runs commands without confining them";
    } finally {
      await wrapped.release();
    }
  } catch (error) {
    if (error instanceof SandboxError) return error.message;
    throw error;
  }
}

/** Whether this `env` can give a command the default actions of signals that its parent ignores. */
export async function resetsSignals(env: string): Promise<boolean> {
  const { failure } = await run([env, "--default-signal=INT,QUIT,TSTP", "/bin/sh", "-c", ":"]);
  return !failure;
}

interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly failure: boolean;
  /** The signal or limit that ended the command, if it did not exit by itself. */
  readonly ended: string | undefined;
}

function run([file, ...args]: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    if (file === undefined) throw new TypeError("a command needs a program");
    const options = {
      timeout: PROBE_MS,
      killSignal: "SIGKILL",
      cwd: "/",
      encoding: "utf8",
      env: ownEnvironment(),
    } as const;
    execFile(file, args, options, (error, stdout, stderr) =>
      resolve({ stdout, stderr, failure: error !== null, ended: endOf(error) }),
    );
  });
}

function endOf(error: ExecFileException | null): string | undefined {
  if (error?.killed) return `its time limit of ${PROBE_MS / 1000} s`;
  return error?.signal ?? (typeof error?.code === "string" ? error.code : undefined);
}
