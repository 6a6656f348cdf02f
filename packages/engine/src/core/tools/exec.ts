import type { ThreadItem } from "codexwright/protocol";
import { CodexError } from "codexwright/rpc";
import { askForCommand, type CommandItem } from "../approvals/command-approval.ts";
import { ArgumentsError, oneOf, optional, required } from "../commands/arguments.ts";
import { toolEnv } from "../commands/command-env.ts";
import { CommandStartError } from "../commands/errors.ts";
import { execReport } from "../commands/exec-report.ts";
import { TERMINAL, type ExecSession } from "../commands/exec-session.ts";
import { shellArgv } from "../commands/shell-argv.ts";
import { startCommand } from "../commands/start-command.ts";
import { realPath } from "../confinement/pin-policy.ts";
import { EXEC_COMMAND } from "../instructions/tool-specs.ts";
import type { Paths, ShellProcess } from "../ports.ts";
import { actionsOf, joined } from "../shell-words.ts";
import { policyOf } from "../threads/thread-policy.ts";
import type { TurnRun } from "../turn/turn-run.ts";
import type { WireObject } from "../wire-object.ts";
import { patchIn, runPatch } from "./patch-call.ts";
import type { CallOutcome, ToolCall, ToolHandler } from "./tool-handler.ts";

const RUNNING_STEPS = 2;
/** How long a call waits for the end of its command. */
const YIELD_MS = { least: 250, most: 30_000, usual: 10_000 } as const;

/** The tool that runs shell commands. */
export const execCommand: ToolHandler<TurnRun> = {
  name: "exec_command",
  parallel: true,
  spec: () => EXEC_COMMAND,
  run: (call, run) => runExec(run, call),
};

/** An older name of `exec_command`, which models still use. */
export const shellCommand: ToolHandler<TurnRun> = {
  ...execCommand,
  name: "shell_command",
  spec: () => undefined,
  run: ({ input, ...call }, run) => runExec(run, { ...call, input: { cmd: input["command"], ...input } }),
};

/** The arguments of `exec_command`. */
interface ExecArguments {
  readonly script: string;
  readonly workdir: string;
  readonly shell: string | undefined;
  readonly login: boolean;
  readonly tty: boolean;
  readonly yieldMs: number;
  readonly maxTokens: number | undefined;
  readonly escalated: boolean;
  readonly reason: string | undefined;
  readonly prefix: readonly string[] | undefined;
}

function readArguments(args: WireObject): ExecArguments {
  const permissions = oneOf(args, "sandbox_permissions", ["use_default", "require_escalated"]);
  return {
    script: required(args, "cmd", "string"),
    workdir: optional(args, "workdir", "string") || ".",
    shell: optional(args, "shell", "string"),
    login: optional(args, "login", "boolean") ?? true,
    tty: optional(args, "tty", "boolean") ?? false,
    yieldMs: within(optional(args, "yield_time_ms", "count"), YIELD_MS),
    maxTokens: optional(args, "max_output_tokens", "count"),
    escalated: permissions === "require_escalated",
    reason: optional(args, "justification", "string"),
    prefix: optional(args, "prefix_rule", "strings"),
  };
}

/** Returns a time within its bounds. */
export function within(
  ms: number | undefined,
  { least, most, usual }: { readonly least: number; readonly most: number; readonly usual: number },
): number {
  return Math.min(most, Math.max(least, ms ?? usual));
}

/** The result of a call whose arguments are wrong. Rethrows other errors. */
export function wrongArguments(error: unknown): CallOutcome {
  if (!(error instanceof ArgumentsError)) throw error;
  return { output: `failed to parse function arguments: ${error.message}` };
}

/** Runs a shell command, or applies the patch that the command contains. */
async function runExec(run: TurnRun, call: ToolCall): Promise<CallOutcome> {
  let args: ExecArguments;
  try {
    args = readArguments(call.input);
  } catch (error) {
    return wrongArguments(error);
  }
  const { script, escalated, reason, prefix } = args;
  const { host, settings } = run.thread;
  const { paths } = host.platform;
  const cwd = paths.resolve(settings.cwd, args.workdir);
  const patch = patchIn(script);
  if (patch) return await runPatch(run, call, patch.patch, paths.resolve(cwd, patch.folder ?? "."));
  const argv = shellArgv(host.shell, script, args);
  const item = commandItem(call.callId, script, argv, cwd, paths);
  const verdict = await askForCommand(run, { command: script, argv, item, escalated, reason, prefix });
  if (verdict.refusal !== undefined)
    return { output: rejected(verdict.refusal), cancelled: verdict.cancelled };
  const { shown, confined, folder } = verdict;
  return await execute(run, call, { args, argv, item, shown, confined, folder });
}

