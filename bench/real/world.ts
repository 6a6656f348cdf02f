import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findCodex } from "codexwright/stdio";
import { realAppServer } from "@codexwright/testing";

/** The environment of a sample's server, as plain data for another process. */
export interface World {
  /** The native binary. */
  readonly codexPath: string;
  /** Arguments before `app-server`. Default: none. */
  readonly before?: readonly string[];
  readonly codexHome: string;
  readonly cwd: string;
  /** The whole environment of the server. */
  readonly env: Readonly<Record<string, string>>;
}

/** A world that samples use one after the other, with its own model. */
export interface SharedWorld extends AsyncDisposable {
  /** The path of a file that {@link readWorld} reads. */
  readonly file: string;
}

export async function openWorld(): Promise<SharedWorld> {
  const model = await startModel();
  try {
    const server = await realAppServer({ model });
    const { codexHome, cwd, env } = server.clientOptions;
    const codexPath = findCodex({ env: {}, from: [import.meta.dirname] }).command;
    const defined = Object.entries({ ...process.env, ...env }).filter(([, value]) => value !== undefined);
    const world = { codexPath, codexHome, cwd, env: Object.fromEntries(defined) };
    const file = path.join(server.root, "world.json");
    writeFileSync(file, JSON.stringify(world));
    // An interrupted run does not dispose the world, so the folder is also removed when the process exits.
    const remove = (): void => rmSync(server.root, { recursive: true, force: true });
    process.once("exit", remove);
    return {
      file,
      [Symbol.asyncDispose]: async () => {
        process.removeListener("exit", remove);
        await server[Symbol.asyncDispose]();
        await model[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await model[Symbol.asyncDispose]();
    throw error;
  }
}

async function startModel(): Promise<{ readonly baseUrl: string } & AsyncDisposable> {
  const program = fileURLToPath(new URL("model.js", import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  return {
    baseUrl: line.trim(),
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

export function readWorld(file: string): World {
  return JSON.parse(readFileSync(file, "utf8")) as World;
}
