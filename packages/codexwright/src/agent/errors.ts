import type { SchemaIssue } from "../schema/schema.ts";
import { CodexError } from "../rpc/errors.ts";
import type { BudgetDimension, TokenCounts } from "./limits.ts";
import type { AgentPhase, CodexErrorMeaning } from "./phase.ts";
import type { ExpansionRequest } from "./prompt/expansion.ts";

/** What is known of a failed run beside its message. */
export interface AgentErrorDetails {
  readonly promptId?: string | undefined;
  /** What the server said, where it said something. */
  readonly codex?:
    | (Pick<CodexErrorMeaning, "info" | "httpStatus"> & {
        readonly message: string;
        readonly additionalDetails?: string | undefined;
      })
    | undefined;
  readonly retryable?: boolean | undefined;
  readonly retryAfterMs?: number | undefined;
  /** The last of what the server wrote to stderr. */
  readonly stderrTail?: string | undefined;
  /** The error it comes from: often one of the client's. */
  readonly cause?: unknown;
}

/** Base of what a run rejects with; `code` is that of the client's error where one is the cause. */
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

/** The run's deadline has passed. */
export class DeadlineExceededError extends AgentError {
  declare readonly code: "deadline_exceeded";
  /** How long the deadline was. */
  readonly deadlineMs: number;
  /** What was running: a tool by its name, a step such as "the turn of the model", or what was waited for. */
  readonly during: string;

  constructor(deadlineMs: number, during: string, details?: AgentErrorDetails) {
    const message = `the deadline of ${deadlineMs} ms has passed during ${during}`;
    super("deadline_exceeded", "request", message, details);
    this.deadlineMs = deadlineMs;
    this.during = during;
  }
}

/** The run used more tokens than it may. */
export class BudgetExceededError extends AgentError {
  declare readonly code: "budget_exceeded";
  readonly dimension: BudgetDimension;
  readonly limit: number;
  readonly used: TokenCounts;

  constructor(dimension: BudgetDimension, limit: number, used: TokenCounts, details?: AgentErrorDetails) {
    super(
      "budget_exceeded",
      "budget",
      `the budget of ${limit} ${dimension} is exceeded: ${used[dimension]} were used`,
      details,
    );
    this.dimension = dimension;
    this.limit = limit;
    this.used = used;
  }
}

/** The model's final answer is missing, or not what the prompt's `output` asks for. */
export class PromptOutputError extends AgentError {
  declare readonly code: "output_invalid";
  /** The answer as the model gave it. */
  readonly raw: string;
  readonly issues: readonly SchemaIssue[];

  constructor(message: string, raw: string, issues: readonly SchemaIssue[], details?: AgentErrorDetails) {
    super("output_invalid", "response", message, details);
    this.raw = raw;
    this.issues = issues;
  }
}

/** The model asked for sections that are folded, and the run was told not to expand them by itself. */
export class ExpansionRequiredError extends AgentError {
  declare readonly code: "expansion_required";
  readonly request: ExpansionRequest;

  constructor(request: ExpansionRequest, details?: AgentErrorDetails) {
    super(
      "expansion_required",
      "request",
      `the model asks for sections that are folded: ${request.sections.join(", ")}`,
      details,
    );
    this.request = request;
  }
}
