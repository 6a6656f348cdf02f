import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import type { Issue, Tracker } from "@codexwright/orchestrator/tracker";
import { FolderHarness } from "./folder-harness.ts";

export const NEVER: AbortSignal = new AbortController().signal;

/** An open folder tracker, and its warnings. */
export interface FolderWorld extends AsyncDisposable {
  readonly at: FolderHarness;
  readonly tracker: Tracker;
  readonly warnings: string[];
  all(): Promise<readonly Issue[]>;
  ids(): Promise<readonly string[]>;
  one(id: string): Promise<Issue | undefined>;
}

export async function folderWorld(): Promise<FolderWorld> {
  const at = new FolderHarness();
  const warnings: string[] = [];
  const tracker = await at.open({
    activeStates: ["todo", "in progress"],
    terminalStates: ["done", "cancelled"],
    warn: (message) => warnings.push(message),
  });
  const all = async (): Promise<readonly Issue[]> =>
    await tracker.byStates(["todo", "in progress", "done", "cancelled"], NEVER);
  return {
    at,
    tracker,
    warnings,
    all,
    ids: async () => (await all()).map(({ id }) => id),
    one: async (id) => (await tracker.byIds(new Set([id]), NEVER)).get(id),
    [Symbol.asyncDispose]: async () => {
      await tracker.close();
      await at[Symbol.asyncDispose]();
    },
  };
}

/** Makes a function of `node:fs/promises` fail with a code, for paths that fit, until it is disposed. */
export function failing(name: "lstat" | "open" | "readdir", code: string, fits = /./): Disposable {
  const own = fs.promises[name];
  const fail = (file: fs.PathLike, ...rest: unknown[]): unknown => {
    if (fits.test(String(file))) return Promise.reject(Object.assign(new Error(code), { code }));
    return Reflect.apply(own, fs.promises, [file, ...rest]);
  };
  Object.assign(fs.promises, { [name]: fail });
  syncBuiltinESMExports();
  return {
    [Symbol.dispose]: () => {
      Object.assign(fs.promises, { [name]: own });
      syncBuiltinESMExports();
    },
  };
}

/** A file with this front matter and this text. */
export function page(front: string, body = ""): string {
  return `---\n${front}\n---\n${body}`;
}
