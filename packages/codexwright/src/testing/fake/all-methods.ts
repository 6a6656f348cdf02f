import type { Handlers } from "../../endpoint/index.ts";
import { METHODS } from "../../protocol/index.ts";
import type { Dialect } from "./dialect.ts";
import { ResponseError } from "../../rpc/errors.ts";

/** A server has every method of its version; those that a fake does not simulate say so. */
export function allMethods(simulated: Handlers, dialect: Dialect): Handlers {
  const known = Object.keys(METHODS.clientRequests).filter((method) => dialect.knows(method));
  const rest = known.filter((method) => method !== "initialize");
  const refusals = rest.map((method) => [
    method,
    () => {
      throw new ResponseError(-32603, `${method} is not simulated by the fake app-server`);
    },
  ]);
  const own = Object.entries(simulated).filter(([method]) => dialect.knows(method));
  return Object.fromEntries([...refusals, ...own]) as Handlers;
}
