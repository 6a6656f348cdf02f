import type { TransportFactory } from "../rpc/transport.ts";
import { InvalidArgumentError } from "../rpc/errors.ts";
import { checkMs } from "../rpc/limits.ts";
import type { ReconnectOptions } from "./recovery.ts";
import type { ServerRequestOptions } from "./requests/index.ts";
import type { ApprovalSpelling, SandboxSpelling } from "./spelling.ts";

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

/** The options that are functions, with the words that stand for one. */
const FUNCTIONS: readonly (readonly [name: keyof ClientOptions, ...words: string[]])[] = [
  ["transport"],
  ["onApproval", "fail"],
  ["onPermissions"],
  ["onUserInput", "decline", "fail"],
  ["onElicitation"],
  ["refreshTokens"],
  ["onAttestation"],
  ["clock"],
];

/** Refuses at once what would only fail later, and less clearly: not every caller has the compiler's help. */
export function checkOptions(options: ClientOptions): void {
  for (const [name, ...words] of FUNCTIONS) {
    const value: unknown = options[name];
    if (value === undefined || typeof value === "function" || words.includes(value as string)) continue;
    const choices = ["a function", ...words.map((word) => JSON.stringify(word))].join(" or ");
    throw new InvalidArgumentError(
      `${name} is ${typeof value === "string" ? JSON.stringify(value) : typeof value}: give ${choices}`,
    );
  }
  for (const name of ["requestTimeoutMs", "startupTimeoutMs", "turnSilenceMs"] as const) {
    checkMs(name, options[name]);
  }
  const { maxInFlight = 1, optOutNotifications = [], reconnect } = options;
  if (!Number.isInteger(maxInFlight) || maxInFlight < 1 || maxInFlight > SERVER_QUEUE) {
    throw new InvalidArgumentError(
      `maxInFlight is ${String(maxInFlight)}: give a whole number from 1 to ${SERVER_QUEUE}, the length of the server's queue`,
    );
  }
  const { attempts = 0 } = reconnect || {};
  // Compared with what is no number, the losses would never be too many.
  if (!(typeof attempts === "number" && attempts >= 0)) {
    throw new InvalidArgumentError(`reconnect.attempts is ${String(attempts)}: give a number from 0`);
  }
  const needed = optOutNotifications.find((method) => NEEDED.has(method));
  if (needed !== undefined) {
    throw new InvalidArgumentError(
      `optOutNotifications holds ${needed}, which turns cannot be followed without`,
    );
  }
}
