import { expectTypeOf, test } from "vitest";
import {
  exec,
  execCommand,
  type ExecHandle,
  type ExecOutput,
  type ExecResult,
  type ExecStdin,
} from "../../src/client/commands/index.ts";
import { CodexFs, watch, type FileChange, type Watch } from "../../src/client/files/index.ts";
import type { CommandExecResponse } from "../../src/protocol/index.ts";
import type { ServiceHost } from "../../src/client/service-host.ts";

declare const host: ServiceHost;

test("a command's handle gives bytes, text and a result that is at least the wire's", () => {
  const command = exec(host, ["ls"], { env: { A: "1", B: null }, tty: { cols: 80, rows: 24 } });
  expectTypeOf(command).toEqualTypeOf<ExecHandle>();
  expectTypeOf(command.result).resolves.toEqualTypeOf<ExecResult>();
  expectTypeOf<ExecResult>().toExtend<CommandExecResponse>();
  expectTypeOf(command.stdout).toEqualTypeOf<ExecOutput>();
  expectTypeOf(command.stdout).toExtend<AsyncIterable<Uint8Array>>();
  expectTypeOf(command.stdout.text()).resolves.toBeString();
  expectTypeOf<ExecStdin["write"]>().parameter(0).toEqualTypeOf<string | Uint8Array>();
  expectTypeOf(command).toExtend<AsyncDisposable>();
  expectTypeOf(execCommand(host, { command: ["ls"], timeoutMs: 5 })).resolves.toEqualTypeOf<ExecResult>();
});

test("a command is a list of words, and its streams belong to the server", () => {
  // @ts-expect-error -- a line for a shell is ["sh", "-c", line]
  exec(host, "ls -l");
  // @ts-expect-error -- undefined would be neither kept nor taken away: null takes away
  exec(host, ["ls"], { env: { A: undefined } });
  // @ts-expect-error -- a terminal has both
  exec(host, ["ls"], { tty: { cols: 80 } });
  // @ts-expect-error -- a handle is not a promise: await its result
  expectTypeOf(exec(host, ["ls"])).toExtend<PromiseLike<unknown>>();
});

test("files are bytes or text, and a watch gives changes", () => {
  const fs = new CodexFs(host);
  expectTypeOf(fs.readFile("/a")).resolves.toEqualTypeOf<Uint8Array>();
  expectTypeOf(fs.readText("/a")).resolves.toBeString();
  expectTypeOf<CodexFs["writeFile"]>().parameter(1).toEqualTypeOf<string | Uint8Array>();
  // @ts-expect-error -- JSON has to be written by the caller
  void fs.writeFile("/a", { json: true });
  const watching = watch(host, "/a");
  expectTypeOf(watching).toEqualTypeOf<Watch>();
  expectTypeOf(watching).toExtend<AsyncIterable<FileChange>>();
  expectTypeOf<FileChange["changedPaths"]>().toEqualTypeOf<readonly string[]>();
});
