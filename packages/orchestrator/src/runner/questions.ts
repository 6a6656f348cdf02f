import type {
  ApprovalDecision,
  ApprovalRequest,
  ElicitationRequest,
  PermissionsRequest,
  UserInputRequest,
} from "codexwright";
import type { AgentOptions } from "codexwright/agent";
import type { Question } from "../domain/claim.ts";
import type { Answered } from "../domain/orders.ts";
import type { Settings } from "../domain/settings.ts";
import { cleanJson } from "./clean-json.ts";
import { paramsOf, permitted, type Permit } from "./permit.ts";
import { approvalText, elicitationText, inputText, permissionsText } from "./question-text.ts";

/** The handlers of an agent for requests that need a person. */
export type QuestionHandlers = Pick<
  AgentOptions,
  "onApproval" | "onPermissions" | "onUserInput" | "onElicitation"
>;

/** Dependencies of the handlers. */
export interface QuestionPlan {
  readonly onQuestion: Settings["agent"]["onQuestion"];
  /** The question that the previous run ended with, and the answer of a person. */
  readonly answered: Answered | null;
  /** Ends the run with this question. */
  readonly ask: (question: Question) => void;
  readonly clean: (text: string) => string;
  readonly now: () => Date;
}

/**
 * Returns the handlers for `agent.on_question`. With `decline`, the model learns that no user is available, and the run
 * continues. Otherwise a question ends the run, and the handler waits for the end of the turn, so that the model
 * receives no answer.
 *
 * A person may have approved a request with the protocol's answer. That request can be asked once more by the next run,
 * and is then answered with that decision. The answer is used once.
 */
export function questionHandlers(plan: QuestionPlan): QuestionHandlers {
  if (plan.onQuestion === "decline") return { onUserInput: "decline" };
  let permit: Permit | undefined = plan.answered === null ? undefined : permitted(plan.answered);
  const ask = async (
    kind: Question["kind"],
    method: string,
    text: string,
    request: { readonly signal: AbortSignal },
    params: unknown,
  ): Promise<void> => {
    plan.ask({
      kind,
      method,
      text: plan.clean(text),
      params: cleanJson(params, plan.clean),
      askedAt: plan.now().toISOString(),
    });
    await aborted(request.signal);
  };
  return {
    onApproval: async (request: ApprovalRequest): Promise<ApprovalDecision> => {
      const decision = permit?.decisionOn(request);
      if (decision !== undefined) {
        permit = undefined;
        return decision;
      }
      await ask("approval", methodOf(request), approvalText(request), request, paramsOf(request));
      return "decline";
    },
    onPermissions: async (request: PermissionsRequest) => {
      const { signal: _, ...params } = request;
      await ask("approval", "item/permissions/requestApproval", permissionsText(request), request, params);
      return { permissions: {} };
    },
    onUserInput: async (request: UserInputRequest) => {
      const { signal: _, ...params } = request;
      await ask("input", "item/tool/requestUserInput", inputText(request), request, params);
      return {};
    },
    onElicitation: async (request: ElicitationRequest) => {
      const { signal: _, ...params } = request;
      await ask("elicitation", "mcpServer/elicitation/request", elicitationText(request), request, params);
      return { action: "decline" };
    },
  };
}

function methodOf(request: ApprovalRequest): string {
  switch (request.kind) {
    case "command":
    case "network":
      return "item/commandExecution/requestApproval";
    case "fileChange":
      return "item/fileChange/requestApproval";
    default:
      return "mcpServer/elicitation/request";
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
