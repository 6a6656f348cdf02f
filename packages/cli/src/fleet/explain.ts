import type { Explanation } from "@codexwright/orchestrator/cli";
import type { Invocation } from "../shared/invoke.ts";
import type { Style } from "../shared/style.ts";
import { clean } from "../shared/text.ts";
import { connectFleet, type RunningOptions } from "./connect.ts";

/** Shows what dispatch computed for an issue. */
export async function explain({ options, args, output, cwd }: Invocation<RunningOptions>): Promise<void> {
  const fleet = await connectFleet(options, cwd);
  const explanation = await fleet.explain(args[0] ?? "");
  output.json({ type: "explanation", explanation });
  output.styled(explanationText(explanation, output.style));
}

/** The verdict of every rule, the claim, and what would change it. */
export function explanationText(explanation: Explanation, style: Style): string {
  const { identifier, issue, eligible, verdicts, claim, next } = explanation;
  const one = (text: string): string => clean(text).replaceAll(/\s+/g, " ").trim();
  const title = issue === null ? "the tracker does not show it now" : one(issue.title);
  const verdict = eligible ? style.green("eligible") : style.yellow("not eligible");
  const widest = Math.max(0, ...verdicts.map(({ rule }) => rule.length));
  const lines = [
    `${style.bold(one(identifier))}  ${title}`,
    claim === null
      ? verdict
      : `${claim.state}${claim.lastError === null ? "" : `, last error: ${one(claim.lastError)}`}`,
    "",
    ...verdicts.map(({ rule, ok, why }) => {
      const mark = ok ? style.green("ok") : style.red("no");
      return `  ${mark}  ${one(rule).padEnd(widest)}  ${one(why)}`;
    }),
    ...(next.length === 0 ? [] : ["", "To change this:", ...next.map((each) => `  ${one(each)}`)]),
  ];
  return `${lines.join("\n")}\n`;
}
