import { isApprovalDecision, type ApprovalDecision, type ApprovalRequest } from "codexwright";
import type { JsonObject } from "../domain/json.ts";
import type { Answered } from "../domain/orders.ts";

/** A decision of a person on one approval request. */
export interface Permit {
  /** The decision, if `request` asks for the same thing as the question that was answered. */
  decisionOn(request: ApprovalRequest): ApprovalDecision | undefined;
}

/** Returns the params of a request. Those of a file change do not contain the changes: the item has them. */
export function paramsOf(request: ApprovalRequest): object {
  return request.kind === "fileChange" ? { ...request.raw, changes: request.changes ?? null } : request.raw;
}

/** Params that identify the subject of a request. The ids of turns and items differ in the next run. */
const SUBJECT = [
  "command",
  "cwd",
  "changes",
  "fileChanges",
  "grantRoot",
  "serverName",
  "message",
  "networkApprovalContext",
] as const;

/** Returns the decision in a person's answer, if the question was an approval and the answer is a decision. */
export function permitted({ question, answer }: Answered): Permit | undefined {
  if (question.kind !== "approval" || !("json" in answer)) return undefined;
  const { json } = answer;
  const decision = isObject(json) ? json["decision"] : json;
  return {
    decisionOn: (request) => {
      if (!isApprovalDecision(request.kind, decision)) return undefined;
      const asked = subjectOf(question.params);
      const same = asked !== undefined && asked === subjectOf(paramsOf(request));
      return same ? decision : undefined;
    },
  };
}

function subjectOf(params: unknown): string | undefined {
  if (!isObject(params)) return undefined;
  const subject = SUBJECT.map((name) => params[name] ?? null);
  // A request without any of these has no subject that a person could have seen.
  return subject.every((each) => each === null) ? undefined : JSON.stringify(subject);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
