import { BudgetMeter } from "codexwright/agent";
import type { Outcome } from "../domain/outcome.ts";
import type { RunControl, RunTask } from "./port.ts";

type OverBudget = Outcome & { readonly kind: "over_budget" };

/** The token budgets of a run: of its issue over all runs, and of the UTC day over all issues. */
export class RunBudget {
  readonly #task: RunTask;
  readonly #control: RunControl;
  /** The budget of the issue, with the tokens of earlier runs. undefined: no limit. */
  readonly meter: BudgetMeter | undefined;

  constructor(task: RunTask, control: RunControl) {
    const { issueTokens } = task.workflow.settings.budget;
    this.#task = task;
    this.#control = control;
    if (issueTokens === null) return;
    this.meter = new BudgetMeter({ totalTokens: issueTokens });
    this.meter.record("earlier runs", task.claim.spent);
  }

  /** The budget that is used up before the run begins. */
  get spentAtStart(): OverBudget | undefined {
    const { issueTokens } = this.#task.workflow.settings.budget;
    const spent = this.#task.claim.spent.totalTokens;
    if (issueTokens !== null && spent >= issueTokens) return this.overIssue(spent);
    return this.isDayOver ? this.overDay() : undefined;
  }

  get isDayOver(): boolean {
    const left = this.#control.dayTokensLeft();
    return left !== null && left <= 0;
  }

  overIssue(tokens: number): OverBudget {
    return {
      kind: "over_budget",
      budget: "issue",
      tokens,
      limit: this.#task.workflow.settings.budget.issueTokens ?? 0,
    };
  }

  overDay(): OverBudget {
    const limit = this.#task.workflow.settings.budget.dayTokens ?? 0;
    return {
      kind: "over_budget",
      budget: "day",
      tokens: limit - (this.#control.dayTokensLeft() ?? 0),
      limit,
    };
  }
}
