import { writeFileSync } from "node:fs";
import path from "node:path";
import { findCodex } from "codexwright/stdio";
import {
  fakeAppServer,
  realAppServer,
  scriptedModel,
  type ModelRequest,
  type ModelScript,
} from "@codexwright/testing";
import { killAll, processesOf } from "@codexwright/test-support/world";
import { until } from "@codexwright/test-support/events";

/** A server for clients that start a program. */
export interface Program extends AsyncDisposable {
  /** The executable to use instead of `codex`. */
  readonly codexPath: string;
  readonly cwd: string;
  /** The requests that the server sent to its model. */
  readonly requests: readonly ModelRequest[];
}

/** Starts nothing yet: prepares a server with a scripted model. */
export type Open = (script: ModelScript) => Promise<Program>;

/** The built command, which has a server of its own. */
const COMMAND = path.resolve(import.meta.dirname, "../../packages/cli/dist/codexwright.js");

/** The real server with its own folders and model, whatever environment the client starts it with. */
export async function realProgram(script: ModelScript): Promise<Program> {
  return await programOf(script);
}

/** The engine as `codexwright app-server`, in the same folders and with the same configuration. */
export async function engineProgram(script: ModelScript): Promise<Program> {
  return await programOf(script, COMMAND);
}

async function programOf(script: ModelScript, program?: string): Promise<Program> {
  const model = await scriptedModel(script);
  const server = await realAppServer({ model });
  const { env, codexPath = findCodex().command } = server.clientOptions;
  const file = path.join(server.root, "codex");
  const lines = Object.entries(env).map(([name, value]) => `export ${name}='${value}'`);
  writeFileSync(file, ["#!/bin/sh", ...lines, `exec '${program ?? codexPath}' "$@"`, ""].join("\n"), {
    mode: 0o755,
  });
  return {
    codexPath: file,
    cwd: server.workspace,
    requests: model.requests,
    async [Symbol.asyncDispose]() {
      // The client may not have waited for its server to exit. A running server would write into the folders
      // that we remove.
      await until(() => {
        const running = processesOf(server.root);
        killAll(running);
        return running.length === 0;
      });
      await server[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

export async function fakeProgram(script: ModelScript): Promise<Program> {
  const fake = fakeAppServer({ model: script });
  return {
    codexPath: fake.executable,
    cwd: fake.cwd,
    requests: fake.requests,
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
}
