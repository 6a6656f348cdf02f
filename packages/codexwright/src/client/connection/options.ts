import type { TransportFactory } from "../../rpc/transport.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import * as is from "../../rpc/options/check.ts";
import { needed, shape, type Table } from "../../rpc/options/table.ts";
import type { ReconnectOptions } from "./recovery/recovery.ts";

/** How a client connects to its server, identifies itself and sends requests. */
export interface ConnectionOptions {
  /** Opens the connection to a server. */
  readonly transport: TransportFactory;
  /** Sent to the server, which forwards it to the model provider; default "codexwright". */
  readonly clientName?: string | undefined;
  readonly clientTitle?: string | undefined;
  readonly clientVersion?: string | undefined;
  /** Enables the methods and fields that the server marks as experimental; default true. */
  readonly experimentalApi?: boolean | undefined;
  /**
   * Notifications that the server should not send. The client throws `invalid_argument` if the list contains a
   * notification that turns depend on.
   */
  readonly optOutNotifications?: readonly string[] | undefined;
  /** Time limit for the answer to a request; default 30,000; 0 = no limit. */
  readonly requestTimeoutMs?: number | undefined;
  /** Time limit from the start of the server to the end of the handshake; default 10,000; 0 = no limit. */
  readonly startupTimeoutMs?: number | undefined;
  /** Whether to replace a lost server and resume the open threads on the new one; default false. */
  readonly reconnect?: false | ReconnectOptions | undefined;
  /** Maximum number of requests in flight; default 64. Must not exceed 128, the length of the server's queue. */
  readonly maxInFlight?: number | undefined;
}

/** The length of a server's request queue. The server refuses further requests, or never answers them. */
const SERVER_QUEUE = 128;

/** Without these notifications, a thread or turn handle would wait forever or be incomplete. */
const NEEDED: ReadonlySet<string> = new Set([
  "turn/started",
  "turn/completed",
  "item/started",
  "item/completed",
  "error",
  "thread/tokenUsage/updated",
  "thread/status/changed",
  "serverRequest/resolved",
  "command/exec/outputDelta",
  "fs/changed",
  "account/login/completed",
  "mcpServer/oauthLogin/completed",
  "fuzzyFileSearch/sessionUpdated",
]);

export const CONNECTION_OPTIONS: Table<ConnectionOptions> = {
  transport: needed(is.func),
  clientName: is.text,
  clientTitle: is.text,
  clientVersion: is.text,
  experimentalApi: is.flag,
  optOutNotifications: is.listOf(is.text),
  requestTimeoutMs: is.milliseconds,
  startupTimeoutMs: is.milliseconds,
  reconnect: is.either(is.oneOf(false), shape<ReconnectOptions>({ attempts: is.integerOrInfinity(0) })),
  maxInFlight: is.integer(1, SERVER_QUEUE),
};

/** Throws if the client opts out of a notification that turns depend on. */
export function checkOptOut(optOutNotifications: readonly string[] = []): void {
  const wanted = optOutNotifications.find((method) => NEEDED.has(method));
  if (wanted === undefined) return;
  throw new InvalidArgumentError(
    `optOutNotifications must not contain ${wanted}: turns cannot be followed without it`,
  );
}
