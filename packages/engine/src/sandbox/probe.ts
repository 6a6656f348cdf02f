import { execFile } from "node:child_process";
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

/** Runs a command in the sandbox. Returns why it failed, or `undefined`. */
export async function probe(wrap: (command: ShellCommand) => WrappedCommand): Promise<string | undefined> {
  try {
    const wrapped = wrap({ argv: ["/bin/sh", "-c", SCRIPT], cwd: "/", onData: () => {} });
    try {
      const { stdout, stderr, failure } = await run(wrapped.command.argv);
      if (stdout.trim() === "confined" && !failure) return undefined;
      return failure || stderr !== "" ? explain(stderr) : "it runs commands without confining them";
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
      resolve({ stdout, stderr: stderr || (error?.message ?? ""), failure: error !== null }),
    );
  });
}
