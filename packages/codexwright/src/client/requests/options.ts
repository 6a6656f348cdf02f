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

/** The agent asks for more permissions than its sandbox has, for the turn or the session. */
export type PermissionsRequest = Readonly<PermissionsRequestApprovalParams> & Pick<ServerRequest, "signal">;

/** The granted permissions: `{ permissions: {} }` grants none, the request's own `permissions` grants all. */
export interface PermissionsAnswer {
  readonly permissions: GrantedPermissionProfile | RequestPermissionProfile;
  /** Default "turn". */
  readonly scope?: PermissionGrantScope | undefined;
  /** If true, every later command of this turn is reviewed before it runs. */
  readonly strictAutoReview?: boolean | undefined;
}

export type PermissionsHandler = (
  request: PermissionsRequest,
) => PermissionsAnswer | Promise<PermissionsAnswer>;

/** Questions from the model to the user. */
export type UserInputRequest = Readonly<ToolRequestUserInputParams> & Pick<ServerRequest, "signal">;

/** Answers by question id: the label of an option, a text, or several. Questions without an entry stay unanswered. */
export type UserInputAnswers = Readonly<Record<string, string | readonly string[]>>;

export type UserInputHandler = (request: UserInputRequest) => UserInputAnswers | Promise<UserInputAnswers>;

/** An MCP server asks the user for something. Narrow by `mode`. */
export type ElicitationRequest = Readonly<McpServerElicitationRequestParams> & Pick<ServerRequest, "signal">;

export type ElicitationAnswer =
  | { readonly action: "accept"; readonly content?: JsonValue | undefined; readonly _meta?: JsonValue }
  | { readonly action: "decline" }
  | { readonly action: "cancel" };

export type ElicitationHandler = (
  request: ElicitationRequest,
) => ElicitationAnswer | Promise<ElicitationAnswer>;

/** The server's ChatGPT token has expired. The server waits 10 s for a new one. */
export type TokenRefreshRequest = Readonly<ChatgptAuthTokensRefreshParams> & Pick<ServerRequest, "signal">;

/** New tokens: the first shape is for servers from 0.100, the second for 0.98. */
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

/** Returns an attestation token. The server waits only 100 ms for the token. */
export type AttestationHandler = (request: Pick<ServerRequest, "signal">) => string | Promise<string>;

/**
 * How server requests are answered. Handlers run outside the read loop and in parallel. A handler that throws or
 * returns an invalid answer counts as a refusal, and a `warning` is emitted.
 */
export interface ServerRequestOptions {
  /**
   * Decides on commands, network access, file changes and MCP tools. Unset: accepts if this client requested the
   * policy `never` on the thread and the server does not report another one, else declines. `"fail"` ends the turn
   * with `approval_required`.
   */
  readonly onApproval?: ApprovalHandler | "fail" | undefined;
  /** Grants additional permissions. Unset: grants none. `"fail"` ends the turn with `permissions_required`. */
  readonly onPermissions?: PermissionsHandler | "fail" | undefined;
  /**
   * Answers the model's questions. Unset: sends no answers. `"decline"` tells the model that no user is available,
   * `"fail"` ends the turn with `input_required`.
   */
  readonly onUserInput?: UserInputHandler | "decline" | "fail" | undefined;
  /**
   * Answers elicitations of MCP servers, except the approvals of their tools. Unset: declines. `"fail"` ends the turn
   * with `elicitation_required`.
   */
  readonly onElicitation?: ElicitationHandler | "fail" | undefined;
  /** Renews ChatGPT tokens that the caller manages. Unset: the server's request is answered with an error. */
  readonly refreshTokens?: TokenRefreshHandler | undefined;
  readonly onAttestation?: AttestationHandler | undefined;
  /** The time to report to the model, as a date or in ms since 1970. Unset: the time of this machine. */
  readonly clock?: (() => Date | number) | undefined;
}

export const SERVER_REQUEST_OPTIONS: Table<ServerRequestOptions> = {
  onApproval: is.either(is.func, is.oneOf("fail")),
  onPermissions: is.either(is.func, is.oneOf("fail")),
  onUserInput: is.either(is.func, is.oneOf("decline", "fail")),
  onElicitation: is.either(is.func, is.oneOf("fail")),
  refreshTokens: is.func,
  onAttestation: is.func,
  clock: is.func,
};
