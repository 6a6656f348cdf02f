import type { TransportFactory } from "../../rpc/transport.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import * as is from "../../rpc/options/check.ts";
import { needed, shape, type Table } from "../../rpc/options/table.ts";
import type { ReconnectOptions } from "./recovery/recovery.ts";

/** How a client reaches its server, introduces itself and sends requests. */
export interface ConnectionOptions {
  /** How to reach a server. */
  readonly transport: TransportFactory;
  /** Told to the server, and by it to the model's provider; default "codexwright". */
  readonly clientName?: string | undefined;
  readonly clientTitle?: string | undefined;
  readonly clientVersion?: string | undefined;
  /** Opens the methods and fields the server calls experimental; default true. */
  readonly experimentalApi?: boolean | undefined;
  /** Notifications the server should not send. Those that turns are followed by are refused. */
  readonly optOutNotifications?: readonly string[] | undefined;
  /** For an answer to a request; default 30,000; 0 = no limit. */
  readonly requestTimeoutMs?: number | undefined;
  /** From the start of the server to the end of the handshake; default 10,000; 0 = no limit. */
  readonly startupTimeoutMs?: number | undefined;
  /** Whether a lost server is replaced, and the open threads resumed on the new one; default false. */
  readonly reconnect?: false | ReconnectOptions | undefined;
  /** Requests that may wait for an answer at once; default 64, at most 128, which is what the server queues. */
  readonly maxInFlight?: number | undefined;
}

/** Requests that a server queues. Beyond it requests are refused, or never answered. */
const SERVER_QUEUE = 128;

/** Notifications without which a handle would wait for ever or tell half of the story. */
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

/** Refuses notifications that turns depend on. */
export function checkOptOut(optOutNotifications: readonly string[] = []): void {
  const wanted = optOutNotifications.find((method) => NEEDED.has(method));
  if (wanted === undefined) return;
  throw new InvalidArgumentError(
    `optOutNotifications holds ${wanted}, which turns cannot be followed without`,
  );
}
