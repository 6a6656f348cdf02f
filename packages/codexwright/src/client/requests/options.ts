import type {
  ChatgptAuthTokensRefreshParams,
  GrantedPermissionProfile,
  JsonValue,
  McpServerElicitationRequestParams,
  PermissionGrantScope,
  PermissionsRequestApprovalParams,
  RequestPermissionProfile,
  ToolRequestUserInputParams,
} from "../../protocol/index.ts";
import * as is from "../../rpc/options/check.ts";
import type { Table } from "../../rpc/options/table.ts";
import type { ServerRequest } from "../connection/server-request.ts";
import type { ApprovalHandler } from "./approval.ts";

/** The agent asks for more than its sandbox allows, for the turn or the session. */
export type PermissionsRequest = Readonly<PermissionsRequestApprovalParams> & Pick<ServerRequest, "signal">;

/** What of it is granted; nothing by `{ permissions: {} }`, all of it by the request's own `permissions`. */
export interface PermissionsAnswer {
  readonly permissions: GrantedPermissionProfile | RequestPermissionProfile;
  /** Default "turn". */
  readonly scope?: PermissionGrantScope | undefined;
  /** Has every later command of this turn reviewed before it runs. */
  readonly strictAutoReview?: boolean | undefined;
}

export type PermissionsHandler = (
  request: PermissionsRequest,
) => PermissionsAnswer | Promise<PermissionsAnswer>;

/** Questions of the model to its user. */
export type UserInputRequest = Readonly<ToolRequestUserInputParams> & Pick<ServerRequest, "signal">;

/** Answers by the questions' ids: the label of an option, a text, or several. What is left out is unanswered. */
export type UserInputAnswers = Readonly<Record<string, string | readonly string[]>>;

export type UserInputHandler = (request: UserInputRequest) => UserInputAnswers | Promise<UserInputAnswers>;

/** An MCP server asks the user for something; narrow by `mode`. */
export type ElicitationRequest = Readonly<McpServerElicitationRequestParams> & Pick<ServerRequest, "signal">;

export type ElicitationAnswer =
  | { readonly action: "accept"; readonly content?: JsonValue | undefined; readonly _meta?: JsonValue }
  | { readonly action: "decline" }
  | { readonly action: "cancel" };

export type ElicitationHandler = (
  request: ElicitationRequest,
) => ElicitationAnswer | Promise<ElicitationAnswer>;

/** The server's ChatGPT token has run out. It waits 10 s for another. */
export type TokenRefreshRequest = Readonly<ChatgptAuthTokensRefreshParams> & Pick<ServerRequest, "signal">;

/** New tokens: the first shape for servers from 0.100, the second for 0.98. */
export type RefreshedTokens =
  | {
      readonly accessToken: string;
      readonly chatgptAccountId: string;
      readonly chatgptPlanType?: string | null | undefined;
    }
  | { readonly accessToken: string; readonly idToken: string };

export type TokenRefreshHandler = (
  request: TokenRefreshRequest,
) => RefreshedTokens | Promise<RefreshedTokens>;

/** Gives an attestation token. The server waits 100 ms for it. */
export type AttestationHandler = (request: Pick<ServerRequest, "signal">) => string | Promise<string>;

/**
 * How the server's own requests are answered. They run off the read loop and in parallel; one that throws or
 * returns nonsense counts as a refusal and raises a `warning`.
 */
export interface ServerRequestOptions {
  /**
   * Decides on commands, network access, file changes and MCP tools. Unset: accepts if this client
   * asked for policy `never` on the thread and the server reports no other, else declines. `"fail"` ends the turn with `approval_required`.
   */
  readonly onApproval?: ApprovalHandler | "fail" | undefined;
  /** Grants more permissions. Unset: none. */
  readonly onPermissions?: PermissionsHandler | undefined;
  /**
   * Answers the model's questions. Unset: gives no answer. `"decline"` tells the model that nobody is there,
   * `"fail"` ends the turn with `input_required`.
   */
  readonly onUserInput?: UserInputHandler | "decline" | "fail" | undefined;
  /** Answers MCP servers' elicitations, but for the approvals of their tools. Unset: declines. */
  readonly onElicitation?: ElicitationHandler | undefined;
  /** Renews ChatGPT tokens that the caller manages. Unset: the server is told that nobody does. */
  readonly refreshTokens?: TokenRefreshHandler | undefined;
  readonly onAttestation?: AttestationHandler | undefined;
  /** The time the model is told, as a date or in ms since 1970. Unset: this machine's. */
  readonly clock?: (() => Date | number) | undefined;
}

export const SERVER_REQUEST_OPTIONS: Table<ServerRequestOptions> = {
  onApproval: is.either(is.func, is.oneOf("fail")),
  onPermissions: is.func,
  onUserInput: is.either(is.func, is.oneOf("decline", "fail")),
  onElicitation: is.func,
  refreshTokens: is.func,
  onAttestation: is.func,
  clock: is.func,
};
