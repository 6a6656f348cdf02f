import path from "node:path";
import {
  realAppServer,
  scriptedModel,
  type ModelScript,
  type RealAppServer,
  type ScriptedModel,
} from "@codexwright/testing";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";

/** Runs against the Codex that the repository pins. */
export const PINNED: VerifiesOptions = { against: "pinned", timeoutMs: 120_000 };

const CODEX = path.resolve(import.meta.dirname, "../../../../node_modules/.bin/codex");

/** A real Codex with a scripted model as its provider, and the environment in which the command finds them. */
export interface RealWorld extends AsyncDisposable {
  readonly model: ScriptedModel;
  readonly server: RealAppServer;
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** @param config more TOML for its config.toml */
export async function realWorld(script: ModelScript, config = ""): Promise<RealWorld> {
  const model = await scriptedModel(script);
  const server = await realAppServer({ model, config });
  return {
    model,
    server,
    folder: server.workspace,
    env: { ...server.clientOptions.env, CODEX_PATH: CODEX },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await model.close();
    },
  };
}

/**
 * Declares a terminal test. These are slow and behave the same on every runtime, so they are left out on runtimes that
 * run only a sample of the suite. Each file has at least one test that runs on every runtime.
 */
export const verifiesHere: typeof verifies =
  process.env["CODEXWRIGHT_CONFORMANCE"] === "sample" ? () => {} : verifies;
