import type { ThreadItem } from "codexwright/protocol";
import { EXEC_COMMAND } from "../instructions/tool-specs.ts";
import type { WireObject } from "../wire-object.ts";
import { askForCommand, type CommandItem } from "../approvals/command-approval.ts";
import type { CallOutcome, ToolCall, ToolHandler } from "./tool-handler.ts";
import { utf8 } from "../bytes.ts";
import { decoding } from "../commands/output.ts";
import { startCommand } from "../commands/start-command.ts";
import { randomInteger } from "../ids.ts";
import { patchIn, runPatch } from "./patch-call.ts";
import type { Paths } from "../ports.ts";
import { actionsOf, argvOf, joined } from "../shell-words.ts";
import { textOf } from "../text.ts";
import type { TurnRun } from "../turn/turn-run.ts";

const RUNNING_STEPS = 2;

/** The tool that runs shell commands. */
export const execCommand: ToolHandler<TurnRun> = {
  name: "exec_command",
  parallel: true,
  spec: () => EXEC_COMMAND,
  run: (call, run) => runExec(run, call, call.input),
};

/** An older name of `exec_command`, which models still use. */
export const shellCommand: ToolHandler<TurnRun> = {
  ...execCommand,
  name: "shell_command",
  spec: () => undefined,
};

/** Runs a shell command, or applies the patch that the command contains. */
async function runExec(run: TurnRun, call: ToolCall, args: WireObject): Promise<CallOutcome> {
  const command = textOf(args["cmd"] ?? args["command"]);
  const workdir = typeof args["workdir"] === "string" ? args["workdir"] : ".";
  const { paths } = run.thread.host.platform;
  const cwd = paths.resolve(run.thread.settings.cwd, workdir);
  const patch = patchIn(command);
  if (patch) return await runPatch(run, call, patch.patch, paths.resolve(cwd, patch.folder ?? "."));
  const escalated = args["sandbox_permissions"] === "require_escalated";
  const item = commandItem(call.callId, command, cwd, paths);
  const reason = typeof args["justification"] === "string" ? args["justification"] : undefined;
  const verdict = await askForCommand(run, { command, item, escalated, reason });
  if (verdict.refusal !== undefined) {
    return {
      output: `exec_command failed: CreateProcess { message: ${quoted(`Rejected(${quoted(verdict.refusal)})`)} }`,
      cancelled: verdict.cancelled,
    };
  }
  const running = {
    ...item,
    processId: String(randomInteger(1_000, 100_000)),
    source: "unifiedExecStartup",
  } as const;
  if (!verdict.shown) run.items.start(running);
  return await execute(run, call, running, command);
}

/** Quotes a text as the real server does inside another text. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Whether a sandbox restricts commands. */
export function sandboxed(run: TurnRun): boolean {
  return run.thread.settings.sandbox.type !== "dangerFullAccess";
}

async function execute(
  run: TurnRun,
  call: ToolCall,
  item: CommandItem,
  command: string,
): Promise<CallOutcome> {
  const { thread } = run;
  const began = Date.now();
  // A command takes longer than the step between two items of the model. An interrupt does not cut this pause short.
  for (let n = 0; n < RUNNING_STEPS; n++) await thread.host.pace.step();
  if (run.over.aborted) throw run.over.reason as Error;
  let text = "";
  const decode = decoding();
  const started = {
    argv: argvOf(command),
    cwd: item.cwd,
    threadId: thread.id,
    callId: call.callId,
    onData: (bytes: Uint8Array, stream: "stdout" | "stderr") => {
      const delta = decode(bytes, stream);
      if (delta === "") return;
      text += delta;
      run.notify("item/commandExecution/outputDelta", { itemId: item.id, delta });
    },
  };
  const child = await startCommand(thread.host, started, undefined);
  const complete = (code: number): void => {
    run.items.complete({
      ...item,
      status: code === 0 ? "completed" : "failed",
      aggregatedOutput: text === "" ? null : text,
      exitCode: code,
      durationMs: Date.now() - began,
    });
  };
  let { exitCode } = child;
  if (exitCode !== undefined) complete(exitCode);
  else exitCode = await thread.background.run(child, run.signal, complete);
  if (exitCode === undefined) throw run.signal.reason as Error;
  return { output: report(text, exitCode) };
}

/** The result of a finished command, as the model receives it. */
function report(output: string, exitCode: number): string {
  const chunk = randomInteger(0x100000, 0x1000000).toString(16);
  const tokens = Math.ceil(utf8(output).length / 4);
  return `Chunk ID: ${chunk}\nWall time: 0.0000 seconds\nProcess exited with code ${exitCode}\nOriginal token count: ${tokens}\nOutput:\n${output}`;
}

export function commandItem(id: string, command: string, cwd: string, paths: Paths): CommandItem {
  return {
    type: "commandExecution",
    id,
    pluginId: null,
    scriptPath: null,
    command: joined(argvOf(command)),
    cwd,
    processId: null,
    source: "agent",
    status: "inProgress",
    commandActions: actionsOf(command, cwd, paths),
    aggregatedOutput: null,
    exitCode: null,
    durationMs: null,
  } satisfies ThreadItem;
}
