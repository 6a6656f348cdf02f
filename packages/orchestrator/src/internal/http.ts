export { serveHttp } from "../http/serve.ts";
export type * from "../http/port.ts";
