import { serverRequestHandler, type CodexClient, type ServerRequest } from "../../client/index.ts";
import type { DynamicToolCallParams, DynamicToolCallResponse, ServerRequests } from "../../protocol/index.ts";
import { failure } from "../../tools/tool-result.ts";
import type { AgentAuth, ChatgptTokens } from "./options.ts";

/** Answers the server requests about one thread. */
export interface Answerer {
  readonly callTool: (
    params: DynamicToolCallParams,
    request: ServerRequest,
  ) => Promise<DynamicToolCallResponse>;
  /** Answers any other request. */
  readonly answer: ReturnType<typeof serverRequestHandler>;
}

/** Server requests about a thread, except tool calls. */
const QUESTIONS = [
  "item/commandExecution/requestApproval",
  "item/fileChange/requestApproval",
  "item/permissions/requestApproval",
  "item/tool/requestUserInput",
  "mcpServer/elicitation/request",
  "execCommandApproval",
  "applyPatchApproval",
] as const satisfies readonly (keyof ServerRequests)[];

const REFRESH = "account/chatgptAuthTokens/refresh";

/** Routes the server requests of one connection to the runs that own the threads. */
export class RequestRouter {
  readonly #answerers = new Map<string, Answerer>();

  constructor(client: CodexClient, auth: AgentAuth | undefined) {
    const refresh = auth && "refresh" in auth ? auth.refresh : undefined;
    const unrouted: Answerer = {
      callTool: async () => Promise.resolve(failure("The run that this tool belongs to has ended.")),
      answer: serverRequestHandler({
        ...(refresh && { refreshTokens: async ({ reason }) => wireTokens(await refresh(reason)) }),
      }),
    };
    client.onServerRequest("item/tool/call", async (params, request) =>
      (this.#answererOf(params) ?? unrouted).callTool(params, request),
    );
    for (const method of QUESTIONS) {
      client.onServerRequest(method, (async (params: unknown, request: ServerRequest) =>
        (this.#answererOf(params) ?? unrouted).answer(method, params, request)) as never);
    }
    if (!refresh) return;
    client.onServerRequest(REFRESH, (async (params: unknown, request: ServerRequest) =>
      unrouted.answer(REFRESH, params, request)) as never);
  }

  /** Routes requests about the thread to this answerer. Returns a function that removes the route. */
  connect(threadId: string, answerer: Answerer): () => void {
    this.#answerers.set(threadId, answerer);
    return () => {
      if (this.#answerers.get(threadId) === answerer) this.#answerers.delete(threadId);
    };
  }

  #answererOf(params: unknown): Answerer | undefined {
    const { threadId, conversationId } = (params ?? {}) as { threadId?: string; conversationId?: string };
    return this.#answerers.get(threadId ?? conversationId ?? "");
  }
}

/** The tokens in their wire format. */
export function wireTokens({ accessToken, accountId, planType }: ChatgptTokens): {
  accessToken: string;
  chatgptAccountId: string;
  chatgptPlanType?: string;
} {
  return {
    accessToken,
    chatgptAccountId: accountId,
    ...(planType !== undefined && { chatgptPlanType: planType }),
  };
}
