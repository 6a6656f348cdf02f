import type { SpawnOptions } from "node:child_process";
import { expect } from "vitest";
import { ResourceExhaustedError } from "../../../src/rpc/resource-exhausted.ts";
import { startProcess } from "../../../src/system/start-process.ts";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";

/**
 * Options that make the start of a process fail as if the system had refused it, for limits that a test cannot reach
 * without affecting other processes.
 */
function failing(code: string): SpawnOptions {
  return {
    get cwd(): string {
      throw Object.assign(new Error(`spawn ${code}`), { code, syscall: "spawn" });
    },
  };
}

verifies("security.s44", "rejects with resource_exhausted if a limit prevents a process start", async () => {
  for (const [code, words] of [
    ["EMFILE", "ulimit -n"],
    ["ENFILE", "fs.file-max"],
    ["EAGAIN", "ulimit -u"],
    ["ENOMEM", "memory.max"],
  ] as const) {
    const error = await rejection(startProcess(process.execPath, ["--version"], failing(code)));
    expect(error).toBeInstanceOf(ResourceExhaustedError);
    expect(error).toMatchObject({ code: "resource_exhausted", limit: code, cause: { code } });
    expect((error as Error).message).toContain(words);
  }
});

verifies("security.s44", "does not report other start failures as a limit", async () => {
  for (const code of ["ENOENT", "EACCES", "E2BIG", "EPERM", "toString"])
    expect(await rejection(startProcess(process.execPath, [], failing(code)))).toMatchObject({ code });
  expect(await rejection(startProcess("/missing/program", [], {}))).toMatchObject({ code: "ENOENT" });
  const long = ["x".repeat(4_000_000)];
  expect(await rejection(startProcess(process.execPath, long, {}))).toMatchObject({ code: "E2BIG" });
});
