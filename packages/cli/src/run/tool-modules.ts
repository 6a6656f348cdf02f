import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Tool } from "codexwright";
import { usageError } from "../shared/command-error.ts";
import { requireNamed } from "../shared/named-file.ts";
import { moveConsole } from "../shared/terminal.ts";
import { lendLibrary } from "./library-for-tools.ts";

/** Loads the tools that modules export: each export that is a tool, or a list of them. */
export async function loadTools(files: readonly string[], cwd: string): Promise<Tool[]> {
  const tools: Tool[] = [];
  moveConsole();
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
    if (found.length === 0) throw usageError(`--tool ${file}: it exports no tool made with tool()`);
    tools.push(...found);
  }
  return tools;
}

async function load(resolved: string, file: string): Promise<Record<string, unknown>> {
  try {
    return (await import(pathToFileURL(resolved).href)) as Record<string, unknown>;
  } catch (error) {
    throw usageError(`--tool ${file}: ${String(error)}`);
  }
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
