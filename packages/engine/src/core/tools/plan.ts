import { isJsonObject } from "codexwright/internal";
import type { TurnPlanStep } from "codexwright/protocol";
import { UPDATE_PLAN } from "../instructions/tool-specs.ts";
import type { WireObject } from "../wire-object.ts";
import type { CallOutcome, ToolHandler } from "./tool-handler.ts";
import type { TurnRun } from "../turn/turn-run.ts";

/** The tool by which the model reports its plan. */
export const updatePlan: ToolHandler<TurnRun> = {
  name: "update_plan",
  parallel: false,
  spec: () => UPDATE_PLAN,
  run: ({ input }, run) => report(run, input),
};

/** Reports the plan in a notification of the turn. A plan is not an item. */
function report(run: TurnRun, args: WireObject): CallOutcome {
  const plan = args["plan"];
  if (!Array.isArray(plan) || !plan.every((step) => isStep(step)))
    return { output: `failed to parse function arguments: plan must be a list of steps with a status` };
  const steps = plan as readonly { step: string; status: string }[];
  run.notify("turn/plan/updated", {
    explanation: typeof args["explanation"] === "string" ? args["explanation"] : null,
    plan: steps.map(({ step, status }) => ({
      step,
      status: (status === "in_progress" ? "inProgress" : status) as TurnPlanStep["status"],
    })),
  });
  return { output: "Plan updated" };
}

function isStep(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  return typeof value["step"] === "string" && STATUSES.has(value["status"]);
}

const STATUSES: ReadonlySet<unknown> = new Set(["pending", "in_progress", "completed"]);
