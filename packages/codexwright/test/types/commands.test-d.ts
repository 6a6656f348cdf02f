import { expectTypeOf, test } from "vitest";
import type {
  CodexClient,
  CodexFs,
  ExecHandle,
  ExecOutput,
  ExecResult,
  ExecStdin,
  WatchChange,
  Watch,
} from "codexwright";
import type { CommandExecResponse } from "codexwright/protocol";

declare const codex: CodexClient;

test("the handle of a command has bytes, text and a result with at least the fields of the wire", () => {
  const command = codex.exec(["ls"], { env: { A: "1", B: null }, tty: { cols: 80, rows: 24 } });
  expectTypeOf(command).toEqualTypeOf<ExecHandle>();
  expectTypeOf(command.result).resolves.toEqualTypeOf<ExecResult>();
  expectTypeOf<ExecResult>().toExtend<CommandExecResponse>();
  expectTypeOf(command.stdout).toEqualTypeOf<ExecOutput>();
  expectTypeOf(command.stdout).toExtend<AsyncIterable<Uint8Array>>();
  expectTypeOf(command.stdout.text()).resolves.toBeString();
  expectTypeOf<ExecStdin["write"]>().parameter(0).toEqualTypeOf<string | Uint8Array>();
  expectTypeOf(command).toExtend<AsyncDisposable>();
  expectTypeOf(codex.execCommand({ command: ["ls"], timeoutMs: 5 })).resolves.toEqualTypeOf<ExecResult>();
});

test("a command is a list of words, and its streams belong to the server", () => {
  // @ts-expect-error -- a line for a shell is ["sh", "-c", line]
  codex.exec("ls -l");
  // @ts-expect-error -- undefined is ambiguous: null removes a variable
  codex.exec(["ls"], { env: { A: undefined } });
  // @ts-expect-error -- a terminal needs both
  codex.exec(["ls"], { tty: { cols: 80 } });
  // @ts-expect-error -- a handle is not a promise: await its result
  expectTypeOf(codex.exec(["ls"])).toExtend<PromiseLike<unknown>>();
});

test("files are bytes or text, and a watch yields changes", () => {
  const { fs } = codex;
  expectTypeOf(fs).toEqualTypeOf<CodexFs>();
  expectTypeOf(fs.readFile("/a")).resolves.toEqualTypeOf<Uint8Array>();
  expectTypeOf(fs.readText("/a")).resolves.toBeString();
  expectTypeOf<CodexFs["writeFile"]>().parameter(1).toEqualTypeOf<string | Uint8Array>();
  // @ts-expect-error -- the caller must serialize JSON
  void fs.writeFile("/a", { json: true });
  const watching = codex.watch("/a");
  expectTypeOf(watching).toEqualTypeOf<Watch>();
  expectTypeOf(watching).toExtend<AsyncIterable<WatchChange>>();
  expectTypeOf<WatchChange["changedPaths"]>().toEqualTypeOf<readonly string[]>();
});
