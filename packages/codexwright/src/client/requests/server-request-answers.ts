import type {
  ApplyPatchApprovalParams,
  ChatgptAuthTokensRefreshParams,
  CommandExecutionRequestApprovalParams,
  ExecCommandApprovalParams,
  FileChangeRequestApprovalParams,
  McpServerElicitationRequestParams,
  PermissionsRequestApprovalParams,
  ServerRequests,
  ToolRequestUserInputParams,
} from "../../protocol/index.ts";
import { whenWithdrawn, withSignal, type Withdrawable } from "../../rpc/withdrawable.ts";
import { ResponseError } from "../../rpc/errors.ts";
import type { ApprovalDecision, ApprovalRequest, McpToolApproval, McpToolDecision } from "./approval.ts";
import { commandApproval, fileChangeApproval } from "./approvals.ts";
import { isApprovalDecision } from "./decisions.ts";
import { DECLINED, toWireElicitation } from "./elicitation.ts";
import {
  ApprovalRequiredError,
  ElicitationRequiredError,
  InputRequiredError,
  PermissionsRequiredError,
} from "./errors.ts";
import { legacyCommandApproval, legacyFileChangeApproval, toLegacyDecision } from "./legacy.ts";
import {
  askedAnswer,
  askedApproval,
  asksForTool,
  elicitedAnswer,
  elicitedApproval,
  isApprovalQuestion,
} from "./mcp-approval.ts";
import type { RefreshedTokens, ServerRequestOptions, UserInputRequest } from "./options.ts";
import { NO_GRANT, toWireGrant } from "./permissions.ts";
import type { ClientRequestHooks } from "./hooks.ts";
import { declinedAnswers, toWireAnswers, type WireAnswers } from "./user-input.ts";
import { record, text } from "../connection/wire.ts";

/** Marks a missing answer: the handler threw, or the request was withdrawn. */
const NONE = Symbol("no answer");

/**
 * Answers every server request except tool calls: with the caller's handlers, else with the documented defaults.
 *
 * Every request gets an answer, so that no turn waits forever. If a handler fails, the answer is a refusal. A request
 * that the server replays after a resume is answered like a new one, but its item may be unknown.
 */
export class ServerRequestAnswers {
  readonly #options: ServerRequestOptions;
  readonly #hooks: ClientRequestHooks;

  constructor(options: ServerRequestOptions, hooks: ClientRequestHooks) {
    this.#options = options;
    this.#hooks = hooks;
  }