interface Allowed {
  readonly args: ExecArguments;
  readonly argv: readonly string[];
  readonly item: CommandItem;
  readonly shown: boolean;
  readonly confined: boolean;
  readonly folder: string;
}

async function execute(run: TurnRun, call: ToolCall, allowed: Allowed): Promise<CallOutcome> {
  const { thread, items } = run;
  const { args } = allowed;
  const sessions = thread.background;
  const source = "unifiedExecStartup" as const;
  let item: CommandItem = { ...allowed.item, source };
  const info = { itemId: item.id, command: args.script, cwd: item.cwd, tty: args.tty };
  const session = sessions.open(info, {
    delta: (delta) => run.notify("item/commandExecution/outputDelta", { itemId: item.id, delta }),
    complete: ({ exitCode, output, durationMs }) =>
      items.complete({
        ...item,
        status: exitCode === 0 ? "completed" : "failed",
        aggregatedOutput: output,
        exitCode,
        durationMs,
      }),
  });
  item = { ...item, processId: String(session.id) };
  if (!allowed.shown) items.start(item);
  // A command takes longer than the step between two items of the model. An interrupt does not cut this pause short.
  for (let n = 0; n < RUNNING_STEPS; n++) await thread.host.pace.step();
  if (run.over.aborted) {
    sessions.forget(session);
    throw run.over.reason as Error;
  }
  const began = performance.now();
  try {
    session.attach(await start(run, call, session, allowed));
  } catch (error) {
    sessions.forget(session);
    session.abandon();
    const isKnown = error instanceof CodexError;
    const why = `Failed to create unified exec process: ${(error as Error).message}`;
    const ended = { status: "failed", aggregatedOutput: why, exitCode: -1, durationMs: 0 } as const;
    items.complete({ ...item, processId: null, ...ended });
    // The router records the error of a broken port.
    if (!isKnown) throw error;
    return { output: rejected(why) };
  }
  await session.wait(args.yieldMs, run.signal);
  return { output: reportOf(run, session, { began, maxTokens: args.maxTokens }) };
}

async function start(
  run: TurnRun,
  call: ToolCall,
  session: ExecSession,
  { args, argv, item, confined, folder }: Allowed,
): Promise<ShellProcess> {
  const { host, id: threadId } = run.thread;
  // While the user was asked, another command may have put a link to another folder there.
  if (!confined && realPath(folder, host.files) !== folder) {
    throw new CommandStartError(`${folder} was replaced by a link after the command was accepted`);
  }
  const policy = confined ? policyOf(run.thread) : undefined;
  const command = {
    argv,
    cwd: confined ? item.cwd : folder,
    env: {
      ...toolEnv(host, run.thread, call.callId),
      // Programs that know Codex skip what needs the network.
      ...(policy?.network === false && { CODEX_SANDBOX_NETWORK_DISABLED: "1" }),
    },
    terminal: args.tty ? TERMINAL : undefined,
    threadId,
    callId: call.callId,
    onData: session.onData,
  };
  return await startCommand(host, command, policy);
}

/** The report on a session after a wait. If it contains the end of the command, the session is forgotten. */
export function reportOf(
  run: TurnRun,
  session: ExecSession,
  { began, maxTokens }: { readonly began: number; readonly maxTokens: number | undefined },
): string {
  const { exitCode } = session;
  if (exitCode !== undefined) run.thread.background.forget(session);
  return execReport({
    output: session.read(),
    wallMs: performance.now() - began,
    maxTokens,
    end: exitCode === undefined ? { sessionId: session.id } : { exitCode },
  });
}

/** Quotes a text as the real server does inside another text. */
function rejected(why: string): string {
  return `exec_command failed: CreateProcess { message: ${JSON.stringify(`Rejected(${JSON.stringify(why)})`)} }`;
}

export function commandItem(
  id: string,
  script: string,
  argv: readonly string[],
  cwd: string,
  paths: Paths,
): CommandItem {
  const shown = argv.some((word) => word.includes("\0")) ? "<command included NUL byte>" : joined(argv);
  return {
    type: "commandExecution",
    id,
    pluginId: null,
    scriptPath: null,
    command: shown,
    cwd,
    processId: null,
    source: "agent",
    status: "inProgress",
    commandActions: actionsOf(script, cwd, paths),
    aggregatedOutput: null,
    exitCode: null,
    durationMs: null,
  } satisfies ThreadItem;
}
