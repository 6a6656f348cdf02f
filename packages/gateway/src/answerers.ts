import { ResponseError, type protocol } from "codexwright";
import type { ClientConnection, Endpoint } from "codexwright/server";

type ToolCall = protocol.DynamicToolCallParams;
type ToolAnswer = protocol.DynamicToolCallResponse;

/** Knows who can answer what only one client can: its tools, its tokens. */
export class Answerers {
  readonly #endpoint: () => Endpoint;
  /** Who gave a thread its tools, or has shown that it has them. */
  readonly #tools = new Map<string, ClientConnection>();
  #tokens: ClientConnection | undefined;

  /** @param endpoint whose clients are asked */
  constructor(endpoint: () => Endpoint) {
    this.#endpoint = endpoint;
  }

  /** A client's request was answered: it may have given the app-server what it alone knows more of. */
  noted(connection: ClientConnection, method: string, params: unknown, threadId: string | undefined): void {
    const { dynamicTools, type } = (params ?? {}) as { dynamicTools?: unknown; type?: unknown };
    const hasTools = Array.isArray(dynamicTools) && dynamicTools.length > 0;
    if (hasTools && threadId !== undefined) this.#tools.set(threadId, connection);
    if (method === "account/login/start") {
      this.#tokens = type === "chatgptAuthTokens" ? connection : undefined;
    } else if (method === "account/logout") this.#tokens = undefined;
  }

  /** An agent has the tools of the thread it works for. */
  inherited(parent: string, child: string): void {
    const owner = this.#tools.get(parent);
    if (owner) this.#tools.set(child, owner);
  }

  /** The thread is gone. */
  closed(threadId: string): void {
    this.#tools.delete(threadId);
  }

  left(connection: ClientConnection): void {
    for (const [threadId, owner] of this.#tools) if (owner === connection) this.#tools.delete(threadId);
    if (this.#tokens === connection) this.#tokens = undefined;
  }

  /** Asks a question that only one client can answer. */
  async ask(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    if (method === "item/tool/call") return await this.#callTool(params as ToolCall, signal);
    if (method === "attestation/generate") return await this.#attest(signal);
    // Where nobody gave tokens, or who did has left, somebody else may know them. An error does not win.
    const channel = this.#tokens ?? this.#endpoint();
    return await channel.request("account/chatgptAuthTokens/refresh", params as never, { signal });
  }

  /**
   * The owner of the tools is asked, and its answer counts. Where it is not known (it left, or the tools are those of
   * a thread that was resumed), those who follow the thread are asked one after the other, who came last first: one
   * that comes back has come last. Never two at once, for both might have the tool and run it.
   */
  async #callTool(call: ToolCall, signal: AbortSignal): Promise<ToolAnswer> {
    const owner = this.#tools.get(call.threadId);
    const followers = this.#endpoint().thread(call.threadId).subscribers.toReversed();
    let failure: ToolAnswer | undefined;
    for (const connection of owner ? [owner] : followers.filter((each) => each.experimentalApi)) {
      const asking = connection.request("item/tool/call", call, { signal });
      const answer = await asking.catch((error: unknown): undefined => {
        if (signal.aborted || connection === owner) throw error;
      });
      if (answer?.success) this.#tools.set(call.threadId, connection);
      if (answer?.success || (answer && connection === owner)) return answer;
      failure ??= answer;
    }
    if (failure) return failure;
    throw new ResponseError(-32603, `no client is here that has the tool ${call.tool}`);
  }

  async #attest(signal: AbortSignal): Promise<protocol.AttestationGenerateResponse> {
    const able = this.#endpoint().connections.filter(
      ({ capabilities }) => capabilities?.requestAttestation === true,
    );
    const settled = new AbortController();
    const either = AbortSignal.any([signal, settled.signal]);
    try {
      return await Promise.any(
        able.map((connection) => connection.request("attestation/generate", {}, { signal: either })),
      );
    } catch {
      throw new ResponseError(-32603, "no client is here that attests");
    } finally {
      settled.abort();
    }
  }
}
