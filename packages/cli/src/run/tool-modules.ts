import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Tool } from "codexwright";
import { CommandError, EXIT, usageError } from "../shared/command-error.ts";
import { requireNamed } from "../shared/named-file.ts";
import { tellError } from "../shared/output.ts";
import { moveConsole } from "../shared/terminal.ts";
import { lendLibrary } from "./library-for-tools.ts";

/** Loads tools from modules: each export that is a tool or a list of tools. */
export async function loadTools(files: readonly string[], cwd: string, isJson: boolean): Promise<Tool[]> {
  const tools: Tool[] = [];
  moveConsole();
  reportCrashes(isJson);
  lendLibrary(path.dirname(path.resolve(cwd, files[0] ?? "")));
  for (const file of files) {
    const resolved = path.resolve(cwd, file);
    if (/\.[cm]?ts$/.test(resolved) && !readsTypeScript()) {
      throw usageError(
        `--tool ${file}: Node ${process.versions.node} does not load TypeScript: use Node 22.18 or newer, Bun, or a compiled .mjs`,
      );
    }
    await requireNamed("--tool", file, cwd);
    const found = toolsIn(await load(resolved, file));
    if (found.length === 0) throw usageError(`--tool ${file}: exports no tool made with tool()`);
    tools.push(...found);
  }
  return tools;
}

/** The command's library can be found by `import` only, not by `require`. */
const REQUIRED = /(?:Cannot find module '|require\(\) async module ")codexwright/;
const IMPORT = "Use `import` in a .mjs file, or install codexwright in the folder of the module.";

async function load(resolved: string, file: string): Promise<Record<string, unknown>> {
  // The event loop is empty although the module is still loading. Without this, the process would end
  // silently.
  let giveUp: () => void = () => {};
  const stuck = new Promise<never>((_, reject) => {
    giveUp = () => reject(new Error("its top-level await never settles"));
  });
  process.once("beforeExit", giveUp);
  try {
    return await Promise.race([
      import(pathToFileURL(resolved).href) as Promise<Record<string, unknown>>,
      stuck,
    ]);
  } catch (error) {
    const message = `--tool ${file}: ${String(error)}`;
    throw new CommandError("usage", EXIT.usage, message, REQUIRED.test(message) ? [IMPORT] : []);
  } finally {
    process.off("beforeExit", giveUp);
  }
}

/** Reports uncaught errors of a module, for example from a timer, and ends the command. */
function reportCrashes(isJson: boolean): void {
  const report = (thrown: unknown): void => {
    const stack = thrown instanceof Error ? (thrown.stack ?? "") : "";
    const place = stack.split("\n").find((line) => /^ +at /.test(line));
    const message = `a --tool module threw outside a tool call: ${String(thrown)}`;
    const error = new CommandError("unexpected", EXIT.failed, message, place ? [place.trim()] : []);
    process.exit(tellError(error, isJson));
  };
  process.once("uncaughtException", report).once("unhandledRejection", report);
}

/** The tools among the exports of a module, each once. */
export function toolsIn(module: Readonly<Record<string, unknown>>): Tool[] {
  return [...new Set(Object.values(module).flat())].filter(isTool);
}

function isTool(value: unknown): value is Tool {
  if (typeof value !== "object" || value === null) return false;
  const { name, description, input, run } = value as Partial<Record<keyof Tool, unknown>>;
  return (
    typeof name === "string" &&
    typeof description === "string" &&
    typeof run === "function" &&
    input !== undefined
  );
}

function readsTypeScript(): boolean {
  const { typescript } = process.features as { readonly typescript?: unknown };
  return Boolean(typescript) || process.versions["bun"] !== undefined;
}
