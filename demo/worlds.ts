import { CodexClient } from "codexwright";
import { realAppServer, scriptedModel } from "codexwright/testing";
import { script, SCRIPTED_TASK, writeWorkspace } from "./script.ts";

/** A connected client and what to do with it. */
export interface World {
  readonly codex: CodexClient;
  readonly folder: string;
  readonly task: string;
  /** What the user should know beforehand, in one line. */
  readonly notice: string;
  /** How to go on after the turn. */
  readonly next: (threadId: string) => readonly string[];
}

/** The user's own Codex in the user's folder. Without a task it may only look around. */
export async function inUserWorld(
  task: string | undefined,
  folder: string,
  use: (world: World) => Promise<void>,
): Promise<void> {
  const sandbox = task === undefined ? "read-only" : "workspace-write";
  await using codex = await CodexClient.connect({ cwd: folder, sandbox });
  await use({
    codex,
    folder,
    task: task ?? "Say in three sentences what this repository is.",
    notice: `Your own Codex works in ${folder}, sandbox ${sandbox}.`,
    next: (threadId) => [
      `Go on with it:  codex resume ${threadId}`,
      'Another task:   npm start -- "your task"',
    ],
  });
}

/** The real server with a scripted model, in a temporary folder. */
export async function inScriptedWorld(
  task: string | undefined,
  delayMs: number,
  use: (world: World) => Promise<void>,
): Promise<void> {
  await using model = await scriptedModel(script(delayMs));
  await using server = await realAppServer({
    model,
    // The commands are our own, and many containers have no working sandbox.
    sandbox: "danger-full-access",
  });
  await writeWorkspace(server.workspace);
  await using codex = await CodexClient.connect(server.clientOptions);
  const what = task === undefined ? "a small job" : "its own small job, whatever the task,";
  await use({
    codex,
    folder: server.workspace,
    task: SCRIPTED_TASK,
    notice: `Codex is not logged in: a scripted model does ${what} in a temporary folder.`,
    next: () => [
      "The thread is gone with its folder. To give Codex a task of your own:",
      '  npx codex login && npm start -- "your task"',
    ],
  });
}
