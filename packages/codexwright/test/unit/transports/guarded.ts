import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { stdio } from "codexwright/stdio";
import { processesOf } from "@codexwright/test-support/world";
import { until } from "@codexwright/test-support/events";
import { reaper } from "@codexwright/test-support/reaper";

const never = new AbortController().signal;

/** A program that replaces Codex: it runs a script and then waits for the end of its stdin. */
export function fakeCodex(script: string): Disposable & { readonly file: string } {
  const folder = mkdtempSync(path.join(tmpdir(), "codexwright-guard-"));
  const file = path.join(folder, "codex");
  writeFileSync(file, `#!/bin/sh\n${script}\necho ready\nexec cat\n`);
  chmodSync(file, 0o755);
  return { file, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

/** A server that has run a script. The processes that it has started share a tag, and are ended with it. */
export async function guarded(script: string) {
  const codex = fakeCodex(script);
  const tag = `GUARDED_${randomUUID()}`;
  const rest = reaper(tag);
  const before = guards(process.pid);
  const transport = await stdio({ codexPath: codex.file, env: { TAG: tag } })(never);
  const lines: string[] = [];
  const closed = new Promise<void>((resolve) => {
    transport.open({ line: (line) => lines.push(line), closed: () => resolve() });
  });
  const server = (): number | undefined => processesOf(tag).find((pid) => wordsOf(pid)[0] === "cat");
  await until(() => lines.length > 0 && server() !== undefined);
  return {
    transport,
    closed,
    /** Returns the server and all processes that it has started. */
    all: (): readonly number[] => processesOf(tag),
    server: (): number => server() as number,
    guard: (): number | undefined => guards(process.pid).find((pid) => !before.includes(pid)),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await transport.close();
      await rest[Symbol.asyncDispose]();
      codex[Symbol.dispose]();
    },
  };
}

/** Returns the guards that a process has started. */
export function guards(owner: number): readonly number[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => statOf(pid)[1] === `${owner}` && wordsOf(pid).includes("codexwright-guard"));
}

export function wordsOf(pid: number): readonly string[] {
  return read(pid, "cmdline").split("\0");
}

/** Returns `NAME=value` of a process. */
export function variableOf(pid: number, name: string): string | undefined {
  return read(pid, "environ")
    .split("\0")
    .find((entry) => entry.startsWith(`${name}=`));
}

export function read(pid: number, what: string): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, "utf8");
  } catch {
    return ""; // The process has ended.
  }
}

/** Returns state, parent, group, session and so on of a process. */
export function statOf(pid: number): readonly string[] {
  return read(pid, "stat")
    .replace(/^.*\) /s, "")
    .split(" ");
}
