import type { TransportFactory } from "../../rpc/transport.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import * as is from "../../rpc/options/check.ts";
import { needed, shape, type Table } from "../../rpc/options/table.ts";
import type { ReconnectOptions } from "./recovery.ts";
import { SERVER_REQUEST_OPTIONS, type ServerRequestOptions } from "../requests/options.ts";
import { APPROVAL, SANDBOX, type ApprovalSpelling, type SandboxSpelling } from "../thread/spelling.ts";

/** What a client needs whatever it is connected to. */
export interface ClientOptions extends ServerRequestOptions {
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
  /** Default model of threads; unset, the server's own applies. */
  readonly model?: string | undefined;
  /** Default folder of threads. */
  readonly cwd?: string | undefined;
  /** Default sandbox of threads; default "workspace-write". `null`: what the user's configuration says. */
  readonly sandbox?: SandboxSpelling | null | undefined;
  /**
   * Default approval policy of threads; default "never", or "on-request" if `onApproval` is given. `null`: what the
   * user's configuration says. Without a handler, approvals are then declined.
   */
  readonly approvalPolicy?: ApprovalSpelling | null | undefined;
  /** For an answer to a request; default 30,000; 0 = no limit. */
  readonly requestTimeoutMs?: number | undefined;
  /** From the start of the server to the end of the handshake; default 10,000; 0 = no limit. */
  readonly startupTimeoutMs?: number | undefined;
  /** Default of a turn's `silenceMs`; default 300,000; 0 = no limit. */
  readonly turnSilenceMs?: number | undefined;
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

/** Every option of a client. */
export const CLIENT_OPTIONS: Table<ClientOptions> = {
  transport: needed(is.func),
  clientName: is.text,
  clientTitle: is.text,
  clientVersion: is.text,
  experimentalApi: is.flag,
  optOutNotifications: is.listOf(is.text),
  model: is.text,
  cwd: is.text,
  sandbox: is.orNull(SANDBOX),
  approvalPolicy: is.orNull(APPROVAL),
  requestTimeoutMs: is.milliseconds,
  startupTimeoutMs: is.milliseconds,
  turnSilenceMs: is.milliseconds,
  reconnect: is.either(is.oneOf(false), shape<ReconnectOptions>({ attempts: is.integerOrInfinity(0) })),
  maxInFlight: is.integer(1, SERVER_QUEUE),
  ...SERVER_REQUEST_OPTIONS,
};

/** Refuses notifications that turns depend on. */
export function checkOptOut(optOutNotifications: readonly string[] = []): void {
  const wanted = optOutNotifications.find((method) => NEEDED.has(method));
  if (wanted === undefined) return;
  throw new InvalidArgumentError(
    `optOutNotifications holds ${wanted}, which turns cannot be followed without`,
  );
}
