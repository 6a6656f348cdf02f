import type { CodexClient } from "../../client/client.ts";
import type { ServerRequests } from "../../protocol/index.ts";
import type { RequestContext } from "../../rpc/serving.ts";
import { RequestDesk } from "../../client/requests/desk.ts";
import { failure } from "../../tools/tool-result.ts";
import type { AgentAuth, ChatgptTokens } from "./options.ts";

/** Answers requests about one thread. */
export interface Answerer {
  answer(method: string, params: unknown, context: RequestContext): Promise<unknown>;
}

/** Requests of the server's that are about a thread. */
const ABOUT_THREADS = [
  "item/tool/call",
  "item/commandExecution/requestApproval",
  "item/fileChange/requestApproval",
  "item/permissions/requestApproval",
  "item/tool/requestUserInput",
  "mcpServer/elicitation/request",
  "execCommandApproval",
  "applyPatchApproval",
] as const satisfies readonly (keyof ServerRequests)[];

/** Puts the requests of one connection through to the runs that they are about. */
export class RequestRouter {
  readonly #answerers = new Map<string, Answerer>();
  readonly #nobody: RequestDesk;

  constructor(client: CodexClient, auth: AgentAuth | undefined) {
    const refresh = auth && "refresh" in auth ? auth.refresh : undefined;
    this.#nobody = new RequestDesk(
      { ...(refresh && { refreshTokens: async ({ reason }) => wireTokens(await refresh(reason)) }) },
      {
        acceptsUnasked: () => false,
        callTool: async () => Promise.resolve(failure("The run that this tool belongs to has ended.")),
        warn: () => {},
        failTurn: () => {},
      },
    );
    for (const method of ABOUT_THREADS) {
      client.onServerRequest(method, (async (params: unknown, context: RequestContext) =>
        this.#answer(method, params, context)) as never);
    }
    if (refresh) {
      const method = "account/chatgptAuthTokens/refresh";
      client.onServerRequest(method, (async (params: unknown, context: RequestContext) =>
        this.#nobody.answer(method, params, context)) as never);
    }
  }

  /** Requests about the thread go there, until the function it gives is called. */
  connect(threadId: string, answerer: Answerer): () => void {
    this.#answerers.set(threadId, answerer);
    return () => {
      if (this.#answerers.get(threadId) === answerer) this.#answerers.delete(threadId);
    };
  }

  async #answer(method: string, params: unknown, context: RequestContext): Promise<unknown> {
    const { threadId, conversationId } = (params ?? {}) as { threadId?: string; conversationId?: string };
    const answerer = this.#answerers.get(threadId ?? conversationId ?? "") ?? this.#nobody;
    return await answerer.answer(method, params, context);
  }
}

/** Tokens in the words of the wire. */
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
