export {
  CodexClient,
  type ClientEvents,
  type ClientWarning,
  type NotificationListener,
  type ServerRequestHandler,
  type StartThreadOptions,
} from "./client.ts";
export {
  NoActiveTurnError,
  NotConnectedError,
  StartupTimeoutError,
  ThreadBusyError,
  TurnFailedError,
  TurnInterruptedError,
  TurnTimeoutError,
} from "./errors.ts";
export type { ServerInfo } from "./handshake.ts";
export type { TurnInput } from "./input.ts";
export type { ClientOptions } from "./options.ts";
export type { CallOptions } from "./routes.ts";
export type { ApprovalSpelling, SandboxSpelling } from "./spelling.ts";
export { Thread, type TurnOptions } from "./thread.ts";
export { Turn } from "./turn.ts";
export type { TurnResult } from "./turn-record.ts";
export type { TurnUsage } from "./usage.ts";
export { VERSION } from "./version.ts";
export {
  AbortedError,
  CodexError,
  ConnectionClosedError,
  InvalidArgumentError,
  OverloadedError,
  RequestError,
  RequestTimeoutError,
  ResponseError,
  RpcError,
  type CloseReason,
  type Delivery,
} from "../rpc/errors.ts";
export type { Transport, TransportFactory } from "../rpc/transport.ts";
