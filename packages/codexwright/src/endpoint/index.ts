export { Endpoint } from "./endpoint.ts";
export type {
  ClientConnection,
  EndpointOptions,
  Handler,
  HandlerContext,
  Handlers,
  ServerInfo,
  ServerRequestOptions,
  ShutdownOptions,
  ThreadChannel,
  UserAgentParts,
} from "./types.ts";
