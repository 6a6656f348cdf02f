import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fakeAppServer, type FakeAppServer, type FakeAppServerOptions } from "@codexwright/testing";
import { command, start, type CommandOptions, type RunningCommand } from "./command.ts";

/** A logged-in user with a folder, whose Codex is a fake app-server. */
export interface User extends AsyncDisposable {
  readonly fake: FakeAppServer;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  run(args: readonly string[], options?: CommandOptions): ReturnType<typeof command>;
  start(args: readonly string[], options?: CommandOptions): RunningCommand;
}

export async function newUser(options: FakeAppServerOptions): Promise<User> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "codexwright-user-")));
  const folder = path.join(root, "project");
  const codexHome = path.join(root, "codex-home");
  await Promise.all([folder, codexHome].map((name) => mkdir(name)));
  await writeFile(path.join(codexHome, "auth.json"), JSON.stringify({ OPENAI_API_KEY: "sk-test" }));
  const fake = fakeAppServer({ cwd: folder, home: path.join(root, "threads"), ...options });
  const env = { CODEX_HOME: codexHome, CODEX_PATH: fake.executable, HOME: root };
  return {
    fake,
    folder,
    env,
    run: async (args, more = {}) =>
      await command(args, { cwd: folder, ...more, env: { ...env, ...more.env } }),
    start: (args, more = {}) => start(args, { cwd: folder, ...more, env: { ...env, ...more.env } }),
    [Symbol.asyncDispose]: async () => {
      await fake[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}
