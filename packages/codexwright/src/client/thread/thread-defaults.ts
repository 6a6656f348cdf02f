import * as is from "../../rpc/options/check.ts";
import type { Table } from "../../rpc/options/table.ts";
import { APPROVAL, SANDBOX, type ApprovalSpelling, type SandboxSpelling } from "../turn/options/spelling.ts";

/** Client options that apply to threads and turns that do not set the option themselves. */
export interface ThreadDefaults {
  /** Default model of threads. If unset, the server's default applies. */
  readonly model?: string | undefined;
  /** Default working folder of threads. */
  readonly cwd?: string | undefined;
  /** Default sandbox of threads; default "workspace-write". `null`: use the user's configuration. */
  readonly sandbox?: SandboxSpelling | null | undefined;
  /**
   * Default approval policy of threads; default "never", or "on-request" if `onApproval` is set. `null`: use the user's
   * configuration. With `null` and no `onApproval`, approvals are declined.
   */
  readonly approvalPolicy?: ApprovalSpelling | null | undefined;
  /** Default of a turn's `silenceMs`; default 300,000; 0 = no limit. */
  readonly turnSilenceMs?: number | undefined;
}

export const THREAD_DEFAULTS: Table<ThreadDefaults> = {
  model: is.text,
  cwd: is.text,
  sandbox: is.orNull(SANDBOX),
  approvalPolicy: is.orNull(APPROVAL),
  turnSilenceMs: is.milliseconds,
};
