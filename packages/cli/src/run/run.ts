import type { CodexClient, Thread, Tool } from "codexwright";
import { requireLogin } from "../shared/connect.ts";
import type { Invocation } from "../shared/invoke.ts";
import { STDIN } from "../shared/stdin.ts";
import { clean, linesOf } from "../shared/text.ts";
import { findThread, lastThread } from "../threads/find.ts";
import { conduct } from "./conduct.ts";
import { shortened } from "../show/item-text.ts";
import type { RunOptions } from "./options.ts";
import { readSchema } from "./output-schema.ts";
import { inputOf, readTask, requireImages } from "./task.ts";

const TASK_LINES = 8;

/** How long resources that tools left open may delay the exit. */
const LINGER_MS = 2_000;

/** Gives Codex a task and shows its progress. */
export async function run(invocation: Invocation<RunOptions>): Promise<void> {
  const { options, args, cwd, output } = invocation;
  const { style } = output.progress;
  const schema = options.outputSchema === undefined ? undefined : await readSchema(options.outputSchema, cwd);
  const tools = options.tool === undefined ? [] : await toolsOf(options.tool, cwd, output.isJson);
  await requireImages(options.image ?? [], cwd);
  const ready = (): Promise<void> => requireLogin(options);
  // The scripted model has its own task.
  const task = options.demo
    ? args.join(" ").trim()
    : await readTask({ words: args, file: options.file, cwd, stdin: STDIN, ready });
  if (!options.demo) inputOf(task, [], cwd);
  const conducted = conduct(invocation, {
    name: "run",
    resumable: !options.ephemeral,
    ...(schema && { isData: true, hides: (type: string) => type === "agentMessage" }),
    open: async (codex, connection) => {
      if (connection.demoTask !== undefined) output.remark(demoNotice(task));
      return await openThread(codex, options, tools, cwd);
    },
    isSteerable: true,
    heading: ({ demoTask = task }) => `${style.cyan("›")} ${style.bold(briefly(demoTask))}`,
    perform: async ({ thread, signal, connection }) => {
      const said = connection.demoTask ?? task;
      const { effort, timeout } = options;
      const settings = { signal, timeoutMs: timeout, effort };
      const input = inputOf(said, options.image ?? [], cwd);
      if (!schema) return { text: (await thread.run(input, settings)).agentMessage };
      const result = await thread.run(input, { ...settings, output: schema });
      return { text: result.agentMessage, output: result.output };
    },
  });
  // Tools may leave something open, such as a database connection, that keeps the process alive. This timer does not
  // keep it alive, and ends it after a while.
  if (tools.length > 0) await conducted.finally(() => setTimeout(() => process.exit(), LINGER_MS).unref());
  else await conducted;
}

/** Shortens a task, which may be a whole file, to its first lines. */
export function briefly(task: string): string {
  const lines = linesOf(clean(task)).map(shortened);
  const hidden = lines.length - TASK_LINES;
  return (hidden > 0 ? [...lines.slice(0, TASK_LINES), `… ${hidden} more lines`] : lines).join("\n");
}

function demoNotice(task: string): string {
  const what = task === "" ? "a small job" : "its own small job, not your task,";
  return `A scripted model does ${what} in a temporary folder.`;
}

async function openThread(
  codex: CodexClient,
  options: RunOptions,
  tools: readonly Tool[],
  cwd: string,
): Promise<Thread> {
  const { resume, last, fork, ephemeral, model, sandbox, approval: approvalPolicy } = options;
  // Settings that are left out keep the thread's values.
  const kept = { model, sandbox, approvalPolicy, ...(tools.length > 0 && { tools }) };
  if (last) return await codex.resumeThread(await lastThread(codex, cwd), kept);
  if (resume !== undefined) return await codex.resumeThread(await findThread(codex, resume), kept);
  if (fork !== undefined) {
    return await codex.forkThread(await findThread(codex, fork), { ...kept, ephemeral });
  }
  return await codex.startThread({ ephemeral, ...(tools.length > 0 && { tools }) });
}

async function toolsOf(files: readonly string[], cwd: string, isJson: boolean): Promise<Tool[]> {
  const { loadTools } = await import("./tool-modules.ts");
  return await loadTools(files, cwd, isJson);
}
