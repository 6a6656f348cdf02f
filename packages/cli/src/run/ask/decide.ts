import type {
  ApprovalDecision,
  ApprovalRequest,
  ElicitationAnswer,
  ElicitationRequest,
  PermissionsAnswer,
  PermissionsRequest,
  UserInputAnswers,
  UserInputRequest,
} from "codexwright";
import type { Output } from "../../shared/output.ts";
import type { Asking } from "./asking.ts";
import { formFields, untouched } from "./form.ts";
import type { Presenter } from "../../show/presenter.ts";

/** How decisions are made and shown. */
export interface Desk {
  readonly output: Output;
  readonly folder: () => string;
  readonly presenter: () => Presenter | undefined;
  /** Accepts everything. */
  readonly yes: boolean;
  readonly interrupt: () => void;
  /** Aborts when the turn is ending. */
  readonly stopped: AbortSignal;
}

/** Decides on an approval: accepts with `--yes`, asks on a terminal, or declines. */
export async function decide(request: ApprovalRequest, desk: Desk): Promise<ApprovalDecision> {
  const { kind } = request;
  if (desk.yes) return told(desk, request, kind, "accept", "rule");
  const asking = askingOf(desk);
  if (!asking) {
    note(desk, `Declined a ${kind}`);
    return told(desk, request, kind, "decline", "rule");
  }
  const { askApproval } = await import("./asking.ts");
  return told(desk, request, kind, await askApproval(request, asking), "user");
}

/** Grants the permissions that the agent requests, for the turn or the session, or grants none. */
export async function permit(request: PermissionsRequest, desk: Desk): Promise<PermissionsAnswer> {
  const { permissions } = request;
  if (desk.yes) {
    told(desk, request, "permissions", "accept", "rule");
    return { permissions };
  }
  const asking = askingOf(desk);
  if (!asking) {
    note(desk, "Declined permissions");
    told(desk, request, "permissions", "decline", "rule");
    return { permissions: {} };
  }
  const { askPermissions } = await import("./asking.ts");
  return await askPermissions(request, asking);
}

/** Answers an MCP server: with the form's defaults for `--yes`, by asking on a terminal, or by declining. */
export async function elicited(request: ElicitationRequest, desk: Desk): Promise<ElicitationAnswer> {
  const fields = "requestedSchema" in request ? formFields(request.requestedSchema) : undefined;
  const content = desk.yes && fields ? untouched(fields) : undefined;
  if (content) {
    told(desk, request, "elicitation", "accept", "rule");
    return { action: "accept", content };
  }
  const asking = askingOf(desk);
  if (asking && (fields || request.mode === "url")) {
    const { askElicitation } = await import("./asking.ts");
    return await askElicitation(request, fields ?? [], asking);
  }
  // Without a user no page is opened, and a form that cannot be shown cannot be accepted.
  const why = asking ? "it cannot be shown here" : desk.yes ? "there is no terminal to ask on" : undefined;
  note(desk, `Declined a request from ${request.serverName}`, why);
  told(desk, request, "elicitation", "decline", "rule");
  return { action: "decline" };
}

/** The answer that the model gets if there is no terminal to ask on. */
const NOBODY = "No user is available to answer. Use your best judgement, and state what you assumed.";

/** Answers the model's questions by asking the user. `--yes` does not answer them. */
export async function answer(request: UserInputRequest, desk: Desk): Promise<UserInputAnswers> {
  const asking = askingOf(desk);
  if (!asking) {
    note(desk, "Left a question unanswered", "there is no terminal to ask on");
    told(desk, request, "userInput", "decline", "rule");
    return Object.fromEntries(request.questions.map(({ id }) => [id, NOBODY]));
  }
  const { askUser } = await import("./asking.ts");
  return await askUser(request, asking);
}

/** Returns what is needed to ask a question, or `undefined` if there is no terminal. */
function askingOf(desk: Desk): Asking | undefined {
  const screen = desk.presenter()?.screen;
  const { output, interrupt, stopped } = desk;
  return screen && { screen, style: output.style, folder: desk.folder(), interrupt, stopped };
}

function told<Decision>(
  { output }: Desk,
  request: { readonly threadId: string; readonly itemId?: string | null | undefined },
  kind: string,
  decision: Decision,
  by: "user" | "rule",
): Decision {
  const { threadId, itemId = null } = request;
  output.json({ type: "approval", kind, threadId, itemId, decision, by });
  return decision;
}

function note(
  desk: Desk,
  what: string,
  why = "there is no terminal to ask on, and --yes was not given",
): void {
  desk.presenter()?.note(`${what}: ${why}.`);
}
