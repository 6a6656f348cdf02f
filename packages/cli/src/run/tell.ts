import { EXIT } from "../shared/command-error.ts";
import { exitCodeOf } from "../shared/exit-codes.ts";
import type { Output } from "../shared/output.ts";
import { jsonText } from "../shared/text.ts";
import type { Ended, Plan } from "./conduct.ts";
import { summaryText, type Facts } from "../show/summary.ts";

/** Reports how a turn ended: its result, then what it did and cost. */
export function tell(
  facts: Facts,
  ended: Ended,
  {
    output,
    plan,
    folder,
    resumable,
  }: {
    readonly output: Output;
    readonly plan: Plan;
    readonly folder: string;
    readonly resumable: boolean;
  },
): void {
  const { outcome } = ended;
  output.json({
    type: "result",
    command: plan.name,
    status: statusOf(ended),
    ...facts,
    text: outcome?.text ?? "",
    ...(outcome?.output !== undefined && { output: outcome.output }),
    ...(outcome?.findings && { findings: outcome.findings }),
  });
  if (plan.isData) {
    if (outcome) output.text(`${jsonText(outcome.output, 2)}\n`);
  } else if ((output.isQuiet || !output.isTerminal) && outcome && outcome.text !== "") {
    output.text(`${outcome.text.trimEnd()}\n`);
  }
  if (output.isQuiet || output.isJson) return;
  const { progress } = output;
  progress.styled(`\n${summaryText(facts, { style: progress.style, folder, resumable })}`);
}

function statusOf({ outcome, error }: Ended): "completed" | "interrupted" | "failed" {
  if (outcome) return "completed";
  return exitCodeOf(error) === EXIT.interrupted ? "interrupted" : "failed";
}
