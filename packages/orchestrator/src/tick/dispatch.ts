import type { Admission } from "../jobs/port.ts";
import { planDispatch, type Planned } from "../policy/plan.ts";
import { limitsOf } from "../policy/slots.ts";
import { situationOf, type TickOptions, type TickReport } from "./options.ts";

/** The rules of slots. An issue that fails only these waits for a slot. */
const SLOT_RULES: ReadonlySet<string> = new Set(["slot_free", "state_slot_free"]);

/** Claims the issues that should run now. Rejects if the tracker does not answer. */
export async function dispatch(
  options: TickOptions,
  signal: AbortSignal,
): Promise<Pick<TickReport, "candidates" | "admitted" | "waitsForSlot">> {
  const { store, scope, current, changed, journal } = options;
  const { tracker, settings } = current();
  const candidates = await tracker.byStates(settings.tracker.activeStates, signal);
  const planned = planDispatch(candidates, await situationOf(options));
  const wanted = planned.filter(({ eligible }) => eligible).map(({ issue }) => ({ issue }));
  const admissions = wanted.length === 0 ? [] : await store.admit(scope, wanted, limitsOf(settings));
  const refused = new Map(admissions.map((admission) => [admission.issueId, admission.refused]));
  const admitted = wanted.filter(({ issue }) => refused.get(issue.id) === null);
  for (const { issue } of admitted) {
    journal.note({
      event: "claim.admitted",
      issueId: issue.id,
      identifier: issue.identifier,
      message: "the issue has a slot",
      data: { outcome: "admitted", state: issue.state },
    });
  }
  if (admitted.length > 0) changed();
  const waitsForSlot = planned.some(isWaiting) || admissions.some(hadNoSlot);
  return { candidates: candidates.length, admitted: admitted.length, waitsForSlot };
}

function isWaiting({ eligible, verdicts }: Planned): boolean {
  return !eligible && verdicts.every(({ rule, ok }) => ok || SLOT_RULES.has(rule));
}

function hadNoSlot({ refused }: Admission): boolean {
  return refused === "no_slot" || refused === "no_state_slot";
}
