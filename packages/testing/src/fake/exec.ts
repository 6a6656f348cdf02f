import { randomInt } from "node:crypto";
import path from "node:path";
import type { ThreadItem } from "codexwright/protocol";
import type { WireObject } from "../model-request.ts";
import { askForCommand, type CommandItem } from "./command-approval.ts";
import type { CallOutcome, ToolCall } from "./calls.ts";
import { patchIn, runPatch } from "./patch-call.ts";
import { actionsOf, argvOf, joined } from "./shell-words.ts";
import { textOf } from "./text.ts";
import type { TurnRun } from "./turn-run.ts";

const RUNNING_STEPS = 2;

/** A shell command. It is not executed: the script says what it wrote and how it ended. */
export async function runExec(run: TurnRun, call: ToolCall, args: WireObject): Promise<CallOutcome> {
  const command = textOf(args["cmd"] ?? args["command"]);
  const workdir = typeof args["workdir"] === "string" ? args["workdir"] : ".";
  const cwd = path.resolve(run.thread.settings.cwd, workdir);
  const patch = patchIn(command);
  if (patch !== undefined) return await runPatch(run, call, patch, cwd);
  const escalated = args["sandbox_permissions"] === "require_escalated";
  if (escalated && run.thread.settings.approvalPolicy === "never" && sandboxed(run)) {
    return {
      output:
        "approval policy is Never; reject command — you cannot ask for escalated permissions if the approval policy is Never",
    };
  }
  const item = commandItem(call.callId, command, cwd);
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
    processId: String(randomInt(1_000, 100_000)),
    source: "unifiedExecStartup",
  } as const;
  if (!verdict.shown) run.items.start(running);
  return await played(run, call, running, command);
}

/** A text as the real server shows one within another. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Whether commands are kept from anything. */
export function sandboxed(run: TurnRun): boolean {
  return run.thread.settings.sandbox.type !== "dangerFullAccess";
}

async function played(
  run: TurnRun,
  call: ToolCall,
  item: CommandItem,
  command: string,
): Promise<CallOutcome> {
  const scripted = { ...run.thread.host.commands(command), ...call.scripted };
  const { output = "", stderr = "", exitCode = 0, until } = scripted;
  const began = Date.now();
  // Longer than from one item of the model to the next: a command takes its time, and ends all the same.
  for (let n = 0; n < RUNNING_STEPS; n++) await run.thread.host.pace.step();
  if (run.over.aborted) throw run.over.reason as Error;
  const pieces = [...(typeof output === "string" ? [output] : output), stderr].filter(
    (piece) => piece !== "",
  );
  for (const delta of pieces) run.notify("item/commandExecution/outputDelta", { itemId: item.id, delta });
  const text = pieces.join("");
  const complete = (code: number): void => {
    run.items.complete({
      ...item,
      status: code === 0 ? "completed" : "failed",
      aggregatedOutput: text === "" ? null : text,
      exitCode: code,
      durationMs: Date.now() - began,
    });
  };
  if (until) {
    until.arrive();
    const ended = await run.thread.background.run(item.id, until.opened, run, complete, exitCode);
    if (!ended) throw run.signal.reason as Error;
  } else complete(exitCode);
  return { output: report(text, exitCode) };
}

/** What the model is told of a command that ended. */
function report(output: string, exitCode: number): string {
  const chunk = randomInt(0x100000, 0x1000000).toString(16);
  const tokens = Math.ceil(Buffer.byteLength(output) / 4);
  return `Chunk ID: ${chunk}\nWall time: 0.0000 seconds\nProcess exited with code ${exitCode}\nOriginal token count: ${tokens}\nOutput:\n${output}`;
}

export function commandItem(id: string, command: string, cwd: string): CommandItem {
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
    commandActions: actionsOf(command, cwd),
    aggregatedOutput: null,
    exitCode: null,
    durationMs: null,
  } satisfies ThreadItem;
}