  /** Returns the result to send. Throws a `ResponseError` if a JSON-RPC error is the documented answer. */
  async answer(method: string, params: unknown, incoming: Withdrawable): Promise<unknown> {
    // The only place where params are cast to their schema types.
    const raw: unknown = params ?? {};
    switch (method as keyof ServerRequests) {
      case "item/commandExecution/requestApproval":
        return this.#decided(
          commandApproval(raw as CommandExecutionRequestApprovalParams, incoming),
          incoming,
        );
      case "item/fileChange/requestApproval":
        return this.#fileChange(raw as FileChangeRequestApprovalParams, incoming);
      case "execCommandApproval":
        return this.#legacy(
          legacyCommandApproval(raw as ExecCommandApprovalParams, incoming.signal),
          incoming,
        );
      case "applyPatchApproval":
        return this.#legacy(
          legacyFileChangeApproval(raw as ApplyPatchApprovalParams, incoming.signal),
          incoming,
        );
      case "item/permissions/requestApproval":
        return this.#permissions(raw as PermissionsRequestApprovalParams, incoming);
      case "item/tool/requestUserInput":
        return this.#userInput(raw as ToolRequestUserInputParams, incoming);
      case "mcpServer/elicitation/request":
        return this.#elicitation(raw as McpServerElicitationRequestParams, incoming);
      case "account/chatgptAuthTokens/refresh":
        return this.#refreshTokens(raw as ChatgptAuthTokensRefreshParams, incoming);
      case "attestation/generate":
        return this.#attestation(incoming);
      case "currentTime/read":
        return { currentTimeAt: Math.floor(this.#now() / 1000) };
      default:
        throw new ResponseError(-32601, `Method not found: ${method}`);
    }
  }

  async #decided(request: ApprovalRequest, incoming: Withdrawable): Promise<{ decision: ApprovalDecision }> {
    return { decision: await this.#decide(request, incoming) };
  }

  async #legacy(request: ApprovalRequest, incoming: Withdrawable): Promise<{ decision: unknown }> {
    return { decision: toLegacyDecision(await this.#decide(request, incoming)) };
  }

  #fileChange(raw: FileChangeRequestApprovalParams, incoming: Withdrawable): Promise<unknown> {
    const item = this.#hooks.itemOf?.(raw.threadId, raw.turnId, raw.itemId);
    return this.#decided(fileChangeApproval(raw, item, incoming), incoming);
  }

  async #decide(request: ApprovalRequest, incoming: Withdrawable): Promise<ApprovalDecision> {
    const { onApproval } = this.#options;
    if (onApproval === undefined)
      return this.#hooks.acceptsUnasked?.(request.threadId) ? "accept" : "decline";
    if (onApproval === "fail") {
      this.#hooks.failTurn?.(request.threadId, request.turnId, new ApprovalRequiredError(request));
      return "cancel";
    }
    const decision = await this.#ask("onApproval", incoming, () => onApproval(request));
    if (decision === NONE) return "decline";
    if (isApprovalDecision(request.kind, decision)) return decision;
    this.#bad(`onApproval returned an invalid decision for a ${request.kind} approval: declined`);
    return "decline";
  }

  async #permissions(raw: PermissionsRequestApprovalParams, incoming: Withdrawable): Promise<unknown> {
    const { onPermissions } = this.#options;
    if (!onPermissions) return NO_GRANT;
    const request = withSignal({ ...raw }, incoming);
    if (onPermissions === "fail") {
      this.#hooks.failTurn?.(raw.threadId, raw.turnId, new PermissionsRequiredError(request));
      return NO_GRANT;
    }
    const grant = await this.#ask("onPermissions", incoming, () => onPermissions(request));
    if (grant === NONE) return NO_GRANT;
    const wire = toWireGrant(raw.permissions, grant);
    if (!wire)
      this.#bad("onPermissions returned an invalid grant, or more than was requested: nothing granted");
    return wire ?? NO_GRANT;
  }

  async #userInput(raw: ToolRequestUserInputParams, incoming: Withdrawable): Promise<unknown> {
    const questions = raw.questions ?? [];
    const free = questions.filter((question) => !isApprovalQuestion(question));
    const [answers, ...approvals] = await Promise.all([
      free.length === 0 && questions.length > 0
        ? {}
        : this.#freeAnswers(withSignal({ ...raw, questions: free }, incoming), incoming),
      ...questions.filter(isApprovalQuestion).map(async (question): Promise<WireAnswers> => {
        const item = this.#hooks.itemOf?.(raw.threadId, raw.turnId, raw.itemId);
        const decision = await this.#decideTool(
          askedApproval(raw, question, item, incoming.signal),
          incoming,
        );
        return { [question.id]: { answers: [askedAnswer(question, decision)] } };
      }),
    ]);
    return { answers: Object.assign({}, answers, ...approvals) as WireAnswers };
  }

  async #freeAnswers(request: UserInputRequest, incoming: Withdrawable): Promise<WireAnswers> {
    const { onUserInput } = this.#options;
    if (onUserInput === undefined) return {};
    if (onUserInput === "decline") return declinedAnswers(request.questions);
    if (onUserInput === "fail") {
      this.#hooks.failTurn?.(request.threadId, request.turnId, new InputRequiredError(request));
      return {};
    }
    const given = await this.#ask("onUserInput", incoming, () => onUserInput(request));
    if (given === NONE) return {};
    const answers = toWireAnswers(request, given, (message) => this.#bad(message));
    if (!answers) this.#bad("onUserInput must return texts by question id: not answered");
    return answers ?? {};
  }

  async #elicitation(raw: McpServerElicitationRequestParams, incoming: Withdrawable): Promise<unknown> {
    if (asksForTool(raw)) {
      const request = elicitedApproval(raw, incoming.signal);
      return elicitedAnswer(await this.#decideTool(request, incoming), request.available);
    }
    const { onElicitation } = this.#options;
    if (!onElicitation) return DECLINED;
    const request = withSignal({ ...raw }, incoming);
    if (onElicitation === "fail") {
      const error = new ElicitationRequiredError(request);
      this.#hooks.failTurn?.(raw.threadId, raw.turnId ?? undefined, error);
      return { ...DECLINED, action: "cancel" };
    }
    const given = await this.#ask("onElicitation", incoming, () => onElicitation(request));
    if (given === NONE) return DECLINED;
    const answer = toWireElicitation(given);
    if (!answer) this.#bad("onElicitation returned no valid action: declined");
    return answer ?? DECLINED;
  }

  async #decideTool(request: McpToolApproval, incoming: Withdrawable): Promise<McpToolDecision> {
    // #decide returns only decisions that are valid for the kind.
    return (await this.#decide(request, incoming)) as McpToolDecision;
  }

  async #refreshTokens(raw: ChatgptAuthTokensRefreshParams, incoming: Withdrawable): Promise<unknown> {
    const { refreshTokens } = this.#options;
    if (!refreshTokens) throw new ResponseError(-32603, "no refreshTokens handler is set");
    const tokens = await this.#ask("refreshTokens", incoming, () =>
      refreshTokens(withSignal({ ...raw }, incoming)),
    );
    const { accessToken, chatgptAccountId, idToken } = record(tokens);
    if (text(accessToken) !== undefined && (text(chatgptAccountId) ?? text(idToken)) !== undefined) {
      this.#hooks.renewed?.(tokens as RefreshedTokens);
      return tokens;
    }
    if (tokens !== NONE) this.#bad("refreshTokens returned no valid tokens: the server received an error");
    throw new ResponseError(-32603, "the tokens could not be refreshed");
  }

  async #attestation(incoming: Withdrawable): Promise<unknown> {
    const { onAttestation } = this.#options;
    if (!onAttestation) throw new ResponseError(-32603, "no onAttestation handler is set");
    const token = await this.#ask("onAttestation", incoming, () => onAttestation(withSignal({}, incoming)));
    if (typeof token === "string") return { token };
    if (token !== NONE) this.#bad("onAttestation did not return a string: the server received an error");
    throw new ResponseError(-32603, "the attestation could not be generated");
  }

  /** Without an answer the server would stop the turn. So if the clock fails, the time of this machine is sent. */
  #now(): number {
    try {
      const time = Number(this.#options.clock?.() ?? Date.now());
      if (Number.isFinite(time)) return time;
      this.#bad("clock returned an invalid time: used the time of this machine");
    } catch (cause) {
      this.#hooks.warn?.("handler_failed", "clock threw: used the time of this machine", cause);
    }
    return Date.now();
  }

  /** Runs a handler until it answers or throws, or until the request is withdrawn. */
  async #ask<T>(name: string, incoming: Withdrawable, run: () => T | Promise<T>): Promise<T | typeof NONE> {
    let unwatch: (() => void) | undefined;
    try {
      const given = run();
      // A request cannot be withdrawn during a synchronous answer.
      if (!isPromise(given)) return given;
      const stopped = new Promise<typeof NONE>((resolve) => {
        unwatch = whenWithdrawn(incoming, () => resolve(NONE));
      });
      return await Promise.race([given, stopped]);
    } catch (cause) {
      // A handler that throws because its signal aborted did not fail.
      if (!incoming.signal.aborted)
        this.#hooks.warn?.("handler_failed", `${name} threw: counted as a refusal`, cause);
      return NONE;
    } finally {
      unwatch?.();
    }
  }

  #bad(message: string): void {
    this.#hooks.warn?.("bad_answer", message);
  }
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}
