import { CodexClient } from "codexwright";
import { realAppServer, reply, scriptedModel } from "@codexwright/testing";
import { fail, ok, warn, type Finding } from "./check.ts";

const COMMAND_MS = 20_000;
const TURN_MS = 30_000;
const ANSWER = "The round trip works.";

/** The findings about a real Codex in a temporary home. */
export interface Trial {
  readonly sandbox: Finding;
  readonly roundTrip: Finding;
}

/** Starts a real Codex with a scripted model, and runs a sandboxed command and a turn. */
export async function tryOut(codexPath: string): Promise<Trial> {
  await using model = await scriptedModel([reply(ANSWER)]);
  await using world = await realAppServer({ model, codexPath });
  await using codex = await CodexClient.connect(world.clientOptions);
  const sandbox = await trySandbox(codex, world.workspace);
  const startedAt = Date.now();
  const thread = await codex.startThread({ ephemeral: true, sandbox: "read-only" });
  const { agentMessage } = await thread.run("Answer.", { timeoutMs: TURN_MS });
  const roundTrip =
    agentMessage === ANSWER
      ? ok(`a turn with a scripted model took ${Date.now() - startedAt} ms`)
      : fail("a turn with a scripted model did not end with the model's text");
  return { sandbox, roundTrip };
}

/** The output of a command that may read but not write. */
export interface SandboxOutcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function trySandbox(codex: CodexClient, folder: string): Promise<Finding> {
  if (process.platform === "win32") return ok("not checked on Windows");
  try {
    const outcome = await codex.request("command/exec", {
      command: ["/bin/sh", "-c", "echo runs; touch probe && echo writes"],
      cwd: folder,
      sandboxPolicy: { type: "readOnly" },
      timeoutMs: COMMAND_MS,
    } as never);
    return judgeSandbox(outcome);
  } catch (error) {
    return judgeSandbox({ exitCode: -1, stdout: "", stderr: (error as Error).message });
  }
}

const ADVICE: readonly string[] =
  process.platform === "darwin"
    ? ["Codex uses /usr/bin/sandbox-exec: check that it exists, and that you are not inside another sandbox."]
    : [
        "Codex uses bubblewrap: install it (apt install bubblewrap), and allow user namespaces",
        "(sysctl kernel.unprivileged_userns_clone=1; in a container: --security-opt seccomp=unconfined).",
        "If the container is your sandbox: codexwright run --sandbox danger-full-access.",
      ];

/** Checks that the command ran, and that it could not write. */
export function judgeSandbox({ stdout, stderr }: SandboxOutcome): Finding {
  // Codex 0.98 does not install its helper in a temporary home, and the check must not use the user's home.
  if (stderr.includes("required but not provided"))
    return warn("this Codex cannot be checked in a temporary home");
  if (!stdout.includes("runs")) {
    const why = stderr.trim().split("\n").at(-1) ?? "";
    return fail(`a sandboxed command does not run: ${why || "it printed no reason"}`, ...ADVICE);
  }
  if (stdout.includes("writes"))
    return fail("a read-only command could write: the sandbox has no effect", ...ADVICE);
  return ok("a sandboxed command runs, and cannot write");
}
