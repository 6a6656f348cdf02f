export {
  newToken,
  publishEndpoint,
  readEndpoint,
  withdrawEndpoint,
  type Endpoint,
} from "../http/endpoint.ts";
export { serveHttp } from "../http/serve.ts";
export type * from "../http/port.ts";
