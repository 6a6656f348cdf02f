import { expectTypeOf, test } from "vitest";
import {
  CodexClient,
  CodexError,
  type CodexClientOptions,
  type CodexErrorCode,
  type protocol,
  type TurnResult,
} from "codexwright";
import type * as entry from "codexwright";
import type { TransportFactory } from "codexwright/rpc";
import { realAppServer, type ScriptedModel } from "@codexwright/testing";

declare const codex: CodexClient;
declare const transport: TransportFactory;
declare const model: ScriptedModel;

test("requests have the params and the result of the schema", () => {
  expectTypeOf(codex.request("model/list", {})).resolves.toEqualTypeOf<protocol.ModelListResponse>();
  expectTypeOf(codex.request("account/logout", undefined)).resolves.not.toBeAny();
  // @ts-expect-error -- there is no such method
  void codex.request("nope", {});
  // @ts-expect-error -- threadId is missing
  void codex.request("turn/interrupt", { turnId: "1" });
});

test("notification listeners and server request handlers are typed by method", () => {
  codex.onNotification("item/agentMessage/delta", (params, message) => {
    expectTypeOf(params.delta).toEqualTypeOf<string>();
    expectTypeOf(message.emittedAtMs).toEqualTypeOf<number | undefined>();
  });
  // @ts-expect-error -- there is no such notification
  codex.onNotification("turn/failed", () => {});
  // @ts-expect-error -- this is not an answer to that request
  codex.onServerRequest("item/tool/call", () => ({ decision: "accept" }));
});

test("a turn's events narrow by method and its items by type", async () => {
  for await (const event of codex.thread("t").turn("go")) {
    if (event.method !== "item/completed") continue;
    expectTypeOf(event.params.turnId).toEqualTypeOf<string>();
    if (event.params.item.type === "agentMessage")
      expectTypeOf(event.params.item.text).toEqualTypeOf<string>();
  }
  expectTypeOf(codex.thread("t").run("go")).resolves.toEqualTypeOf<TurnResult>();
});

test("a client starts a server or connects to one, not both", async () => {
  expectTypeOf({ transport }).toExtend<CodexClientOptions>();
  expectTypeOf({ codexPath: "codex", config: { model: "x" } }).toExtend<CodexClientOptions>();
  // @ts-expect-error -- codexPath configures a server that the client starts
  void new CodexClient({ transport, codexPath: "codex" });
  const server = await realAppServer({ model });
  expectTypeOf(server.clientOptions).toExtend<CodexClientOptions>();
});

test("events of the client are typed, and there are no others", () => {
  codex.on("warning", ({ code }) => expectTypeOf(code).extract<"bad_line">().toEqualTypeOf<"bad_line">());
  codex.on("turn:completed", (turn, { threadId }) => {
    expectTypeOf(turn).toEqualTypeOf<protocol.Turn>();
    expectTypeOf(threadId).toEqualTypeOf<string>();
  });
  // @ts-expect-error -- there is no such event
  codex.on("warnings", () => {});
});

test("error codes are known, and a higher layer adds its own", () => {
  expectTypeOf<"turn_failed" | "rpc" | "codex_not_found" | "output_lost">().toExtend<CodexErrorCode>();
  expectTypeOf<"model_closed" | "deadline_exceeded">().extract<CodexErrorCode>().toBeNever();
  expectTypeOf<string>().not.toExtend<CodexErrorCode>();
  type Thrown<T> = T extends abstract new (...args: never) => CodexError ? InstanceType<T>["code"] : never;
  type Codes = { [Name in keyof typeof entry]: Thrown<(typeof entry)[Name]> }[Exclude<
    keyof typeof entry,
    "CodexError" | "RequestError"
  >];
  expectTypeOf<
    Codes | "lease_ended" | "line_too_long" | "missing_dependency"
  >().toEqualTypeOf<CodexErrorCode>();

  class AgentError extends CodexError {
    readonly code = "deadline_exceeded";
  }
  expectTypeOf<CodexErrorCode | AgentError["code"]>().extract<"deadline_exceeded">().not.toBeNever();
});
