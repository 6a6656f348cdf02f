import { ResponseError, type protocol } from "codexwright";
import type { ClientConnection, Endpoint } from "codexwright/server";

type ToolCall = protocol.DynamicToolCallParams;
type ToolAnswer = protocol.DynamicToolCallResponse;

/**
 * Finds the client for requests that only one client can answer: tool calls, token refreshes and
 * attestations.
 */
export class Answerers {
  readonly #endpoint: () => Endpoint;
  /** The client that supplied a thread's tools, or that has answered a call to one of them. */
  readonly #tools = new Map<string, ClientConnection>();
  #tokens: ClientConnection | undefined;

  /** @param endpoint returns the endpoint whose clients are asked */
  constructor(endpoint: () => Endpoint) {
    this.#endpoint = endpoint;
  }

  /** Called when a client's request was answered: the request may have supplied tools or tokens. */
  noted(connection: ClientConnection, method: string, params: unknown, threadId: string | undefined): void {
    const { dynamicTools, type } = (params ?? {}) as { dynamicTools?: unknown; type?: unknown };
    const hasTools = Array.isArray(dynamicTools) && dynamicTools.length > 0;
    if (hasTools && threadId !== undefined) this.#tools.set(threadId, connection);
    if (method === "account/login/start") {
      this.#tokens = type === "chatgptAuthTokens" ? connection : undefined;
    } else if (method === "account/logout") this.#tokens = undefined;
  }

  /** A sub-agent inherits the tools of its parent thread. */
  inherited(parent: string, child: string): void {
    const owner = this.#tools.get(parent);
    if (owner) this.#tools.set(child, owner);
  }

  /** Called when the thread is gone. */
  closed(threadId: string): void {
    this.#tools.delete(threadId);
  }

  left(connection: ClientConnection): void {
    for (const [threadId, owner] of this.#tools) if (owner === connection) this.#tools.delete(threadId);
    if (this.#tokens === connection) this.#tokens = undefined;
  }

  /** Sends a server request that only one client can answer. */
  async ask(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    if (method === "item/tool/call") return await this.#callTool(params as ToolCall, signal);
    if (method === "attestation/generate") return await this.#attest(signal);
    // If no client supplied the tokens, or that client has left, ask all clients. The first successful answer counts.
    // Errors do not count.
    const channel = this.#tokens ?? this.#endpoint();
    return await channel.request("account/chatgptAuthTokens/refresh", params as never, { signal });
  }

  /**
   * Asks the owner of the tools (the client that supplied them), whose answer is final. If the owner is unknown (it
   * left, or the thread was resumed with its stored tools), the followers of the thread are asked one after the other,
   * newest first, because an owner that reconnects is the newest. Two clients are never asked at the same time, because
   * both might have the tool and run it.
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
    throw new ResponseError(-32603, `no connected client has the tool ${call.tool}`);
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
      throw new ResponseError(-32603, "no connected client can attest");
    } finally {
      settled.abort();
    }
  }
}
