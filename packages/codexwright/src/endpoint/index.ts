export { ResponseError } from "../rpc/errors.ts";
export { Endpoint } from "./endpoint.ts";
export type {
  ClientConnection,
  EndpointOptions,
  HandlerContext,
  Handlers,
  ServerInfo,
  ServerRequestOptions,
  ThreadChannel,
} from "./types.ts";
