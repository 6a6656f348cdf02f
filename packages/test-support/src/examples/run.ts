import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { realAppServer, scriptedModel, type ModelRequest } from "@codexwright/testing";
import { until } from "../events.ts";
import { killAll, processesOf } from "../world.ts";
import { storyOf } from "./stories.ts";

/** The result of one run of an example. */
export interface Performed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly requests: readonly ModelRequest[];
  /** Requests that the script had no answer for. */
  readonly unexpected: readonly unknown[];
  /** Names in the workspace when the example had ended. */
  readonly files: readonly string[];
}

export interface PerformOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The Node that runs the example; default: the one of this process. */
  readonly node?: string;
  /** Called with each piece of output. */
  readonly output?: (text: string) => void;
}

/**
 * Runs a built example as a user would, with the real Codex and a scripted model. Everything that the example needs is
 * in its environment.
 *
 * @param file the compiled example
 * @param name its name in `examples`, without the extension
 */
export async function perform(file: string, name: string, options: PerformOptions = {}): Promise<Performed> {
  let killServer = (): void => {};
  const {
    script,
    workspace = {},
    config = "",
    cues = {},
    end,
  } = await storyOf(name)({ killServer: () => killServer() });
  try {
    await using model = await scriptedModel(script);
    await using server = await realAppServer({ model, config });
    const { cwd, env } = server.clientOptions;
    for (const [entry, text] of Object.entries(workspace)) {
      mkdirSync(path.dirname(path.join(cwd, entry)), { recursive: true });
      writeFileSync(path.join(cwd, entry), text);
    }
    const child = spawn(options.node ?? process.execPath, [file], {
      cwd,
      env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined, ...env, ...options.env },
    });
    // While no command runs, this world has two processes: the example and its server.
    killServer = () => killAll(processesOf(server.root).filter((pid) => pid !== child.pid));
    const told = await outputOf(child, cues, options.output);
    // A server that was killed may leave its shells running for a moment.
    await until(() => processesOf(server.root).length === 0);
    return { ...told, requests: model.requests, unexpected: model.unexpected, files: readdirSync(cwd) };
  } finally {
    end?.();
  }
}

async function outputOf(
  child: ChildProcess,
  cues: Readonly<Record<string, (child: ChildProcess) => void>>,
  output: (text: string) => void = () => {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const waiting = new Map(Object.entries(cues));
  let stdout = "";
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    output(text);
  });
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    output(text);
    for (const [cue, act] of waiting) {
      if (!stdout.includes(cue)) continue;
      waiting.delete(cue);
      act(child);
    }
  });
  const code = await new Promise<number | null>((resolve, reject) =>
    child.on("error", reject).on("close", resolve),
  );
  return { code, stdout, stderr };
}
