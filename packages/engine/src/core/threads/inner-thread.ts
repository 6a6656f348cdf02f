import type { ServerNotifications } from "codexwright/protocol";
import { uuid7 } from "../ids.ts";
import type { RuleJudgement, RuleVerdict } from "../ports.ts";
import { derived } from "../records/record.ts";
import { LoadedThread } from "./loaded-thread.ts";
import { SessionRules } from "./session-rules.ts";
import { policyOf } from "./thread-policy.ts";

/** Receives what a turn of an inner thread would tell clients. */
export type Outlet = <M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]) => void;

export interface InnerThreadOptions {
  /** The base instructions of its model. */
  readonly instructions: string;
  /** The names of the only tools of its model. */
  readonly tools: ReadonlySet<string>;
  readonly tell: Outlet;
}

/**
 * A conversation that the engine itself has with the model for a thread, such as that of a reviewer. Clients cannot reach
 * it, and it is not stored. Its model reads, but writes nothing, and the engine never asks a client to let it do more.
 */
export class InnerThread extends LoadedThread {
  override readonly only: ReadonlySet<string>;
  override readonly rules: SessionRules = new NoAllowance();
  readonly #tell: Outlet;

  constructor(outer: LoadedThread, { instructions, tools, tell }: InnerThreadOptions) {
    const record = {
      ...derived(outer.record, uuid7(), Date.now()),
      ephemeral: true,
      instructions,
      dynamicTools: [],
    };
    super(outer.host, record, { ...outer.config, mcpServers: {} }, () => {});
    this.only = tools;
    this.#tell = tell;
    Object.assign(this.settings, {
      approvalPolicy: "never",
      approvalsReviewer: "user",
      sandbox: { type: "readOnly", networkAccess: false },
      permissions: null,
      collaborationMode: null,
    } satisfies Partial<typeof this.settings>);
  }

  /**
   * Lets commands run as those of the outer thread if that thread has no sandbox and none can be made. Otherwise the model
   * could not even read.
   */
  async settleSandbox(outer: LoadedThread): Promise<void> {
    const policy = policyOf(this);
    if (policyOf(outer) !== undefined || policy === undefined) return;
    const status = await this.host.sandbox?.status(policy);
    if (status?.ready === false) this.settings.sandbox = outer.settings.sandbox;
  }

  override notify<M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]): void {
    this.#tell(method, params);
  }

  override startMcp(): Promise<void> {
    return Promise.resolve();
  }

  override tellStatus(): void {
    // Clients know only the outer thread.
  }
}

/** The user's rules let commands leave the sandbox. Here they can only forbid them. */
class NoAllowance extends SessionRules {
  override verdictOn(argv: readonly string[], judgement: RuleJudgement): RuleVerdict | undefined {
    const verdict = super.verdictOn(argv, judgement);
    return verdict?.decision === "allow" ? undefined : verdict;
  }
}
