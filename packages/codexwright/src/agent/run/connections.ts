import type { CodexClient } from "../../client/index.ts";
import { GRACE_MS, settledWithin, systemClock } from "../clock.ts";
import type { AgentAuth, AgentOptions } from "./options.ts";
import { RequestRouter, wireTokens } from "./request-router.ts";

/** A connected and logged-in server that runs use. */
export class ServerLink {
  readonly client: CodexClient;
  readonly router: RequestRouter;
  readonly #skillRoots = new Set<string>();
  readonly #taken = new Set<string>();

  constructor(client: CodexClient, auth: AgentAuth | undefined) {
    this.client = client;
    this.router = new RequestRouter(client, auth);
  }

  /** Reserves a thread for a run. Returns false if another run has it. */
  take(threadId: string): boolean {
    if (this.#taken.has(threadId)) return false;
    this.#taken.add(threadId);
    return true;
  }

  letGo(threadId: string): void {
    this.#taken.delete(threadId);
  }

  /** Makes the skills in these folders available. The setting applies to all threads of the server. */
  async addSkillRoots(roots: readonly string[], signal: AbortSignal): Promise<void> {
    const before = this.#skillRoots.size;
    for (const root of roots) this.#skillRoots.add(root);
    if (this.#skillRoots.size === before) return;
    await this.client.request("skills/extraRoots/set", { extraRoots: [...this.#skillRoots] }, { signal });
  }
}

/** Lets one run use a link until the run calls `release`. */
export interface Lease {
  readonly link: ServerLink;
  release(): Promise<void>;
}

/** The servers of an agent: one for all runs, or one per run. */
export class Connections implements AsyncDisposable {
  readonly #options: AgentOptions;
  #shared: Promise<ServerLink> | undefined;

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  async lease(): Promise<Lease> {
    if (this.#options.spawn === "per-run") {
      const link = await this.#connect();
      return { link, release: async () => link.client.disconnect() };
    }
    let shared = this.#shared;
    if (!shared) {
      shared = this.#connect();
      this.#shared = shared;
      shared.then(
        // `error` means that the connection is lost for good. The next run then opens another.
        (link) => link.client.on("error", () => this.#forget(shared, link)),
        () => this.#forget(shared),
      );
    }
    return { link: await shared, release: async () => Promise.resolve() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const shared = this.#shared;
    this.#shared = undefined;
    if (!shared) return;
    const gone = shared.then(
      (link) => link.client.disconnect(),
      () => {},
    );
    // If the client is still connecting, wait only for the grace period. After that, the client disconnects by itself
    // as soon as it has connected.
    await settledWithin(gone, GRACE_MS, this.#options.clock ?? systemClock);
  }

  #forget(shared: Promise<ServerLink> | undefined, link?: ServerLink): void {
    if (this.#shared === shared) this.#shared = undefined;
    void link?.client.disconnect();
  }

  async #connect(): Promise<ServerLink> {
    const { connect, auth } = this.#options;
    const client = await connect();
    try {
      const link = new ServerLink(client, auth);
      if (auth && "apiKey" in auth) await client.login.apiKey(auth.apiKey);
      else if (auth) await client.login.tokens(wireTokens(auth.chatgpt));
      return link;
    } catch (error) {
      await client.disconnect();
      throw error;
    }
  }
}
