/** Lets Codex fix failing tests in CI, and writes the fix as a patch. */
// #region code
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { CodexClient, type CodexError } from "codexwright";
import { CodexAgent, definePrompt, section } from "codexwright/agent";

export interface FixOptions {
  /** A clean checkout. Codex changes files here, and cannot write anywhere else. */
  readonly cwd: string;
  readonly test: readonly string[];
  readonly patchFile: string;
  readonly totalTokens: number;
  readonly deadlineMs: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface FixReport {
  readonly status: "passing" | "fixed" | "not_fixed" | "limit" | "not_logged_in" | "failed";
  /** The exit code that the command `codexwright` would have. */
  readonly exitCode: 0 | 1 | 4 | 5;
  readonly tokens?: number;
  readonly code?: string;
}

export async function fixTests(options: FixOptions): Promise<FixReport> {
  const { cwd, env, deadlineMs } = options;
  const sandbox = "workspace-write";
  const onApproval = () => "decline" as const;
  await using codex = await CodexClient.connect({ cwd, env, sandbox, approvalPolicy: "never", onApproval });

  // The tests run in the sandbox too: after a change, they run code that the model wrote.
  const failure = async (): Promise<string | undefined> => {
    const command = codex.exec(options.test, {
      cwd,
      sandboxPolicy: { type: "workspaceWrite" },
      timeoutMs: deadlineMs,
      outputBytesCap: 20_000,
    });
    const { exitCode, stdout, stderr } = await command.result;
    return exitCode === 0 ? undefined : `The tests fail:\n${stdout}\n${stderr}`;
  };
  const first = await failure();
  if (first === undefined) return { status: "passing", exitCode: 0 };
  const { account, requiresOpenaiAuth } = await codex.account();
  if (requiresOpenaiAuth && account === null) return { status: "not_logged_in", exitCode: 4 };

  const task = section({ key: "task", title: "Task", body: `Fix the code, not the tests.\n\n${first}` });
  const prompt = definePrompt({ id: "recipes/ci-fix", sections: [task], completion: failure });
  await using agent = await CodexAgent.open({ connect: async () => codex, sandbox });
  await using run = agent.run(prompt, { cwd, deadlineMs, budget: { totalTokens: options.totalTokens } });
  try {
    const { usage } = await run.result;
    return { status: "fixed", exitCode: 0, tokens: usage.totalTokens };
  } catch (error) {
    const { code } = error as CodexError;
    if (code === "budget_exceeded" || code === "deadline_exceeded")
      return { status: "limit", exitCode: 5, code };
    return { status: code === "incomplete" ? "not_fixed" : "failed", exitCode: 1, code };
  } finally {
    const git = (...args: string[]) => execFileSync("git", args, { cwd });
    git("add", "--all");
    writeFileSync(options.patchFile, git("diff", "--cached", "--binary", "--no-ext-diff"));
  }
}
// #endregion code
