import type {
  AskForApproval,
  ClientNotifications,
  ClientRequests,
  CodexErrorInfo,
  CommandAction,
  NoParams,
  ServerEvent,
  ServerNotifications,
  ServerRequests,
  Thread,
  ThreadItem,
  ThreadStartParams,
  ThreadStartResponse,
  ThreadStatus,
  TurnCompletedNotification,
  TurnStartParams,
  TurnStatus,
  Unknown,
  UnknownItem,
  UserInput,
} from "codexwright/protocol";
import { expectTypeOf, test } from "vitest";

test("the maps contain params and result by method", () => {
  expectTypeOf<ClientRequests["thread/start"]["params"]>().toEqualTypeOf<ThreadStartParams>();
  expectTypeOf<ClientRequests["thread/start"]["result"]>().toEqualTypeOf<ThreadStartResponse>();
  expectTypeOf<ClientRequests["account/logout"]["params"]>().toEqualTypeOf<NoParams>();
  expectTypeOf<ServerNotifications["turn/completed"]>().toEqualTypeOf<TurnCompletedNotification>();
  expectTypeOf<ClientNotifications>().toHaveProperty("initialized");
  expectTypeOf<ServerRequests["execCommandApproval"]["result"]>().toHaveProperty("decision");
  expectTypeOf<ServerRequests["item/tool/call"]["result"]>().toHaveProperty("success");
  // @ts-expect-error no such method
  expectTypeOf<ClientRequests["thread/nope"]>();
});

type Unresolved<Map> = {
  [M in keyof Map]: Map[M] extends { result: infer R } ? (unknown extends R ? M : never) : M;
}[keyof Map];

test("no result is unknown or any", () => {
  expectTypeOf<Unresolved<ClientRequests>>().toEqualTypeOf<never>();
  expectTypeOf<Unresolved<ServerRequests>>().toEqualTypeOf<never>();
});

function textOf(item: ThreadItem): string {
  switch (item.type) {
    case "agentMessage":
      expectTypeOf(item.text).toEqualTypeOf<string>();
      return item.text;
    case "commandExecution":
      expectTypeOf(item.exitCode).toEqualTypeOf<number | null>();
      return item.command;
    default:
      return item.id;
  }
}

test("items narrow by literal, and default handles the rest", () => {
  expectTypeOf(textOf).returns.toEqualTypeOf<string>();
  expectTypeOf<Extract<ThreadItem, { type: Unknown }>>().toExtend<UnknownItem>();
  expectTypeOf<ThreadItem["id"]>().toEqualTypeOf<string>();
});

function unknownStatus(status: TurnStatus): Unknown | undefined {
  switch (status) {
    case "completed":
    case "failed":
    case "inProgress":
    case "interrupted":
      return undefined;
    default:
      expectTypeOf(status).toEqualTypeOf<Unknown>();
      return status;
  }
}

/** If the type accepted every string, it would allow misspelt values. */
function isComplete(status: TurnStatus): boolean {
  // @ts-expect-error no such status
  return status === "complete";
}

test("a switch over all known values must still handle unknown ones", () => {
  expectTypeOf(unknownStatus).returns.toEqualTypeOf<Unknown | undefined>();
  expectTypeOf(isComplete).returns.toBeBoolean();
});

function httpStatusOf(info: CodexErrorInfo): number | null | undefined {
  if (info === "usageLimitExceeded") {
    expectTypeOf(info).toEqualTypeOf<"usageLimitExceeded">();
    return undefined;
  }
  if (typeof info !== "object" || !("httpConnectionFailed" in info)) return undefined;
  return info.httpConnectionFailed.httpStatusCode;
}

test("statuses, actions and errors narrow", () => {
  expectTypeOf<Extract<ThreadStatus, { type: "active" }>>().toHaveProperty("activeFlags");
  expectTypeOf<CommandAction["command"]>().toEqualTypeOf<string>();
  expectTypeOf(httpStatusOf).parameter(0).toEqualTypeOf<CodexErrorInfo>();
});

function turnOf(event: ServerEvent): string | undefined {
  switch (event.method) {
    case "turn/completed":
      return event.params.turn.id;
    case "thread/started":
      expectTypeOf(event.params.thread).toEqualTypeOf<Thread>();
      return undefined;
    default:
      return undefined;
  }
}

test("events narrow by method", () => {
  expectTypeOf(turnOf).parameter(0).toEqualTypeOf<ServerEvent>();
  expectTypeOf<Extract<ServerEvent, { method: Unknown }>["params"]>().toEqualTypeOf<unknown>();
});

test("a sender writes only the fields that it needs", () => {
  const input: UserInput = { type: "text", text: "hello" };
  const params: TurnStartParams = {
    threadId: "t",
    input: [input],
    approvalPolicy: "never",
    sandboxPolicy: { type: "readOnly" },
  };
  expectTypeOf(params).toExtend<ClientRequests["turn/start"]["params"]>();
  expectTypeOf<Unknown>().not.toExtend<AskForApproval>();
  // @ts-expect-error no such input
  const wrong: UserInput = { type: "txt", text: "hello" };
  expectTypeOf(wrong).toExtend<UserInput>();
});
