import type { Table } from "../rpc/options/table.ts";
import { CONNECTION_OPTIONS, type ConnectionOptions } from "./connection/options.ts";
import { SERVER_REQUEST_OPTIONS, type ServerRequestOptions } from "./requests/options.ts";
import { THREAD_DEFAULTS, type ThreadDefaults } from "./thread/thread-defaults.ts";

/** Options that every client has, regardless of its transport. */
export interface ClientOptions extends ConnectionOptions, ThreadDefaults, ServerRequestOptions {}

/** The checks of all client options. */
export const CLIENT_OPTIONS: Table<ClientOptions> = {
  ...CONNECTION_OPTIONS,
  ...THREAD_DEFAULTS,
  ...SERVER_REQUEST_OPTIONS,
};
