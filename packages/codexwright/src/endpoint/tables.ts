import * as is from "../rpc/options/check.ts";
import { needed, shape, type Table } from "../rpc/options/table.ts";
import type { EndpointOptions, ServerRequestOptions, ShutdownOptions, UserAgentParts } from "./types.ts";

export const ENDPOINT: Table<EndpointOptions> = {
  handlers: needed(is.recordOf(is.func)),
  fallback: is.func,
  refuse: is.func,
  onNotification: is.func,
  version: is.text,
  // This may be the info of another server, which can have more fields.
  info: is.object,
  userAgent: shape<Partial<UserAgentParts>>({ os: is.text, arch: is.text, terminal: is.text }),
  initializeTimeoutMs: is.milliseconds,
  maxQueued: is.integerOrInfinity(1),
  validate: is.flag,
  clock: is.func,
  onInitialized: is.func,
  onAbandoned: is.func,
  onError: is.func,
};

export const SERVER_REQUEST: Table<ServerRequestOptions> = { signal: is.signal };

export const SHUTDOWN: Table<ShutdownOptions> = { signal: is.signal };
