import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { realAppServer, scriptedModel, type ModelRequest, type ModelScript } from "@codexwright/testing";
import { killAll, processesOf } from "./world.ts";
import { until } from "./events.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");

interface Played {
  readonly stdout: string;
  readonly requests: readonly ModelRequest[];
  /** The names in the workspace when the example ended. */
  readonly files: readonly string[];
}

interface PlayOptions {
  /** Receives a function that kills the example's server. */
  readonly running?: (killServer: () => void) => void;
  readonly env?: Readonly<Record<string, string>>;
  /** The files in the workspace when the example starts, by path. */
  readonly workspace?: Readonly<Record<string, string>>;
  /** More TOML for the server's config.toml. */
  readonly config?: string;
  /** Functions to call once the example has printed a text. */
  readonly cues?: Readonly<Record<string, (child: ChildProcess) => void>>;
}

/**
 * Runs a built example as a user would: its environment has all it needs. It must succeed and leave nothing
 * behind.
 */
export async function play(example: string, script: ModelScript, options: PlayOptions = {}): Promise<Played> {
  await using model = await scriptedModel(script);
  await using server = await realAppServer({ model, config: options.config ?? "" });
  const { cwd, env } = server.clientOptions;
  for (const [file, text] of Object.entries(options.workspace ?? {})) {
    mkdirSync(path.dirname(path.join(cwd, file)), { recursive: true });
    writeFileSync(path.join(cwd, file), text);
  }
  const child = spawn(process.execPath, [path.join(ROOT, `build/examples/${example}.js`)], {
    cwd,
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined, ...env, ...options.env },
  });
  // Of the processes in this world, one is the example. While no command runs, the other is its server.
  options.running?.(() => {
    killAll(processesOf(server.root).filter((pid) => pid !== child.pid));
  });
  const cues = new Map(Object.entries(options.cues ?? {}));
  let stdout = "";
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    for (const [cue, act] of cues) {
      if (!stdout.includes(cue)) continue;
      cues.delete(cue);
      act(child);
    }
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect({ code, stderr, unexpected: model.unexpected }).toEqual({ code: 0, stderr: "", unexpected: [] });
  // A killed server may leave its shells for a moment.
  await until(() => processesOf(server.root).length === 0);
  return { stdout, requests: model.requests, files: readdirSync(cwd) };
}

/** Returns the output that a page of the guide shows, line by line. */
export function shown(page: string): string[] {
  const text = readFileSync(path.join(ROOT, `docs/guide/${page}.md`), "utf8");
  return [...text.matchAll(/^```text\n(.*?)^```$/gms)].flatMap(([, block = ""]) =>
    block.trimEnd().split("\n"),
  );
}
