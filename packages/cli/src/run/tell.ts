import { aside, type Output } from "../shared/output.ts";
import type { Outcome, Plan } from "./conduct.ts";
import { jsonText } from "../shared/text.ts";
import { summaryText, type Facts } from "./summary.ts";

/** Tells what a turn has come to: its result, then what it did and cost. */
export function tell(
  facts: Facts,
  outcome: Outcome | undefined,
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
  output.json({
    type: "result",
    command: plan.name,
    status: outcome ? "completed" : "failed",
    ...facts,
    text: outcome?.text ?? "",
    ...(outcome?.output !== undefined && { output: outcome.output }),
  });
  if (plan.isData) {
    if (outcome) output.text(`${jsonText(outcome.output, 2)}\n`);
  } else if (output.isQuiet && outcome && outcome.text !== "") {
    output.text(`${outcome.text.trimEnd()}\n`);
  }
  if (output.isQuiet || output.isJson) return;
  const summary = summaryText(facts, { style: output.style, folder, resumable });
  // Whoever reads the data from a pipe wants nothing else there.
  if (plan.isData) aside(summary);
  else output.styled(`\n${summary}`);
}
