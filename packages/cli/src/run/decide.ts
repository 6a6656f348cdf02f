import type { ApprovalDecision, ApprovalRequest, UserInputAnswers, UserInputRequest } from "codexwright";
import type { Output } from "../shared/output.ts";
import type { Presenter } from "./presenter.ts";

/** Who decides, and where that is shown. */
export interface Desk {
  readonly output: Output;
  readonly folder: () => string;
  readonly presenter: () => Presenter | undefined;
  /** Accepts everything. */
  readonly yes: boolean;
  readonly interrupt: () => void;
}

/** Decides on an approval: by `--yes`, by asking, or with nobody to ask by declining. */
export async function decide(request: ApprovalRequest, desk: Desk): Promise<ApprovalDecision> {
  const { output, yes } = desk;
  const presenter = desk.presenter();
  const { kind, threadId, itemId = null } = request;
  const asked = yes ? undefined : await ask(request, desk);
  const decision = asked ?? (yes ? "accept" : "decline");
  output.json({
    type: "approval",
    kind,
    threadId,
    itemId,
    decision,
    by: asked === undefined ? "rule" : "user",
  });
  if (decision === "decline" && asked === undefined) {
    presenter?.note(`Declined a ${kind}: nobody is there to ask, and --yes was not given.`);
  }
  return decision;
}

async function ask(request: ApprovalRequest, desk: Desk): Promise<ApprovalDecision | undefined> {
  const screen = desk.presenter()?.screen;
  if (!screen) return undefined;
  const { askApproval } = await import("./asking.ts");
  const { output, interrupt } = desk;
  return await askApproval(request, { screen, style: output.style, folder: desk.folder(), interrupt });
}

/** Answers the model's questions, where somebody is there to ask. */
export async function answer(request: UserInputRequest, desk: Desk): Promise<UserInputAnswers> {
  const screen = desk.presenter()?.screen;
  if (!screen) return {};
  const { askUser } = await import("./asking.ts");
  const { output, interrupt } = desk;
  return await askUser(request, { screen, style: output.style, folder: desk.folder(), interrupt });
}
