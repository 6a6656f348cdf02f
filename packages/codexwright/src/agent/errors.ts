import type { SchemaIssue } from "../schema/schema.ts";
import type { ApprovalRequest } from "../client/index.ts";
import { CodexError } from "../rpc/errors.ts";
import type { BudgetDimension, TokenCounts } from "./limits.ts";
import type { AgentPhase, CodexErrorMeaning } from "./phase.ts";
import type { ExpansionRequest } from "./prompt/expansion.ts";

/** Details of a failed run, in addition to its message. */
export interface AgentErrorDetails {
  readonly promptId?: string | undefined;
  /** The error that the server reported, if it reported one. */
  readonly codex?:
    | (Pick<CodexErrorMeaning, "info" | "httpStatus"> & {
        readonly message: string;
        readonly additionalDetails?: string | undefined;
      })
    | undefined;
  readonly retryable?: boolean | undefined;
  readonly retryAfterMs?: number | undefined;
  /** The end of the server's stderr output. */
  readonly stderrTail?: string | undefined;
  /** The underlying error, often an error of the client. */
  readonly cause?: unknown;
}

/**
 * Base class of the errors that a run rejects with. If a client error is the cause, `code` is the code of that error.
 */
export class AgentError extends CodexError {
  readonly code: string;
  readonly phase: AgentPhase;
  readonly promptId: string | undefined;
  readonly codex: AgentErrorDetails["codex"];
  readonly retryAfterMs: number | undefined;
  readonly stderrTail: string | undefined;
  readonly #retryable: boolean;

  constructor(code: string, phase: AgentPhase, message: string, details: AgentErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.code = code;
    this.phase = phase;
    this.promptId = details.promptId;
    this.codex = details.codex;
    this.retryAfterMs = details.retryAfterMs;
    this.stderrTail = details.stderrTail;
    this.#retryable = details.retryable ?? false;
  }

  override get retryable(): boolean {
    return this.#retryable;
  }
}

/** The deadline of the run has passed. */
export class DeadlineExceededError extends AgentError {
  declare readonly code: "deadline_exceeded";
  /** The deadline in milliseconds, as it was set. */
  readonly deadlineMs: number;
  /**
   * The work in progress: a tool by its name, a step such as "the turn of the model", or the event that the run
   * waited for.
   */
  readonly during: string;

  constructor(deadlineMs: number, during: string, details?: AgentErrorDetails) {
    const message = `the deadline of ${deadlineMs} ms passed during ${during}`;
    super("deadline_exceeded", "request", message, details);
    this.deadlineMs = deadlineMs;
    this.during = during;
  }
}

/** The run used more tokens than its budget allows. */
export class BudgetExceededError extends AgentError {
  declare readonly code: "budget_exceeded";
  readonly dimension: BudgetDimension;
  readonly limit: number;
  readonly used: TokenCounts;

  constructor(dimension: BudgetDimension, limit: number, used: TokenCounts, details?: AgentErrorDetails) {
    super(
      "budget_exceeded",
      "budget",
      `the budget of ${limit} ${dimension} is exceeded: the run used ${used[dimension]}`,
      details,
    );
    this.dimension = dimension;
    this.limit = limit;
    this.used = used;
  }
}

/** The final answer of the model is missing, or does not match the `output` schema of the prompt. */
export class PromptOutputError extends AgentError {
  declare readonly code: "output_invalid";
  /** The answer as the model wrote it. */
  readonly raw: string;
  readonly issues: readonly SchemaIssue[];

  constructor(message: string, raw: string, issues: readonly SchemaIssue[], details?: AgentErrorDetails) {
    super("output_invalid", "response", message, details);
    this.raw = raw;
    this.issues = issues;
  }
}

/** The model asked to expand summarised sections, and the run was configured not to do that automatically. */
export class ExpansionRequiredError extends AgentError {
  declare readonly code: "expansion_required";
  readonly request: ExpansionRequest;

  constructor(request: ExpansionRequest, details?: AgentErrorDetails) {
    super(
      "expansion_required",
      "request",
      `the model asked to expand sections: ${request.sections.join(", ")}`,
      details,
    );
    this.request = request;
  }
}

/** A server request without an answer: an approval, or a question to the user. */
export interface UnansweredRequest {
  readonly kind: ApprovalRequest["kind"] | "permissions" | "userInput" | "elicitation";
  /** The method and the params as the server sent them. */
  readonly method: string;
  readonly params: unknown;
  /** The thread that asked. May be the thread of a sub-agent. */
  readonly threadId: string;
  readonly turnId: string | undefined;
}

const ASKS = {
  approval_required: "for an approval",
  permissions_required: "for more permissions",
  input_required: "the user a question",
  elicitation_required: "the user something for an MCP server",
} as const;

/**
 * Codex asked something, and the handler option for it is `"fail"`. The turn was interrupted before it got an answer,
 * and the thread can be used again.
 */
export class AnswerRequiredError extends AgentError {
  declare readonly code: keyof typeof ASKS;
  readonly request: UnansweredRequest;

  constructor(code: keyof typeof ASKS, request: UnansweredRequest, details?: AgentErrorDetails) {
    super(
      code,
      "response",
      `Codex asked ${ASKS[code]} (${request.kind}), and the handler is "fail"`,
      details,
    );
    this.request = request;
  }
}
