export type { RequestOptions } from "./call.ts";
export { Connection, type ConnectionHandlers } from "./connection.ts";
export {
  AbortedError,
  AuthFailedError,
  CodexError,
  ConnectionClosedError,
  InvalidArgumentError,
  MissingDependencyError,
  OverloadedError,
  RequestError,
  RequestTimeoutError,
  ResponseError,
  RpcError,
  UnexpectedAnswerError,
  type CloseReason,
} from "./errors.ts";
export type { IncomingRequest } from "./incoming-request.ts";
export { ResourceExhaustedError } from "./resource-exhausted.ts";
export { LineTooLongError } from "./line-too-long.ts";
export { LineDecoder } from "./lines.ts";
export { memoryPair } from "./memory.ts";
export type { RequestId, RpcErrorObject, WireMessage } from "./message.ts";
export { tap, type Transport, type TransportFactory, type TransportSink } from "./transport.ts";
