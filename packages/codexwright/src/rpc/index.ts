export type { RequestOptions } from "./call.ts";
export { Connection, type BadLine, type ConnectionHandlers, type ConnectionOptions } from "./connection.ts";
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
  type Delivery,
} from "./errors.ts";
export { ResourceExhaustedError } from "./resource-exhausted.ts";
export { LineDecoder } from "./lines.ts";
export { memoryPair } from "./memory.ts";
export { classify, type Incoming, type RequestId, type RpcErrorObject, type WireMessage } from "./message.ts";
export { EventQueue, type Coalescer } from "./queue.ts";
export type { IncomingRequest, RequestContext } from "./serving.ts";
export { tap, type Transport, type TransportFactory, type TransportSink, type WireTap } from "./transport.ts";
