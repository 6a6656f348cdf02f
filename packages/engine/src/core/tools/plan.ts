import type { TurnPlanStep } from "codexwright/protocol";
import type { WireObject } from "../wire-object.ts";
import type { CallOutcome, ToolCall } from "./tool-call.ts";
import type { TurnRun } from "../turn/turn-run.ts";

/** Reports the model's plan in a notification of the turn. A plan is not an item. */
export function updatePlan(run: TurnRun, _call: ToolCall, args: WireObject): CallOutcome {
  const steps = Array.isArray(args["plan"]) ? (args["plan"] as { step: string; status: string }[]) : [];
  run.notify("turn/plan/updated", {
    explanation: typeof args["explanation"] === "string" ? args["explanation"] : null,
    plan: steps.map(({ step, status }) => ({
      step,
      status: (status === "in_progress" ? "inProgress" : status) as TurnPlanStep["status"],
    })),
  });
  return { output: "Plan updated" };
}
