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

/** Who decides, and where that is shown. */
export interface Desk {
  readonly output: Output;
  readonly folder: () => string;
  readonly presenter: () => Presenter | undefined;
  /** Accepts everything. */
  readonly yes: boolean;
  readonly interrupt: () => void;
  /** Aborts when the turn is being ended. */
  readonly stopped: AbortSignal;
}

/** Decides on an approval: by `--yes`, by asking, or with nobody to ask by declining. */
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

/** Grants what the agent asks for beyond its sandbox, for the turn or the session, or nothing. */
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

/** Answers an MCP server: by `--yes` with what its form holds already, by asking, or by declining. */
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
  // A page that nobody opens is no answer, and what cannot be shown cannot be agreed to.
  const why = asking ? "it cannot be shown here" : desk.yes ? "nobody is there to answer" : undefined;
  note(desk, `Declined what ${request.serverName} asked`, why);
  told(desk, request, "elicitation", "decline", "rule");
  return { action: "decline" };
}

/** What the model is told where nobody can answer its questions. */
const NOBODY = "Nobody is there to answer. Go on as you think best, and say what you assumed.";

/** Answers the model's questions by asking the user; `--yes` is no answer to them. */
export async function answer(request: UserInputRequest, desk: Desk): Promise<UserInputAnswers> {
  const asking = askingOf(desk);
  if (!asking) {
    note(desk, "Left a question unanswered", "nobody is there to ask");
    told(desk, request, "userInput", "decline", "rule");
    return Object.fromEntries(request.questions.map(({ id }) => [id, NOBODY]));
  }
  const { askUser } = await import("./asking.ts");
  return await askUser(request, asking);
}

/** What a question needs of the terminal; `undefined` where there is none. */
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

function note(desk: Desk, what: string, why = "nobody is there to ask, and --yes was not given"): void {
  desk.presenter()?.note(`${what}: ${why}.`);
}
