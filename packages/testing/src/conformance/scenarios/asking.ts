import type { CodexClient } from "codexwright/client";
import type { ApprovalDecision, ApprovalRequest } from "codexwright/client";
import type { Thread } from "codexwright/client";
import type { ModelScript } from "../../model-steps.ts";
import { expectDefined } from "../expect.ts";
import type { ScenarioRun, World } from "../scenario.ts";

/** A client whose server requests approval before it writes files. */
export interface Asking {
  readonly world: World;
  readonly codex: CodexClient;
  readonly thread: Thread;
  /** The approvals that the server has requested so far. */
  readonly asked: readonly ApprovalRequest[];
}

/**
 * A server that requests approval before it writes files, and a client that gives the same answer every time.
 */
export function asking(
  model: ModelScript,
  decision: ApprovalDecision,
  steps: (there: Asking) => Promise<void>,
): ScenarioRun {
  return {
    model,
    approvalPolicy: "on-request",
    sandbox: "read-only",
    run: async (world) => {
      const asked: ApprovalRequest[] = [];
      const codex = await world.connect({
        onApproval: (request) => {
          asked.push(request);
          return decision;
        },
      });
      await steps({ world, codex, asked, thread: await codex.startThread() });
    },
  };
}

/** The output of a call that the model received. */
export function outputOf({ model }: World, callId: string): string {
  return expectDefined(model.requests.at(-1)?.toolOutputs[callId], `an output of ${callId}`);
}
